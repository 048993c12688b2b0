"""PCA9555 chips, read by the real driver from a simulated bus; then the simulated chips by themselves."""

from __future__ import annotations

from collections.abc import Callable
from errno import EACCES, EIO, ENOENT, EREMOTEIO
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reedlight.adapters.expander import READ_AT_LEAST, TRIES, ExpanderSwitches, open_i2c
from reedlight.adapters.gpio import RESTLESS, STILL, GpioSwitches
from reedlight.board.profile import Expander, Matrix
from reedlight.ports import Closed, LinkLost
from reedlight_sim.i2c import SimulatedBus
from reedlight_sim.pins import SimulatedPins

FOUR = (0x20, 0x21, 0x22, 0x23)
INTERRUPT = 4
CONFIG = "/boot/firmware/config.txt"


class Table:
    """Switches that a story closes and opens, the chips that they are tied to, and the adapter that reads them."""

    def __init__(self, addresses: tuple[int, ...] = FOUR, interrupt: int | None = INTERRUPT) -> None:
        self.closed = 0
        self.now = 0.0
        self.believed = -1
        self.wired = True
        self.bus = SimulatedBus(addresses, lambda: self.closed)
        self.pins = SimulatedPins(wires={INTERRUPT: lambda: self.wired and self.bus.interrupt()})
        self.switches = ExpanderSwitches(Expander(1, addresses, interrupt), self.bus, self.pins)

    def look(self, after: float | None = None) -> list[int]:
        """What the next look tells, or so many seconds later."""
        self.now = max(self.now, self.switches.deadline or 0.0) if after is None else self.now + after
        told = [report.mask for report in self.switches.poll(self.now)]
        self.believed = told[-1] if told else self.believed
        return told

    def read(self, closed: int) -> int:
        """What is believed once these switches have been closed for two looks."""
        self.closed = closed
        self.look()
        self.look()
        return self.believed

    def readings_of(self, act: Callable[[], object]) -> int:
        """How often the chips are read meanwhile."""
        before = self.bus.transfers
        act()
        return (self.bus.transfers - before) // len(self.bus.chips)


# ------------------------------------------------------------------------------------------- reading


@pytest.mark.parametrize("addresses", [FOUR, (0x20, 0x21, 0x24, 0x25, 0x26, 0x27, 0x22)], ids=["64", "112"])
def test_every_switch_has_a_bit_of_its_own(addresses: tuple[int, ...]) -> None:
    table = Table(addresses)
    switches = range(16 * len(addresses))
    assert [table.read(1 << switch) for switch in switches] == [1 << switch for switch in switches]


@settings(max_examples=60)
@given(st.lists(st.integers(0, (1 << 64) - 1), min_size=1, max_size=5), st.sampled_from([None, INTERRUPT]))
def test_any_sets_of_switches_are_read_exactly(sets: list[int], interrupt: int | None) -> None:
    table = Table(interrupt=interrupt)
    for closed in sets:
        table.closed = closed
        for _ in range(6):
            table.look()
        assert table.believed == closed


def test_there_are_no_ghosts_since_there_is_no_matrix() -> None:
    corners = 1 << 9 | 1 << 13 | 1 << 41
    assert Table().read(corners) == corners


def test_the_first_poll_tells_everything_as_it_stands() -> None:
    table = Table()
    table.closed = 1 << 63 | 1
    assert table.switches.deadline == float("-inf")
    assert table.switches.fileno() is None
    assert table.switches.poll(3.0) == (Closed(1 << 63 | 1, 3.0),)


def test_what_one_reading_saw_alone_is_not_believed() -> None:
    table = Table()
    table.look()
    table.closed = 1
    assert table.look() == []
    table.closed = 0
    assert table.look() == []
    assert [table.look() for _ in range(5)] == [[]] * 5


def test_nothing_is_done_before_the_deadline() -> None:
    for interrupt in (None, INTERRUPT):
        table = Table(interrupt=interrupt)
        table.look()
        table.closed = 1
        assert table.switches.deadline == table.now + STILL
        assert table.readings_of(partial(table.look, after=STILL * 0.9)) == 0
        assert table.readings_of(partial(table.look, after=STILL * 0.2)) == 1


# ------------------------------------------------------------------------------------- the interrupt


def test_quiet_chips_are_not_read_while_the_interrupt_is_silent() -> None:
    table = Table()
    assert table.readings_of(table.look) == 1
    looks = int(READ_AT_LEAST / STILL) - 1
    assert table.readings_of(lambda: [table.look() for _ in range(looks)]) == 0


def test_a_change_is_read_at_the_next_look_and_believed_at_the_one_after() -> None:
    table = Table()
    for _ in range(10):
        table.look()
    table.closed = 1 << 20
    assert table.look() == []
    assert table.look() == [1 << 20]
    assert table.readings_of(lambda: [table.look() for _ in range(9)]) == 0


def test_quiet_chips_are_read_once_a_second_all_the_same() -> None:
    table = Table()
    table.look()
    assert table.readings_of(partial(table.look, after=READ_AT_LEAST)) == 1


def test_a_change_is_found_within_a_second_when_the_wire_of_the_interrupt_is_off() -> None:
    table = Table()
    table.look()
    table.wired = False
    table.closed = 1 << 5
    told = [mask for _ in range(105) for mask in table.look()]
    assert told == [1 << 5]


def test_chips_are_read_at_a_steady_pace_where_no_interrupt_is_wired() -> None:
    table = Table(interrupt=None)
    assert table.readings_of(lambda: [table.look() for _ in range(10)]) == 10


def test_chips_are_read_at_a_steady_pace_where_there_are_no_pins() -> None:
    bus = SimulatedBus(FOUR, lambda: 1)
    switches = ExpanderSwitches(Expander(1, FOUR, INTERRUPT), bus, None)
    assert switches.poll(0.0) == (Closed(1, 0.0),)
    assert switches.deadline == STILL


class Restless(SimulatedBus):
    """A bus on which something happens once, right after a chip was read."""

    def __init__(self, addresses: tuple[int, ...], closed: Callable[[], int]) -> None:
        super().__init__(addresses, closed)
        self.after: dict[int, Callable[[], object]] = {}

    def read_word_data(self, address: int, register: int) -> int:
        """Read as always, then let it happen."""
        word = super().read_word_data(address, register)
        self.after.pop(address, int)()
        return word


def test_a_switch_that_closes_while_the_other_chips_are_read_is_not_forgotten() -> None:
    closed: set[int] = set()
    bus = Restless(FOUR, lambda: sum(1 << switch for switch in closed))
    pins = SimulatedPins(wires={INTERRUPT: bus.interrupt})
    switches = ExpanderSwitches(Expander(1, FOUR, INTERRUPT), bus, pins)
    bus.after[0x20] = partial(closed.add, 3)
    told = [report.mask for look in range(5) for report in switches.poll(look * STILL)]
    assert told == [0, 1 << 3]


# --------------------------------------------------------------------------------------- what goes wrong


def test_one_spoilt_transfer_is_tried_again_in_silence() -> None:
    table = Table()
    table.look()
    table.closed = 1
    table.bus.spoilt = TRIES - 1
    assert table.read(1) == 1


def test_a_chip_that_leaves_is_named_within_a_second() -> None:
    table = Table()
    table.look()
    table.bus.gone.add(0x21)
    with pytest.raises(LinkLost) as lost:
        table.look(after=READ_AT_LEAST)
    assert str(lost.value) == (
        "The chip at 0x21 on I2C bus 1 does not answer (Remote I/O error); "
        "look at its power, its two wires and its address pins."
    )


def test_a_chip_that_is_not_there_is_named_at_once_and_the_bus_is_let_go() -> None:
    bus = SimulatedBus((0x20, 0x21), int)
    with pytest.raises(LinkLost, match="The chip at 0x22 on I2C bus 1 does not answer"):
        ExpanderSwitches(Expander(1, (0x20, 0x22), None), bus, None)
    assert bus.closed


def test_chips_are_told_to_be_inputs_whatever_a_program_before_has_made_of_them() -> None:
    bus = SimulatedBus(FOUR, lambda: 0x00FF)
    bus.write_word_data(0x20, 0x06, 0x0000)
    bus.write_word_data(0x20, 0x04, 0xFFFF)
    switches = ExpanderSwitches(Expander(1, FOUR, None), bus, None)
    assert switches.poll(0.0) == (Closed(0x00FF, 0.0),)


def test_a_busy_pin_of_the_interrupt_is_named_and_the_bus_is_let_go() -> None:
    bus, pins = SimulatedBus(FOUR, int), SimulatedPins()
    pins.busy.add(INTERRUPT)
    with pytest.raises(LinkLost, match=r"^GPIO4 \(interrupt of the expander\) is in use by another program"):
        ExpanderSwitches(Expander(1, FOUR, INTERRUPT), bus, pins)
    assert bus.closed


def test_an_interrupt_that_cannot_be_read_is_one_sentence() -> None:
    def fails() -> bool:
        raise OSError(EIO, "Input/output error")

    pins = SimulatedPins(wires={INTERRUPT: fails})
    switches = ExpanderSwitches(Expander(1, FOUR, INTERRUPT), SimulatedBus(FOUR, int), pins)
    switches.poll(0.0)
    with pytest.raises(LinkLost, match=r"^The interrupt of the expander cannot be read \(Input/output error\)\.$"):
        switches.poll(1.0 - RESTLESS)


def test_closing_lets_the_bus_and_the_pin_go() -> None:
    table = Table()
    table.switches.close()
    table.switches.close()
    assert table.bus.closed
    GpioSwitches(Matrix((INTERRUPT,), (5,)), table.pins).close()


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (
            OSError(ENOENT, "No such file or directory"),
            f"There is no /dev/i2c-1: put dtparam=i2c_arm=on into {CONFIG} and restart the Raspberry Pi.",
        ),
        (
            OSError(EACCES, "Permission denied"),
            "This user may not use /dev/i2c-1 (sudo usermod -aG i2c USER, then log in again).",
        ),
        (OSError(EIO, "Input/output error"), "/dev/i2c-1 cannot be opened (Input/output error)."),
        (OSError("odd"), "/dev/i2c-1 cannot be opened (odd)."),
    ],
)
def test_a_bus_that_cannot_be_opened_is_told_with_what_to_do(wrong: OSError, sentence: str) -> None:
    def refuses(path: str) -> SimulatedBus:
        assert path == "/dev/i2c-1"
        raise wrong

    with pytest.raises(LinkLost) as lost:
        open_i2c(1, refuses)
    assert str(lost.value) == sentence


def test_a_bus_that_opens_is_given() -> None:
    bus = SimulatedBus(FOUR, int)
    assert open_i2c(1, lambda _: bus) is bus


def test_a_bus_of_no_computer_is_not_there() -> None:
    with pytest.raises(LinkLost, match="There is no /dev/i2c-77"):
        open_i2c(77)


# ------------------------------------------------------------------------------ the chips by themselves


def chip(grounded: int = 0) -> SimulatedBus:
    """A bus with one chip, some of its pins tied to ground."""
    return SimulatedBus((0x20,), lambda: grounded)


def test_a_chip_starts_as_sixteen_inputs_that_float_high() -> None:
    bus = chip()
    assert [bus.read_byte_data(0x20, command) for command in range(8)] == [255, 255, 255, 255, 0, 0, 255, 255]
    assert not bus.interrupt()


def test_words_go_to_and_fro_within_a_pair_of_registers() -> None:
    bus = chip(grounded=0x8001)
    assert bus.read_word_data(0x20, 0x00) == 0x7FFE
    assert bus.read_word_data(0x20, 0x01) == 0xFE7F
    bus.write_word_data(0x20, 0x05, 0x1234)
    assert (bus.read_byte_data(0x20, 0x05), bus.read_byte_data(0x20, 0x04)) == (0x34, 0x12)


def test_inputs_can_be_inverted_and_cannot_be_written() -> None:
    bus = chip(grounded=0x0001)
    bus.write_byte_data(0x20, 0x04, 0xFF)
    bus.write_byte_data(0x20, 0x00, 0x55)
    assert bus.read_byte_data(0x20, 0x00) == 0x01


def test_an_output_reads_as_it_drives_and_asks_for_no_attention() -> None:
    bus = chip(grounded=0x0003)
    bus.read_word_data(0x20, 0x01)
    bus.write_byte_data(0x20, 0x02, 0b10)
    bus.write_byte_data(0x20, 0x06, 0b1111_1101)
    assert not bus.interrupt()
    assert bus.read_byte_data(0x20, 0x00) == 0b1111_1110


def test_a_port_asks_for_attention_until_it_is_read_or_is_as_it_was() -> None:
    closed = 0
    bus = SimulatedBus((0x20, 0x21), lambda: closed)
    for address in (0x20, 0x21):
        bus.read_word_data(address, 0x01)
    closed = 1 << 8
    assert bus.interrupt()
    bus.read_byte_data(0x20, 0x02)
    bus.read_byte_data(0x20, 0x00)
    assert bus.interrupt()
    bus.read_byte_data(0x20, 0x01)
    assert not bus.interrupt()
    closed = 0
    assert bus.interrupt()
    closed = 1 << 8
    assert not bus.interrupt()


def test_a_chip_with_its_command_at_0_forgets_a_change_when_another_answers() -> None:
    for command, remembers in ((0x00, False), (0x01, True)):
        closed: set[int] = set()
        bus = SimulatedBus((0x20, 0x21), lambda closed=closed: sum(1 << switch for switch in closed))
        bus.read_word_data(0x20, command)
        closed.add(0)
        bus.read_word_data(0x21, 0x01)
        assert bus.interrupt() is remembers


def test_a_chip_that_is_gone_asks_for_nothing_and_hears_nothing() -> None:
    closed = 0
    bus = SimulatedBus((0x20, 0x21), lambda: closed)
    bus.gone.add(0x20)
    closed = 1
    assert not bus.interrupt()
    bus.read_word_data(0x21, 0x01)
    bus.gone.clear()
    assert bus.interrupt()


def test_commands_and_addresses_that_are_not_there_fail_as_on_a_real_bus() -> None:
    bus = chip()
    for address, command in ((0x20, 8), (0x27, 0)):
        with pytest.raises(OSError, match="Remote I/O error") as wrong:
            bus.read_byte_data(address, command)
        assert wrong.value.errno == EREMOTEIO
    bus.close()
    with pytest.raises(OSError, match="Bad file descriptor"):
        bus.read_byte_data(0x20, 0)
