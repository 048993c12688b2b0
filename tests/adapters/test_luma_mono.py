"""A chain of MAX7219 through luma, on simulated chips: each lamp its own, and noise that does not last."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace

import pytest

from reedlight.adapters.luma_mono import CLOCK, REFRESH, MonoChain, Part, Picture, chains
from reedlight.adapters.spi import open_spidev
from reedlight.board.layout import direct
from reedlight.board.profile import (
    DiceDigits,
    DiceModules,
    DiceOnBoard,
    Gpio,
    Matrix,
    Max7219,
    PiPins,
    Power,
    Profile,
    Segments,
    Spi,
    Ws2812,
)
from reedlight.core.game import Die
from reedlight.core.grid import square
from reedlight.ports import Display, LinkLost
from reedlight.scene.dice import MODULE
from reedlight.scene.palette import Colour
from reedlight.scene.render import DARK, Frame
from reedlight.scene.scene import Button
from reedlight_sim.spi import TEST, Chain, Lit, Node, Wire, opener

MAIN = Spi(0, 0)
LIT = Colour(255, 255, 255)
BUTTONS = Segments(MAIN, 1, 2, {"go": 6, "next": 5, "back": 4, "hint": 3})
NOTHING = Display((), frozenset(), ())


class Bench:
    """Simulated chips with the real adapter on them."""

    def __init__(self, *parts: Part, chips: int) -> None:
        self.chain = Chain(chips)
        self.node = Node(self.chain)
        self.output = MonoChain(parts, opener({MAIN: self.node}))

    def lit(self, chip: int) -> frozenset[tuple[int, int]]:
        """The lamps of one chip that shine, by digit and bit."""
        return frozenset((digit, bit) for at, digit, bit in self.chain.lit() if at == chip)

    def show(self, display: Display, now: float = 0.0) -> frozenset[Lit]:
        self.output.show(display, now)
        return self.chain.lit()


def frame(count: int, *lit: int) -> Frame:
    return tuple(LIT if lamp in lit else DARK for lamp in range(count))


def board(count: int, *lit: int) -> Display:
    return replace(NOTHING, frame=frame(count, *lit))


def dice(*pips: int, spent: Sequence[int] = ()) -> Display:
    return replace(NOTHING, dice=tuple(Die(number, at in spent, "") for at, number in enumerate(pips)))


def pressed(*buttons: Button) -> Display:
    return replace(NOTHING, buttons=frozenset(buttons))


# ---------------------------------------------------------------------------------------- each lamp


@pytest.mark.parametrize("chips", [1, 2, 3, 5])
def test_each_lamp_of_a_chain_is_its_own_bit_of_its_own_digit_of_its_own_chip(chips: int) -> None:
    bench = Bench(Max7219(MAIN, chips), chips=chips)
    for lamp in range(64 * chips):
        assert bench.show(board(64 * chips, lamp)) == {(lamp // 64, lamp % 64 // 8, lamp % 8)}


def test_many_lamps_shine_together_and_all_of_them_can() -> None:
    bench = Bench(Max7219(MAIN, 2), chips=2)
    assert bench.show(board(128, 0, 9, 127)) == {(0, 0, 0), (0, 1, 1), (1, 7, 7)}
    assert len(bench.show(board(128, *range(128)))) == 128
    assert not bench.show(board(128))


def test_the_faintest_drive_is_lit() -> None:
    bench = Bench(Max7219(MAIN, 1), chips=1)
    assert bench.show(replace(NOTHING, frame=(DARK, Colour(0, 0, 1)))) == {(0, 0, 1)}


def test_a_frame_longer_than_the_chain_lights_no_other_part() -> None:
    bench = Bench(Max7219(MAIN, 1), BUTTONS, chips=2)
    assert not bench.show(board(100, *range(64, 100)))


@pytest.mark.parametrize("pips", range(1, 10))
def test_a_die_is_shown_by_pips_on_its_module(pips: int) -> None:
    bench = Bench(DiceModules(MAIN, 1), chips=3)
    bench.show(dice(pips, 1))
    assert (bench.lit(0), bench.lit(1), bench.lit(2)) == (frozenset(), MODULE[pips], MODULE[1])


def test_a_spent_die_is_dark_and_so_is_one_without_a_picture() -> None:
    bench = Bench(DiceModules(MAIN, 0), chips=2)
    bench.show(dice(4, 6, spent=[0]))
    assert (bench.lit(0), bench.lit(1)) == (frozenset(), MODULE[6])
    bench.show(dice(4, 12))
    assert (bench.lit(0), bench.lit(1)) == (MODULE[4], frozenset())


def test_a_third_die_finds_no_module() -> None:
    bench = Bench(DiceModules(MAIN, 0), replace(BUTTONS, chip=2), chips=3)
    bench.show(dice(1, 2, 3))
    assert (bench.lit(0), bench.lit(1), bench.lit(2)) == (MODULE[1], MODULE[2], frozenset())


def test_dice_are_shown_as_digits_whose_segments_are_a_to_g() -> None:
    bench = Bench(DiceDigits(MAIN, 1, (3, 0)), chips=2)
    bench.show(dice(1, 2))
    b_and_c = {(3, 5), (3, 4)}
    a_b_d_e_g = {(0, 6), (0, 5), (0, 3), (0, 2), (0, 0)}
    assert bench.lit(1) == b_and_c | a_b_d_e_g
    bench.show(dice(1, 2, spent=[0]))
    assert bench.lit(1) == a_b_d_e_g
    assert not bench.show(dice(10))


@pytest.mark.parametrize(("button", "bit"), [(Button.GO, 6), (Button.NEXT, 5), (Button.BACK, 4), (Button.HINT, 3)])
def test_a_button_lights_its_own_segment(button: Button, bit: int) -> None:
    assert Bench(BUTTONS, chips=2).show(pressed(button)) == {(1, 2, bit)}


def test_a_button_without_a_lamp_lights_none() -> None:
    assert not Bench(replace(BUTTONS, bits={"go": 6}), chips=2).show(pressed(Button.HINT))


def test_cells_buttons_and_dice_share_a_chain() -> None:
    bench = Bench(Max7219(MAIN, 1), DiceDigits(MAIN, 1, (0, 1)), BUTTONS, chips=2)
    everything = replace(dice(1, 1), frame=frame(64, 63), buttons=frozenset({Button.GO}))
    ones = {(1, digit, bit) for digit in (0, 1) for bit in (4, 5)}
    assert bench.show(everything) == {(0, 7, 7), (1, 2, 6)} | ones


# ---------------------------------------------------------------------------------------- brightness


def test_all_chips_of_a_chain_are_as_bright_as_the_owner_likes() -> None:
    bench = Bench(Max7219(MAIN, 2), chips=2)
    for at, (brightness, step) in enumerate([(1.0, 15), (0.3, 1), (0.7, 7)]):
        bench.show(replace(board(128, 5), brightness=brightness), at / 10)
        assert [bench.chain.intensity(chip) for chip in (0, 1)] == [step, step]
        assert bench.chain.lit() == {(0, 0, 5)}


# ---------------------------------------------------------------------------------- what is written


def test_a_new_chain_is_dark_and_awake_before_anything_is_shown() -> None:
    bench = Bench(Max7219(MAIN, 1), chips=1)
    assert not bench.chain.lit()
    assert bench.output.deadline is None
    bench.chain.disturb(0, 1, 1)
    assert bench.chain.lit() == {(0, 0, 0)}


def test_what_is_shown_already_is_not_written_again() -> None:
    bench = Bench(Max7219(MAIN, 1), chips=1)
    bench.show(board(64, 1), 0.0)
    before = bench.node.transfers
    bench.show(board(64, 1), 1.0)
    bench.show(replace(board(64, 1), frame=(DARK, Colour(1, 1, 1))), 1.5)
    assert bench.node.transfers == before
    bench.show(board(64, 2), 1.6)
    assert bench.node.transfers == before + 8


def test_registers_and_image_are_written_again_when_that_is_due() -> None:
    bench = Bench(Max7219(MAIN, 1), chips=1)
    bench.show(board(64, 1), 10.0)
    assert bench.output.deadline == 10.0 + REFRESH
    bench.show(board(64, 2), 11.0)
    assert bench.output.deadline == 10.0 + REFRESH
    before = bench.node.transfers
    bench.show(board(64, 2), 10.0 + REFRESH)
    assert bench.node.transfers > before + 8
    assert bench.output.deadline == 10.0 + 2 * REFRESH


def test_a_chip_that_forgot_everything_shines_again_after_a_refresh() -> None:
    bench = Bench(Max7219(MAIN, 3), chips=3)
    shown = bench.show(replace(board(192, 3, 70, 140), brightness=0.7))
    for chip in range(3):
        bench.chain.forget(chip)
    assert not bench.chain.lit()
    assert bench.show(replace(board(192, 3, 70, 140), brightness=0.7), REFRESH) == shown
    assert [bench.chain.intensity(chip) for chip in range(3)] == [7, 7, 7]


@pytest.mark.parametrize("register", range(1, 16))
def test_a_register_that_noise_has_changed_is_put_right_by_a_refresh(register: int) -> None:
    bench = Bench(Max7219(MAIN, 1), chips=1)
    shown = bench.show(board(64, *range(0, 64, 3)))
    bench.chain.disturb(0, register, 0x5A if register != TEST else 1)
    assert bench.show(board(64, *range(0, 64, 3)), REFRESH) == shown
    assert bench.chain.intensity(0) == 15


@pytest.mark.parametrize("bit", range(0, 32, 5))
def test_a_transfer_that_noise_has_bent_is_put_right_by_a_refresh(bit: int) -> None:
    bench = Bench(Max7219(MAIN, 2), chips=2)
    bench.show(board(128), 0.0)
    bench.node.flip(bit)
    bench.show(board(128, 7, 77), 1.0)
    assert bench.show(board(128, 7, 77), REFRESH) == {(0, 0, 7), (1, 1, 5)}


# ------------------------------------------------------------------------------------ the beginning, the end


def test_a_closed_chain_is_dark_and_asleep_and_closing_again_does_nothing() -> None:
    bench = Bench(Max7219(MAIN, 2), chips=2)
    bench.show(board(128, *range(128)))
    bench.output.close()
    assert not bench.chain.lit()
    bench.chain.disturb(0, 1, 0xFF)
    assert not bench.chain.lit()
    before = bench.node.transfers
    bench.output.close()
    assert bench.node.transfers == before


class Recorder:
    """A bus that counts transfers and takes them even when it is closed."""

    def __init__(self) -> None:
        self.transfers = 0

    def writebytes(self, _values: Sequence[int], /) -> None:
        self.transfers += 1

    def close(self) -> None:
        pass


def test_a_chain_that_was_closed_writes_nothing_even_if_the_bus_would_take_it() -> None:
    bus = Recorder()
    output = MonoChain([Max7219(MAIN, 1)], lambda _spi, _clock: bus)
    output.close()
    before = bus.transfers
    output.close()
    assert bus.transfers == before


def test_a_chain_that_cannot_be_written_says_so_and_is_dark_once_it_can_again() -> None:
    bench = Bench(Max7219(MAIN, 1), chips=1)
    bench.show(board(64, 5))
    bench.node.present = False
    with pytest.raises(LinkLost, match=r"^The lamps on /dev/spidev0\.0 cannot be reached: Input/output error\.$"):
        bench.show(board(64, 6), 1.0)
    bench.node.present = True
    bench.output.close()
    assert not bench.chain.lit()


def test_a_chain_that_is_gone_can_be_closed() -> None:
    bench = Bench(Max7219(MAIN, 1), chips=1)
    bench.node.present = False
    bench.output.close()
    bench.output.close()


def test_a_chain_opened_anew_shows_everything() -> None:
    bench = Bench(Max7219(MAIN, 1), chips=1)
    bench.show(board(64, 5))
    bench.output.close()
    bench.output = MonoChain([Max7219(MAIN, 1)], opener({MAIN: bench.node}))
    assert bench.show(board(64, 5)) == {(0, 0, 5)}


def test_a_chain_that_cannot_be_written_from_the_start_is_no_chain() -> None:
    node = Node(Chain(1))

    def open_and_lose(spi: Spi, clock: int) -> Wire:
        wire = opener({MAIN: node})(spi, clock)
        node.present = False
        return wire

    with pytest.raises(LinkLost, match="cannot be reached"):
        MonoChain([Max7219(MAIN, 1)], open_and_lose)


ENDINGS = """
import sys
from reedlight.adapters.luma_mono import MonoChain
from reedlight.board.profile import Max7219, Spi
from reedlight.ports import Display, LinkLost
from reedlight_sim.spi import Chain, Node, opener
import atexit
chain = Chain(1)
node = Node(chain)
atexit.register(lambda: print(len(chain.lit()), node.transfers == at_the_end or node.transfers - at_the_end))
output = MonoChain([Max7219(Spi(0, 0), 1)], opener({Spi(0, 0): node}))
output.show(Display(((1, 1, 1),) * 64, frozenset(), ()), 0.0)
END
at_the_end = node.transfers
"""


def ended(how: str) -> subprocess.CompletedProcess[str]:
    """A program of its own that ends in some way; it says how many lamps shine, and what was written at the end."""
    return subprocess.run(  # noqa: S603  # our own interpreter
        [sys.executable, "-W", "error", "-c", ENDINGS.replace("END", how)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_a_program_that_has_closed_its_chain_ends_without_a_word_to_the_chips() -> None:
    done = ended("output.close()")
    assert (done.stdout, done.stderr, done.returncode) == ("0 True\n", "", 0)


def test_a_program_that_forgot_to_close_its_chain_leaves_it_dark() -> None:
    done = ended("pass")
    assert (done.stdout, done.stderr, done.returncode) == ("0 9\n", "", 0)


def test_a_program_whose_chain_was_lost_ends_in_silence() -> None:
    done = ended("node.present = False")
    assert (done.stdout, done.stderr, done.returncode) == ("64 True\n", "", 0)


# ------------------------------------------------------------------------------------------ profiles


def profile(**parts: object) -> Profile:
    grid = square(8)
    whole = Profile(
        "budget",
        "Budget",
        grid,
        direct(grid),
        Gpio(Matrix(tuple(range(8)), tuple(range(8, 16)))),
        None,
        None,
        None,
        None,
        Power(3.0, 1.6, 0.0, 1.25),
        45.0,
        {},
    )
    return replace(whole, **parts)


def test_the_parts_on_one_device_are_one_chain_and_others_are_others() -> None:
    cells, digits, modules = Max7219(MAIN, 1), DiceDigits(MAIN, 1, (0, 1)), DiceModules(Spi(1, 0), 0)
    assert chains(profile(lamps=cells, dice=digits, button_lamps=BUTTONS)) == ((cells, digits, BUTTONS),)
    assert chains(profile(lamps=cells, dice=modules)) == ((cells,), (modules,))


def test_what_hangs_elsewhere_is_on_no_chain() -> None:
    assert chains(profile(lamps=Ws2812(MAIN, 64), dice=DiceOnBoard(), button_lamps=PiPins({"go": 12}))) == ()
    assert chains(profile()) == ()


def test_a_picture_gives_its_pixels_by_the_old_name_and_by_the_new() -> None:
    picture = Picture("1", (2, 1), [0, 1])
    assert picture.getdata() == picture.get_flattened_data() == [0, 1]


# ------------------------------------------------------------------------------------- the real device


class SpiDev:
    """``spidev.SpiDev``, on a machine where opening goes as told."""

    error: OSError | None = None

    def __init__(self) -> None:
        self.said: list[str] = []
        self.mode = 3
        self.max_speed_hz = 500_000

    def open(self, bus: int, device: int) -> None:
        self.said.append(f"open {bus}.{device}")
        if self.error:
            raise self.error

    def close(self) -> None:
        self.said.append("close")


@pytest.fixture
def spidev(monkeypatch: pytest.MonkeyPatch) -> type[SpiDev]:
    class Here(SpiDev):
        pass

    monkeypatch.setitem(sys.modules, "spidev", SimpleNamespace(SpiDev=Here))
    return Here


@pytest.mark.usefixtures("spidev")
def test_the_real_device_is_opened_with_its_clock_and_with_the_mode_that_lamps_need() -> None:
    bus = open_spidev(Spi(1, 0), CLOCK)
    assert isinstance(bus, SpiDev)
    assert (bus.said, bus.mode, bus.max_speed_hz) == (["open 1.0"], 0, CLOCK)


@pytest.mark.parametrize(
    ("spi", "error", "why"),
    [
        (Spi(0, 0), OSError(2, "No such file"), "this SPI bus is off (put dtparam=spi=on into "),
        (Spi(1, 0), OSError(2, "No such file"), "this SPI bus is off (put dtoverlay=spi1-1cs into "),
        (Spi(1, 1), OSError(2, "No such file"), "this SPI bus is off (put dtoverlay=spi1-2cs into "),
        (Spi(0, 0), OSError(13, "Permission denied"), "this user may not (sudo usermod -aG spi USER"),
        (Spi(0, 0), OSError(22, "Invalid argument"), "Invalid argument."),
        (Spi(0, 0), OSError("odd"), "odd."),
    ],
)
def test_a_device_that_cannot_be_opened_says_why_and_what_to_do(
    spidev: type[SpiDev], spi: Spi, error: OSError, why: str
) -> None:
    spidev.error = error
    with pytest.raises(LinkLost) as lost:
        MonoChain([Max7219(spi, 1)])
    assert str(lost.value).startswith(f"The lamps on /dev/spidev{spi.bus}.{spi.device} cannot be reached: {why}")


def test_a_machine_without_spidev_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spidev", None)
    with pytest.raises(LinkLost, match=r"package spidev is not there \(apt install python3-spidev\)\.$"):
        open_spidev(MAIN, CLOCK)
