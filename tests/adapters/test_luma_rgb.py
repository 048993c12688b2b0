"""A string of RGB lamps through luma, on simulated lamps: colours arrive, the cap holds, noise does not last."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reedlight.adapters.luma_rgb import LONGEST, REFRESH, RgbString
from reedlight.board.profile import Spi, Ws2812
from reedlight.ports import Display, LinkLost
from reedlight.scene.palette import Colour
from reedlight.scene.render import DARK, WS2812, Budget, Frame
from reedlight_sim.spi import CORE_CLOCKS, MODELS, WS2812B, WS2812B_V5, Model, Node, String, Wire, opener

MAIN = Spi(0, 0)
PLENTY = replace(WS2812, cap=100_000.0)
WHITE = Colour(255, 255, 255)
NOISE = "1000" * 7


class Bench:
    """A simulated string with the real adapter on it."""

    def __init__(
        self,
        count: int = 64,
        budget: Budget = PLENTY,
        *,
        order: str = "GRB",
        model: Model = WS2812B,
        core: int = CORE_CLOCKS[0],
    ) -> None:
        self.string = String(count, order, model)
        self.node = Node(self.string, core)
        self.output = RgbString(Ws2812(MAIN, count, order), budget, opener({MAIN: self.node}))

    def show(self, frame: Frame, now: float = 0.0) -> Frame:
        self.output.show(Display(frame, frozenset(), ()), now)
        return self.string.colours()


def one(count: int, lamp: int, colour: Colour) -> Frame:
    return tuple(colour if at == lamp else DARK for at in range(count))


colours = st.builds(Colour, st.integers(0, 255), st.integers(0, 255), st.integers(0, 255))

# ---------------------------------------------------------------------------------------- each lamp


@pytest.mark.parametrize("count", [1, 61, 64, 100])
def test_each_lamp_of_a_frame_is_its_own_on_the_string(count: int) -> None:
    bench = Bench(count)
    for lamp in range(count):
        assert bench.show(one(count, lamp, Colour(1, 2, 3))) == one(count, lamp, Colour(1, 2, 3))
    assert not bench.string.misread


@settings(max_examples=30, deadline=None)
@given(st.lists(colours, min_size=20, max_size=20).map(tuple))
def test_colours_arrive_as_they_were_sent(frame: Frame) -> None:
    assert Bench(20).show(frame) == frame


@pytest.mark.parametrize("order", ["RGB", "RBG", "GRB", "GBR", "BRG", "BGR"])
def test_every_order_of_channels_gives_the_same_colours(order: str) -> None:
    frame = (Colour(200, 0, 0), Colour(0, 150, 0), Colour(0, 0, 100), Colour(1, 2, 3))
    assert Bench(4, order=order).show(frame) == frame


@pytest.mark.parametrize("core", CORE_CLOCKS)
@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_every_raspberry_pi_is_understood_by_every_kind_of_lamp(core: int, model: Model) -> None:
    bench = Bench(8, model=model, core=core)
    frame = tuple(Colour(37 * at % 256, 91 * at % 256, 255 - at) for at in range(8))
    assert bench.show(frame) == frame
    assert not bench.string.misread


def test_a_frame_shorter_than_the_string_leaves_the_rest_dark_and_a_longer_one_runs_out() -> None:
    bench = Bench(3)
    assert bench.show((WHITE,) * 5) == (WHITE,) * 3
    assert bench.show((WHITE,)) == (WHITE, DARK, DARK)


def test_the_longest_string_is_reached_to_its_last_lamp() -> None:
    bench = Bench(LONGEST, model=WS2812B_V5)
    assert bench.show(one(LONGEST, LONGEST - 1, WHITE)) == one(LONGEST, LONGEST - 1, WHITE)
    assert not bench.string.misread


def test_a_longer_string_is_refused_in_a_sentence() -> None:
    with pytest.raises(
        ValueError, match=r"^323 lamps are too many for one string: a transfer of 4096 bytes reaches 322$"
    ):
        RgbString(Ws2812(MAIN, 323), PLENTY, opener({}))


class Recorder:
    """A bus that only remembers how long transfers were."""

    def __init__(self) -> None:
        self.lengths: list[int] = []

    def writebytes(self, values: Sequence[int], /) -> None:
        self.lengths.append(len(values))

    def close(self) -> None:
        pass


def test_even_one_lamp_makes_a_transfer_long_enough_to_be_sent_without_gaps() -> None:
    bus = Recorder()
    RgbString(Ws2812(MAIN, 1), PLENTY, lambda _spi, _clock: bus)
    assert min(bus.lengths) >= 96


# --------------------------------------------------------------------------------------------- power


def test_a_frame_that_breaks_the_cap_is_sent_darker_in_the_same_hue() -> None:
    bench = Bench(64, WS2812)
    shown = bench.show((Colour(255, 255, 100),) * 64)
    assert 1.15 < bench.string.amperes() <= 1.2
    assert set(shown) == {Colour(94, 94, 37)}


def test_a_frame_at_the_cap_is_sent_as_it_is() -> None:
    bench = Bench(2, Budget(dark=1.0, channel=20.0, cap=122.0))
    assert bench.show((WHITE, WHITE)) == (WHITE, WHITE)
    assert bench.string.amperes() == pytest.approx(0.122)


@settings(max_examples=30, deadline=None)
@given(st.lists(colours, min_size=20, max_size=20).map(tuple), st.floats(0.0, 1300.0))
def test_no_frame_ever_draws_more_than_the_cap_or_the_lamps_own_chips(frame: Frame, cap: float) -> None:
    bench = Bench(20, Budget(dark=1.0, channel=20.0, cap=cap))
    bench.show(frame)
    assert bench.string.amperes() <= max(cap / 1000, 0.020) + 1e-9


# ---------------------------------------------------------------------------------- what is written


def test_what_is_shown_already_is_not_written_again() -> None:
    bench = Bench()
    bench.show(one(64, 5, WHITE), 0.0)
    before = bench.node.transfers
    bench.show(one(64, 5, WHITE), 0.9)
    assert bench.node.transfers == before
    bench.show(one(64, 6, WHITE), 0.95)
    assert bench.node.transfers == before + 1


def test_a_frame_is_written_again_when_that_is_due() -> None:
    bench = Bench()
    assert bench.output.deadline is None
    bench.show(one(64, 5, WHITE), 10.0)
    assert bench.output.deadline == 10.0 + REFRESH
    before = bench.node.transfers
    bench.show(one(64, 5, WHITE), 10.0 + REFRESH)
    assert bench.node.transfers == before + 1
    assert bench.output.deadline == 10.0 + 2 * REFRESH


def test_a_frame_that_differs_puts_the_refresh_off() -> None:
    bench = Bench()
    bench.show(one(64, 5, WHITE), 10.0)
    bench.show(one(64, 6, WHITE), 10.5)
    assert bench.output.deadline == 10.5 + REFRESH


def test_lamps_that_noise_has_lit_are_put_right_by_a_refresh() -> None:
    bench = Bench()
    shown = bench.show(one(64, 5, Colour(9, 8, 7)))
    bench.string.disturb(40, WHITE)
    assert bench.show(one(64, 5, Colour(9, 8, 7)), REFRESH) == shown


@pytest.mark.parametrize("bit", [0, 1000, 1001, 1002, 1003, 5000])
def test_a_frame_that_noise_has_bent_is_put_right_by_a_refresh(bit: int) -> None:
    bench = Bench()
    frame = tuple(Colour(at, 255 - at, 3) for at in range(64))
    bench.show((DARK,) * 64)
    bench.node.flip(bit)
    bench.show(frame, 0.5)
    assert bench.show(frame, 0.5 + REFRESH) == frame


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_noise_between_two_frames_does_not_reach_the_second(model: Model) -> None:
    bench = Bench(4, model=model)
    bench.string.hear(NOISE, 3e6)
    frame = tuple(Colour(at, 2, 3) for at in range(4))
    assert bench.show(frame) == frame


# ------------------------------------------------------------------------------------ the beginning, the end


def test_a_new_string_is_dark_before_anything_is_shown() -> None:
    bench = Bench(3)
    bench.show((WHITE,) * 3)
    RgbString(Ws2812(MAIN, 3), PLENTY, opener({MAIN: bench.node}))
    assert bench.string.colours() == (DARK,) * 3


def test_a_closed_string_is_dark_and_closing_again_does_nothing() -> None:
    bench = Bench()
    bench.show((WHITE,) * 64)
    bench.output.close()
    assert bench.string.colours() == (DARK,) * 64
    before = bench.node.transfers
    bench.output.close()
    assert bench.node.transfers == before


def test_a_string_that_was_closed_writes_nothing_even_if_the_bus_would_take_it() -> None:
    bus = Recorder()
    output = RgbString(Ws2812(MAIN, 1), PLENTY, lambda _spi, _clock: bus)
    output.close()
    before = len(bus.lengths)
    output.close()
    assert len(bus.lengths) == before


def test_a_string_of_unknown_channels_fails_once_and_not_again_when_it_is_forgotten() -> None:
    with pytest.raises(KeyError, match="W"):
        RgbString(Ws2812(MAIN, 1, "RGW"), PLENTY, lambda _spi, _clock: Recorder())
    gc.collect()


def test_a_string_that_cannot_be_written_says_so_and_is_dark_once_it_can_again() -> None:
    bench = Bench()
    bench.show((WHITE,) * 64)
    bench.node.present = False
    with pytest.raises(LinkLost, match=r"^The lamps on /dev/spidev0\.0 cannot be reached: Input/output error\.$"):
        bench.show((DARK,), 0.5)
    bench.node.present = True
    bench.output.close()
    assert bench.string.colours() == (DARK,) * 64


def test_a_string_that_is_gone_can_be_closed() -> None:
    bench = Bench()
    bench.node.present = False
    bench.output.close()
    bench.output.close()


def test_a_string_that_cannot_be_written_from_the_start_is_no_string() -> None:
    node = Node(String(1))

    def open_and_lose(spi: Spi, clock: int) -> Wire:
        wire = opener({MAIN: node})(spi, clock)
        node.present = False
        return wire

    with pytest.raises(LinkLost, match="cannot be reached"):
        RgbString(Ws2812(MAIN, 1), PLENTY, open_and_lose)


ENDINGS = """
import atexit, gc, sys
from reedlight.adapters.luma_rgb import RgbString
from reedlight.board.profile import Spi, Ws2812
from reedlight.ports import Display
from reedlight.scene.palette import Colour
from reedlight.scene.render import WS2812
from reedlight_sim.spi import Node, String, opener
string = String(4)
node = Node(string)
def tell():
    print(sum(map(sum, string.colours())), node.transfers - at_the_end, "_rpi_ws281x" in sys.modules)
atexit.register(tell)
output = RgbString(Ws2812(Spi(0, 0), 4), WS2812, opener({Spi(0, 0): node}))
output.show(Display((Colour(1, 1, 1),) * 4, frozenset(), ()), 0.0)
END
at_the_end = node.transfers
del output
gc.collect()
"""


def ended(how: str) -> subprocess.CompletedProcess[str]:
    """A program of its own that ends in some way; it says how much light is left, and what was written at the end."""
    return subprocess.run(  # noqa: S603  # our own interpreter
        [sys.executable, "-W", "error", "-c", ENDINGS.replace("END", how)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_a_program_that_has_closed_its_string_ends_without_a_word_to_the_lamps() -> None:
    done = ended("output.close()")
    assert (done.stdout, done.stderr, done.returncode) == ("0 0 False\n", "", 0)


def test_a_program_that_forgot_to_close_its_string_leaves_it_dark_without_the_library_that_crashes() -> None:
    done = ended("pass")
    assert (done.stdout, done.stderr, done.returncode) == ("0 1 False\n", "", 0)


def test_a_program_whose_string_was_lost_ends_in_silence() -> None:
    done = ended("node.present = False")
    assert (done.stdout, done.stderr, done.returncode) == ("12 0 False\n", "", 0)
