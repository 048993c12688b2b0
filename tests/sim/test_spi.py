"""The simulated chips, by their data sheets: what a chain obeys, what a string hears, what noise does to both."""

from __future__ import annotations

import pytest

from reedlight.board.profile import Spi
from reedlight.ports import LinkLost
from reedlight.scene.palette import Colour
from reedlight_sim.spi import (
    CORE_CLOCKS,
    DARK,
    MODELS,
    SK6812,
    WS2812B,
    WS2812B_V5,
    Chain,
    Model,
    Node,
    String,
    Wire,
    divided,
    opener,
)

DECODE, INTENSITY, SCAN_LIMIT, SHUTDOWN, TEST = 9, 10, 11, 12, 15
AWAKE = ((SCAN_LIMIT, 7), (SHUTDOWN, 1))


def chain_of(chips: int, *words: tuple[int, int]) -> tuple[Chain, Wire]:
    """A chain whose chips have all obeyed these words, and a wire to it."""
    chain = Chain(chips)
    wire = Node(chain).open(1_000_000)
    for word in words:
        wire.writebytes(word * chips)
    return chain, wire


# ------------------------------------------------------------------------------------------- MAX7219


def test_a_chip_wakes_up_asleep_and_dark() -> None:
    chain, wire = chain_of(1)
    wire.writebytes([1, 0xFF])
    assert not chain.lit()
    assert chain.intensity(0) == 0


def test_a_chip_shows_its_digits_once_it_is_awake() -> None:
    chain, _ = chain_of(1, *AWAKE, (1, 0b1000_0001), (8, 0b0001_0000))
    assert chain.lit() == {(0, 0, 0), (0, 0, 7), (0, 7, 4)}


def test_digits_beyond_the_scan_limit_are_dark() -> None:
    chain, _ = chain_of(1, (SHUTDOWN, 1), (SCAN_LIMIT, 1), *((digit, 1) for digit in range(1, 9)))
    assert chain.lit() == {(0, 0, 0), (0, 1, 0)}


def test_the_first_word_of_a_transfer_ends_up_in_the_last_chip() -> None:
    chain, wire = chain_of(3, *AWAKE)
    wire.writebytes([1, 0x01, 1, 0x02, 1, 0x04])
    assert chain.lit() == {(2, 0, 0), (1, 0, 1), (0, 0, 2)}


def test_a_short_transfer_pushes_the_old_words_on_by_a_chip() -> None:
    chain, wire = chain_of(2, *AWAKE)
    wire.writebytes([1, 0x01, 2, 0x02])
    wire.writebytes([3, 0x04])
    assert chain.lit() == {(1, 0, 0), (0, 1, 1), (1, 1, 1), (0, 2, 2)}


def test_a_long_transfer_runs_out_at_the_end_of_the_chain() -> None:
    chain, wire = chain_of(1, *AWAKE)
    wire.writebytes([1, 0xFF, 2, 0x01])
    assert chain.lit() == {(0, 1, 0)}


def test_register_zero_does_nothing() -> None:
    chain, wire = chain_of(2, *AWAKE)
    wire.writebytes([0, 0xFF, 1, 0x80])
    assert chain.lit() == {(0, 0, 7)}


def test_the_intensity_is_one_of_sixteen() -> None:
    chain, wire = chain_of(2)
    wire.writebytes([INTENSITY, 0xF3, INTENSITY, 0x0F])
    assert (chain.intensity(1), chain.intensity(0)) == (3, 15)


def test_the_display_test_lights_everything_even_asleep() -> None:
    chain, wire = chain_of(1)
    wire.writebytes([TEST, 1])
    assert len(chain.lit()) == 64
    wire.writebytes([TEST, 0])
    assert not chain.lit()


def test_a_decoding_digit_shows_a_number_and_its_point() -> None:
    chain, _ = chain_of(1, *AWAKE, (DECODE, 0b01), (1, 0x81), (2, 0x81))
    assert chain.lit() == {(0, 0, 4), (0, 0, 5), (0, 0, 7), (0, 1, 0), (0, 1, 7)}  # B, C and the point; as it comes


def test_a_chip_that_forgets_is_dark_and_its_neighbour_is_not() -> None:
    chain, _ = chain_of(2, *AWAKE, (1, 1))
    chain.forget(1)
    assert chain.lit() == {(0, 0, 0)}


def test_noise_may_change_a_register() -> None:
    chain, _ = chain_of(1, *AWAKE)
    chain.disturb(0, TEST, 1)
    assert len(chain.lit()) == 64


def test_noise_may_flip_a_bit_of_the_next_transfer_only() -> None:
    chain = Chain(1)
    node = Node(chain)
    wire = node.open(1_000_000)
    for word in AWAKE:
        wire.writebytes(word)
    node.flip(15)
    wire.writebytes([1, 0])
    assert chain.lit() == {(0, 0, 0)}
    wire.writebytes([1, 0])
    assert not chain.lit()


# -------------------------------------------------------------------------------------------- WS2812

MHZ = 1e6
QUIET = "0" * 3000
"""A millisecond at 3 MHz: every kind of lamp takes it for the end."""


def coded(*channels: int, zero: str = "1000", one: str = "1100") -> str:
    return "".join(one if bit == "1" else zero for channel in channels for bit in f"{channel:08b}")


def test_each_lamp_takes_the_first_bits_it_hears_and_passes_on_the_rest() -> None:
    string = String(3)
    string.hear(coded(1, 2, 3, 4, 5, 6, 7, 8, 9) + QUIET, 3 * MHZ)
    assert string.colours() == (Colour(2, 1, 3), Colour(5, 4, 6), Colour(8, 7, 9))
    assert not string.misread


def test_lamps_that_nothing_was_sent_to_keep_what_they_show_and_what_is_too_much_runs_out() -> None:
    string = String(2)
    string.hear(coded(1, 2, 3, 4, 5, 6, 7, 8, 9) + QUIET, 3 * MHZ)
    string.hear(coded(0, 0, 0) + QUIET, 3 * MHZ)
    assert string.colours() == (DARK, Colour(5, 4, 6))


def test_lamps_wake_up_dark_and_show_nothing_before_a_silence() -> None:
    string = String(1)
    assert string.colours() == (DARK,)
    string.hear(coded(1, 2, 3), 3 * MHZ)
    assert string.colours() == (DARK,)
    string.hear(QUIET, 3 * MHZ)
    assert string.colours() == (Colour(2, 1, 3),)


@pytest.mark.parametrize(("order", "colour"), [("RGB", (1, 2, 3)), ("GRB", (2, 1, 3)), ("BRG", (2, 3, 1))])
def test_the_order_of_channels_is_the_lamps_own(order: str, colour: tuple[int, int, int]) -> None:
    string = String(1, order)
    string.hear(coded(1, 2, 3) + QUIET, 3 * MHZ)
    assert string.colours() == (Colour(*colour),)


@pytest.mark.parametrize(("model", "silence"), [(WS2812B, 50), (SK6812, 80), (WS2812B_V5, 280)], ids=str)
def test_the_silence_that_ends_a_frame_is_longer_for_some(model: Model, silence: int) -> None:
    for lasts, shown in ((silence - 15, DARK), (silence + 1, Colour(2, 1, 3))):
        string = String(1, model=model)
        string.hear(coded(1, 2, 3) + "0" * (3 * lasts), 3 * MHZ)
        assert string.colours() == (shown,)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
@pytest.mark.parametrize("clock", [2.67, 2.94, 3.0, 3.03, 3.07])
def test_four_bits_at_three_megahertz_are_in_every_window(model: Model, clock: float) -> None:
    string = String(1, model=model)
    string.hear(coded(0xA5, 0x0F, 0xFF) + QUIET, clock * MHZ)
    assert string.colours() == (Colour(0x0F, 0xA5, 0xFF),)
    assert not string.misread


@pytest.mark.parametrize(
    ("zero", "one", "clock", "doubting"),
    [
        ("100", "110", 2.4, ["SK6812", "WS2812B-V5"]),
        ("1000", "1100", 3.2, ["WS2812B"]),
        ("1000", "1100", 2.0, ["SK6812", "WS2812B", "WS2812B-V5"]),
    ],
)
def test_other_codes_are_doubtful_to_some(zero: str, one: str, clock: float, doubting: list[str]) -> None:
    found: list[str] = []
    for model in MODELS:
        string = String(1, model=model)
        string.hear(coded(0x55, 0x55, 0x55, zero=zero, one=one) + QUIET, clock * MHZ)
        found += [model.name] if string.misread else []
    assert sorted(found) == doubting


def test_a_gap_within_a_frame_is_written_down() -> None:
    string = String(1)
    string.hear(coded(1, 2), 3 * MHZ)
    string.hear(coded(3) + QUIET, 3 * MHZ)
    assert string.misread == ["low for 11000 ns within a frame"]


def test_a_frame_that_breaks_off_is_written_down_and_leaves_the_lamp_as_it_was() -> None:
    string = String(1)
    string.hear(coded(1, 2, 3) + QUIET, 3 * MHZ)
    string.hear(coded(7, 7) + QUIET, 3 * MHZ)
    assert string.misread == ["16 bits, which is no whole number of lamps"]
    assert string.colours() == (Colour(2, 1, 3),)


def test_a_string_draws_for_its_chips_and_for_its_light() -> None:
    string = String(64)
    assert string.amperes() == pytest.approx(0.064)
    string.hear(coded(*[255] * 192) + QUIET, 3 * MHZ)
    assert string.amperes() == pytest.approx(0.064 + 3.84)


def test_noise_may_change_what_a_lamp_shows() -> None:
    string = String(2)
    string.disturb(1, Colour(9, 9, 9))
    assert string.colours() == (DARK, Colour(9, 9, 9))


# ------------------------------------------------------------------------------------------ the wire


@pytest.mark.parametrize("core", CORE_CLOCKS)
def test_every_raspberry_pi_divides_three_megahertz_from_its_core(core: int) -> None:
    assert 2.94e6 < divided(core, 3_000_000) <= 3.0e6
    assert (core / divided(core, 3_000_000)) % 2 == pytest.approx(0)


def test_a_device_is_opened_by_its_bus_and_number() -> None:
    one, two = Chain(1), Chain(1)
    open_wire = opener({Spi(0, 0): Node(one), Spi(1, 0): Node(two)})
    wire = open_wire(Spi(1, 0), 1_000_000)
    wire.writebytes([TEST, 1])
    assert (len(one.lit()), len(two.lit())) == (0, 64)


def test_a_device_that_is_not_there_cannot_be_opened() -> None:
    with pytest.raises(LinkLost, match=r"There is no /dev/spidev0\.1 on this simulated board\."):
        opener({})(Spi(0, 1), 1_000_000)


def test_a_device_may_go_away_and_come_back() -> None:
    node = Node(Chain(1))
    open_wire = opener({Spi(0, 0): node})
    wire = open_wire(Spi(0, 0), 1_000_000)
    node.present = False
    with pytest.raises(OSError, match="Input/output error"):
        wire.writebytes([0, 0])
    with pytest.raises(LinkLost):
        open_wire(Spi(0, 0), 1_000_000)
    node.present = True
    wire.writebytes([0, 0])
    assert node.transfers == 1


def test_a_wire_refuses_what_spidev_refuses() -> None:
    wire = Node(Chain(1)).open(1_000_000)
    with pytest.raises(TypeError, match="Empty"):
        wire.writebytes([])
    with pytest.raises(OverflowError, match="exceeds 4096 bytes"):
        wire.writebytes(bytes(4097))
    wire.writebytes(bytes(4096))
    wire.close()
    wire.close()
    with pytest.raises(OSError, match="Bad file descriptor"):
        wire.writebytes([0, 0])
