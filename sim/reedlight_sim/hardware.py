"""Hardware: the deeper depths, on which the real adapters run above simulated pins, buses and a Pico.

                    depth pins                                 depth firmware
    switches        GpioSwitches on mock pins                  the firmware in MicroPython on a terminal
    buttons, lamps  real adapters, on mock pins and a bus that lights lamps bit by bit    (both)

What a Pico reads and lights is wired to mock pins of its own at the depth *pins*: the adapters are the
Raspberry Pi's then, the matrix, the buttons and every lamp are the board's. A board without a Pico is at the
depth *firmware* what it is at *pins*.

Pins and buses live in the table's time. The firmware is a process of its own and lives in real time, so the
two are kept in step: whenever a button or, for longer than a bounce, a switch of the world has changed, the
table waits, in real time, until the firmware has reported what it sees.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from select import select

from reedlight.adapters.boards import Machine, panel, rig
from reedlight.adapters.buttons import GpioButtonLamps, GpioButtons
from reedlight.adapters.gpio import GpioSwitches
from reedlight.adapters.luma_mono import Part, chains
from reedlight.app.profiles import profile
from reedlight.board.fit import Kind, fit, placement
from reedlight.board.profile import (
    ConfigError,
    DiceDigits,
    DiceModules,
    Expander,
    Gpio,
    Matrix,
    Max7219,
    Pico,
    PicoPins,
    PiPins,
    Profile,
    Reader,
    Segments,
    Spi,
    Ws2812,
)
from reedlight.board.toml import load_packaged
from reedlight.core.grid import Grid
from reedlight.ports import Closed, Display, Down, Input, LinkLost, Output, Report
from reedlight.scene.palette import Colour
from reedlight.scene.scene import Button, Scene
from reedlight.tabletop import Rig
from reedlight_sim.depths import PORTS, Depth, Ports
from reedlight_sim.i2c import SimulatedBus
from reedlight_sim.pico import SimulatedPico
from reedlight_sim.pins import NO_MATRIX, SimulatedPins
from reedlight_sim.spi import Chain, Node, String, opener
from reedlight_sim.world import World

LIT = Colour(255, 255, 255)
"""How a lamp that is only on or off is told."""
PATIENCE = 30.0
"""Seconds, real ones, in which the firmware has to report what the switches do; it needs some milliseconds."""
SLOWER = 4.0
"""So many real seconds are one to the link: a machine that is busy elsewhere for a moment is no silent board."""
BOUNCE = 0.01
"""Seconds. Switches that change again so soon are bouncing, and nobody waits for what they say meanwhile."""
PICO_GAP, FIRST_ANALOGUE = 23, 26
"""The first pin that a Pico has no pad for, and the next that it has one for."""
LISTEN_EVERY = 0.25
"""Seconds of the table between two looks at the link: twice for each of the board's heartbeats."""
GLANCE = 0.05
"""Seconds, real ones, for which the table waits for one line before it looks whether there is still hope."""


class Simulated:
    """The devices of one board, simulated: its bus, its pins, and what is to be seen on its lamps."""

    def __init__(self, profile: Profile, closed: Callable[[], int]) -> None:
        self._profile = profile
        self.down: frozenset[Button] = frozenset()
        """The buttons that a finger holds down."""
        self.chains = {parts[0].spi: Chain(max(map(_chips, parts))) for parts in chains(profile)}
        lamps = profile.lamps
        self.string = String(lamps.count, lamps.order) if isinstance(lamps, Ws2812) else None
        self.nodes: dict[Spi, Node] = {spi: Node(chain) for spi, chain in self.chains.items()}
        if isinstance(lamps, Ws2812) and self.string:
            self.nodes[lamps.spi] = Node(self.string)
        reader = profile.reader
        self.i2c = SimulatedBus(reader.addresses if isinstance(reader, Expander) else (), closed)
        matrix, buttons = reader.matrix if isinstance(reader, Gpio) else NO_MATRIX, _pins(profile.buttons, PiPins)
        self.pins = SimulatedPins(matrix, closed, {**self._wires(buttons), **self._interrupt_wire(reader)})
        matrix, buttons = _mocked_matrix(reader), _mocked(profile.buttons)
        self.pico_pins = SimulatedPins(matrix, closed, self._wires(buttons.pins))
        """The pins of the Pico, where no firmware runs on it."""

    def machine(self, pico: Callable[[str], str]) -> Machine:
        """The machine that adapters find these devices on."""
        return Machine(lambda: self.pins, opener(self.nodes), self._open_i2c, pico, self.pins.settle)

    def lamps(self) -> Mapping[int, Colour]:
        """The lamps of the board that shine, by their numbers, as read off the bus."""
        lamps = self._profile.lamps
        if self.string:
            return {number: colour for number, colour in enumerate(self.string.colours()) if any(colour)}
        if not isinstance(lamps, Max7219):
            return {}
        lit = self.chains[lamps.spi].lit()
        return {64 * chip + 8 * digit + bit: LIT for chip, digit, bit in lit if chip < lamps.chips}

    def button_lamps(self) -> frozenset[Button]:
        """The buttons whose lamp shines, but for lamps that a firmware lights."""
        match self._profile.button_lamps:
            case PiPins() as lamps:
                return self.pins.lit(lamps)
            case PicoPins() as lamps:
                return self.pico_pins.lit(_mocked(lamps))
            case Segments(spi, chip, digit, bits):
                lit = self.chains[spi].lit()
                return frozenset(Button(name) for name, bit in bits.items() if (chip, digit, bit) in lit)
            case None:
                return frozenset()

    def _open_i2c(self, _bus: int) -> SimulatedBus:
        self.i2c.closed = False
        return self.i2c

    def _wires(self, buttons: Mapping[str, int]) -> Mapping[int, Callable[[], bool]]:
        return {pin: self._is_down(Button(name)) for name, pin in buttons.items()}

    def _is_down(self, button: Button) -> Callable[[], bool]:
        return lambda: bool(self.down) and button in self.down  # mostly none is, which is told sooner

    def _interrupt_wire(self, reader: Reader) -> Mapping[int, Callable[[], bool]]:
        if not isinstance(reader, Expander) or reader.interrupt is None:
            return {}
        return {reader.interrupt: self.i2c.interrupt}


def _pins(parts: PiPins | PicoPins | Segments | None, wanted: type[PiPins | PicoPins]) -> Mapping[str, int]:
    """The pins of buttons or lamps, if they are on this kind of chip."""
    return parts.pins if isinstance(parts, PiPins | PicoPins) and isinstance(parts, wanted) else dict[str, int]()


def _mocked(parts: PiPins | PicoPins | Segments | None) -> PiPins:
    """What is on the Pico, on pins that a Raspberry Pi has as well."""
    return PiPins({name: _mocked_pin(pin) for name, pin in _pins(parts, PicoPins).items()})


def _mocked_matrix(reader: Reader) -> Matrix:
    """The matrix of a Pico on pins that a Raspberry Pi has as well."""
    if not isinstance(reader, Pico):
        return NO_MATRIX
    return Matrix(tuple(map(_mocked_pin, reader.matrix.rows)), tuple(map(_mocked_pin, reader.matrix.columns)))


def _mocked_pin(pin: int) -> int:
    """A Raspberry Pi has 0 to 27, a Pico 0 to 22 and 26 to 28."""
    return pin if pin < FIRST_ANALOGUE else pin - FIRST_ANALOGUE + PICO_GAP


def _chips(part: Part) -> int:
    """How many chips a chain has at least, since this part is on it."""
    match part:
        case Max7219(chips=chips):
            return chips
        case DiceModules(first=first):
            return first + 2
        case DiceDigits(chip=chip) | Segments(chip=chip):
            return chip + 1


# -------------------------------------------------------------------------------------------- depths


class Pins:
    """The real adapters on mock pins and a simulated bus, for any game on any board with enough cells."""

    def __init__(self, profile: Profile, grid: Grid, brightness: float = 1.0) -> None:
        self.layout = fit(grid, profile)
        self.profile = profile
        self.grid = grid
        self.devices: Simulated
        self._brightness = brightness

    @property
    def buttons(self) -> frozenset[Button]:
        """The buttons that can be held down at this depth."""
        return frozenset(map(Button, self.profile.buttons.pins if self.profile.buttons else ()))

    def rig(self, world: World, clock: Callable[[], float]) -> Rig:
        """The ports to this world."""

        def closed() -> int:
            world.samples_until(clock())
            return world.mask

        self.devices = Simulated(self.profile, closed)
        made = rig(self.profile, self.grid, self._brightness, self.devices.machine(_no_pico))
        return _on_pins(made, self.profile, self.devices.pico_pins)

    def hold(self, buttons: frozenset[Button]) -> None:
        """Hold these buttons of the board down and let all others go."""
        self.devices.down = buttons

    def shining(self, scene: Scene, now: float) -> Mapping[int, Colour]:
        """The lamps that shine, as read off the bus, whatever they should show."""
        del scene, now
        return self.devices.lamps()

    def lit_buttons(self) -> frozenset[Button]:
        """The buttons whose lamp shines."""
        return self.devices.button_lamps()

    def close(self) -> None:
        """There is nothing to stop."""


def _no_pico(_serial: str) -> str:
    raise LinkLost("There is no Pico at this depth.")


def _on_pins(made: Rig, profile: Profile, pins: SimulatedPins) -> Rig:
    """A board's rig with the Raspberry Pi's adapters on these pins in place of its Pico, if it has one."""
    reader, buttons, lamps = profile.reader, profile.buttons, profile.button_lamps
    if not isinstance(reader, Pico):
        return made
    matrix = _mocked_matrix(reader)
    inputs: list[Callable[[float], Input]] = [lambda _: GpioSwitches(matrix, pins, pins.settle)]
    inputs += made.inputs[1:]
    outputs = list(made.outputs)
    if isinstance(buttons, PicoPins):
        inputs.append(lambda _: GpioButtons(_mocked(buttons), pins))
    if isinstance(lamps, PicoPins):
        outputs[-1] = lambda _: GpioButtonLamps(_mocked(lamps), pins)
    return replace(made, inputs=tuple(inputs), outputs=tuple(outputs))


class Firmware(Pins):
    """The real firmware behind the real serial adapter; what is not on the Pico is as it is at the depth of pins."""

    def __init__(self, profile: Profile, grid: Grid, brightness: float = 1.0) -> None:
        super().__init__(profile, grid, brightness)
        self.pico: SimulatedPico | None = None

    def rig(self, world: World, clock: Callable[[], float]) -> Rig:
        """The ports to this world, in step with it. Raises NoMicroPython."""
        reader = self.profile.reader
        if not isinstance(reader, Pico):
            return super().rig(world, clock)
        rows, columns = reader.matrix.rows, reader.matrix.columns
        buttons, lamps = _pins(self.profile.buttons, PicoPins), _pins(self.profile.button_lamps, PicoPins)
        pico = self.pico = SimulatedPico(rows, columns, buttons=buttons, lamps=lamps)
        self.devices = Simulated(self.profile, int)
        made = rig(self.profile, self.grid, self._brightness, self.devices.machine(lambda _: pico.path))
        open_link, *others = made.inputs
        wired = frozenset(map(Button, buttons))

        def link(_now: float) -> Input:
            return InStep(open_link(_links_time()), world, pico, lambda: self.devices.down & wired)

        outputs = [_in_real_time(opening) if lamps else opening for opening in made.outputs[-1:]]
        return replace(made, inputs=(link, *others), outputs=(*made.outputs[:-1], *outputs))

    def hold(self, buttons: frozenset[Button]) -> None:
        """Hold these buttons of the board down and let all others go."""
        super().hold(buttons)
        if self.pico:
            self.pico.press(buttons)

    def lit_buttons(self) -> frozenset[Button]:
        """The buttons whose lamp shines."""
        return super().lit_buttons() | (self.pico.lamps if self.pico else frozenset[Button]())

    def close(self) -> None:
        """Stop the firmware."""
        if self.pico:
            self.pico.close()


# ------------------------------------------------------------------------------------ which of them

PREFERRED = {"pins": ("budget-8x8", "hex-61", "oak-8x8"), "firmware": ("oak-8x8", "hex-61")}
"""The packaged boards for each depth, the most usual first."""


def chosen(depth: str, board: str | None, grid: Grid) -> Depth:
    """The depth of this name, on a board by its name or file, or on the packaged one that fits a grid best.

    Raises ConfigError where there is no such board, or none with enough cells.
    """
    if depth == PORTS:
        return Ports(grid) if board is None else OnBoard(profile(board), grid)
    found = profile(board) if board is not None else _best(PREFERRED[depth], grid)
    return (Firmware if depth == "firmware" else Pins)(found, grid)


def _best(names: Sequence[str], grid: Grid) -> Profile:
    """The board on which a game lies most naturally."""
    boards = [load_packaged(name) for name in names]
    large = [board for board in boards if len(board.grid.cells) >= len(grid.cells)]
    if not large:
        raise ConfigError(
            f"no packaged board has the {len(grid.cells)} cells of {grid.name}; name one with --board FILE"
        )
    return min(large, key=lambda board: _NATURAL.index(placement(grid, board).kind))


_NATURAL = tuple(Kind)


class OnBoard(Ports):
    """The world's switches as an input, on a board of a profile; its lamps are only shown on the page."""

    def __init__(self, board: Profile, grid: Grid) -> None:
        super().__init__(grid)
        self.layout = fit(grid, board)
        self.panel = panel(board, grid, 1.0)


# ------------------------------------------------------------------------------------------ real time


def _links_time() -> float:
    return time.monotonic() / SLOWER


class InStep:
    """A link to a simulated Pico that is polled in real time, and tells of it in the table's.

    ``down`` tells which of the Pico's buttons are held.
    """

    def __init__(self, link: Input, world: World, pico: SimulatedPico, down: Callable[[], frozenset[Button]]) -> None:
        self._link = link
        self._world = world
        self._pico = pico
        self._down = down
        self._closed: int | None = None
        self._told: int | None = None
        self._told_down: frozenset[Button] = frozenset()
        self._next = float("-inf")

    @property
    def deadline(self) -> float | None:
        """When the world's switches change next, or the link wants to be heard again."""
        if self._down() != self._told_down:
            return float("-inf")
        change = self._world.next_change
        return self._next if change is None else min(change, self._next)

    def fileno(self) -> int | None:
        """None: what arrives is waited for where it is caused."""
        return None

    def poll(self, now: float) -> Sequence[Report]:
        """What the firmware says of switches and buttons as they are now. Raises LinkLost."""
        self._world.samples_until(now)
        mask, down = self._world.mask, self._down()
        if mask != self._closed:
            self._pico.close_switches(mask)
            self._closed = mask
        self._next = now + LISTEN_EVERY
        reports = self._heard()
        change = self._world.next_change
        bouncing = change is not None and change < now + BOUNCE
        until = time.monotonic() + PATIENCE
        while self._told_down != down or (self._told != mask and not bouncing):
            if time.monotonic() > until:
                raise LinkLost("The simulated firmware does not report what its switches and buttons do.")
            select([file for file in (self._link.fileno(),) if file is not None], [], [], GLANCE)
            reports += self._heard()
        return [replace(report, at=now) for report in reports]

    def _heard(self) -> list[Report]:
        reports = list(self._link.poll(_links_time()))
        for report in reports:
            match report:
                case Closed(mask):
                    self._told = mask
                case Down(buttons):
                    self._told_down = buttons
        return reports

    def close(self) -> None:
        """Let the link go."""
        self._link.close()


def _in_real_time(opening: Callable[[float], Output]) -> Callable[[float], Output]:
    def opened(_now: float) -> Output:
        return InRealTime(opening(_links_time()))

    return opened


class InRealTime:
    """An output on the Pico, which lives in real time."""

    def __init__(self, output: Output) -> None:
        self._output = output

    @property
    def deadline(self) -> float | None:
        """The link's input keeps it going."""
        return None

    def show(self, display: Display, now: float) -> None:
        """Show this, by a clock of its own. Raises LinkLost."""
        del now
        self._output.show(display, _links_time())

    def close(self) -> None:
        """Let it go."""
        self._output.close()
