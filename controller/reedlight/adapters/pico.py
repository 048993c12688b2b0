"""The Pico at the end of a USB cable: it reads the matrix and the buttons, and lights the buttons' lamps.

    opened ──h──► waiting ──H──► joined ──S, S, S …──► Closed, Down      a report when something differs
                     │             │ │
                     │ 1.5 s       │ └ s every second, at once after a bad or a missing line
                     ▼             ▼ 1.5 s without a new S
                  LinkLost      LinkLost

Every line from the board carries the whole state, so nothing is acknowledged, and a lost line is healed by
the next. The board numbers its lines. One that does not lie ahead of the last is old, a repetition, and is
left out; one further ahead than the next tells of lines that are missing, and the state is asked for. A
board that was reset counts from its start again: its hello says so, and if that is lost, the lines that
seem old make this end ask for one.

Nothing here waits. What the port does not take at once is kept, with nothing behind it, and goes on a little
later; what became due meanwhile is said afterwards, as it is then. What the switches mean, and opening the
port anew, are the business of others.
"""

from __future__ import annotations

import errno
import io
import os
import re
import termios
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol

import serial
from serial.tools import list_ports
from serial.tools.list_ports_common import ListPortInfo

from reedlight.board.profile import BUTTONS, Pico, PicoPins
from reedlight.core.quoting import quoted
from reedlight.ports import Closed, Display, Down, LinkLost, Report
from reedlight.scene.scene import Button
from reedlight.wire.codec import SEQUENCES, Decoder, Received, Speaker, encode
from reedlight.wire.message import (
    FIRMWARE,
    PROTOCOL,
    AskCounters,
    AskHello,
    AskLines,
    AskScan,
    AskState,
    Counters,
    FromProgram,
    Hello,
    Light,
    LineTest,
    Message,
    OtherHello,
    Refusal,
    ScanTest,
    State,
)

USB_ID = (0x2E8A, 0x0005)
"""The vendor and product by which MicroPython goes on the USB, on a Pico as on a Pico 2."""

HELLO_WITHIN = 1.5
"""Seconds for the hello after opening; a board that is still starting is found at the next opening."""
HELLO_AGAIN = 0.5
"""Seconds until the hello is asked for again: the first question may have joined what another program left."""
SILENCE = 1.5
"""Seconds without a new state after which the link is lost: three of the board's heartbeats."""
ASK_EVERY = 1.0
"""Seconds between two questions for the state; the board wants to hear something every 2 s."""
ASK_AGAIN = 0.1
"""Seconds that a question waits for its answer before a broken line makes another one."""
LIGHT_EVERY = 1.0
"""Seconds after which the lamps are told again, should the line have been lost."""
WRITE_AGAIN = 0.05
"""Seconds until a full port is tried again."""
READ_EVERY = 0.02
"""Seconds between two looks at a port that has no file to watch."""

_CHUNK = 4096  # bytes read at a time: what the system keeps for a port
_BEGINNING = 1000  # bytes of an unknown device that are kept to tell what it seems to be
_SPEED = 115200  # bits a second; USB has none of its own, but the system wants to be told one
_NEVER = float("inf")
_PROMPT = b">>>"
_NEW_LINE = b"\r\n"  # ends what another program began to say, and makes a MicroPython prompt show itself


# ------------------------------------------------------------------------------------------- finding


def find(serial_number: str = "", ports: Callable[[], Iterable[ListPortInfo]] = list_ports.comports) -> str:
    """The device path of the Pico with this USB serial number, or of the only one there is. Raises LinkLost."""
    try:
        plugged = sorted((port for port in ports() if port.vid is not None), key=lambda port: port.device)
    except (OSError, TypeError, ValueError) as error:  # pyserial trips over a device that leaves while it looks
        raise LinkLost("The USB devices cannot be listed just now.") from error
    picos: dict[str, ListPortInfo] = {}
    for port in plugged:
        if (port.vid, port.pid) == USB_ID:
            picos.setdefault((port.serial_number or port.device).casefold(), port)
    chosen = [port for key, port in picos.items() if serial_number.casefold() in ("", key)]
    if len(chosen) == 1:
        return chosen[0].device
    raise LinkLost(_not_found(serial_number, list(picos.values()), plugged))


def _not_found(serial_number: str, picos: Sequence[ListPortInfo], plugged: Sequence[ListPortInfo]) -> str:
    if not picos:
        others = ", ".join(f"{_safe(port.product) or 'something'} at {port.device}" for port in plugged)
        return f"No Pico is plugged in; on the USB there is {others}." if others else "No Pico is plugged in."
    there = ", ".join(f"{_safe(port.serial_number) or 'one without a number'} at {port.device}" for port in picos)
    if serial_number:
        return f"The Pico {serial_number} is not plugged in; there is {there}."
    return f"{len(picos)} Picos are plugged in, {there}; scan.serial in the profile has to say which is the board's."


def _safe(text: str | None) -> str:
    """What a device says of itself, without its control characters."""
    return re.sub(r"[^ -~]", "?", text or "").strip()


# ------------------------------------------------------------------------------------------- the port


class Port(Protocol):
    """A serial port that never makes its caller wait. Reading, writing and discarding raise LinkLost."""

    def read(self) -> bytes:
        """What has arrived; empty if nothing has."""
        ...

    def write(self, line: bytes) -> int:
        """How many bytes were taken, from the first on."""
        ...

    def fileno(self) -> int | None:
        """The file that becomes readable; None if there is none."""
        ...

    def discard(self) -> None:
        """Forget what was taken and has not been sent."""
        ...

    def close(self) -> None:
        """Let the device go."""
        ...


class SerialPort:
    """A device path or a URL of pyserial, for nobody else while it is open. Raises LinkLost when opened."""

    def __init__(self, path: str) -> None:
        self._path = path
        try:
            self._serial = serial.serial_for_url(path, _SPEED, timeout=0, exclusive=True)
        except (OSError, ValueError, termios.error) as error:
            raise LinkLost(_not_opened(path, error)) from error
        try:
            self._file = self._serial.fileno()
        except io.UnsupportedOperation:
            self._file = None

    def read(self) -> bytes:
        """What has arrived. Not by the system's own call, to which a silent and a lost device look the same."""
        try:
            return self._serial.read(_CHUNK)
        except OSError as error:
            raise self._broken() from error

    def write(self, line: bytes) -> int:
        """How much was taken. Not by pyserial's own method, which does not come back while a port is full."""
        try:
            return (self._serial.write(line) or 0) if self._file is None else os.write(self._file, line)
        except BlockingIOError:
            return 0
        except OSError as error:
            raise self._broken() from error

    def fileno(self) -> int | None:
        """The file that becomes readable; None for a URL without one."""
        return self._file

    def discard(self) -> None:
        """Forget what was taken and has not been sent: closing a device that hangs would wait for it."""
        try:
            self._serial.reset_output_buffer()
        except (OSError, termios.error) as error:
            raise self._broken() from error

    def close(self) -> None:
        """Let the device go."""
        with suppress(OSError):
            self._serial.close()

    def _broken(self) -> LinkLost:
        return LinkLost(f"{self._path} broke off: the board was unplugged or reset, or another program reads there.")


_LEFT = "The device at {path} has left."
_USED = "Another program uses {path}."
_NOT_OPENED: Mapping[object, str] = MappingProxyType(
    {
        errno.EACCES: "This user may not use {path}; whoever is in the group dialout may.",
        errno.EAGAIN: _USED,
        errno.EBUSY: _USED,
        errno.ENOENT: "There is no {path}; is the board plugged in?",
        errno.ENODEV: _LEFT,
        errno.ENXIO: _LEFT,
        errno.EIO: _LEFT,
    }
)


def _not_opened(path: str, error: Exception) -> str:
    number = error.args[0] if error.args else None
    if (sentence := _NOT_OPENED.get(number)) is None:
        return f"{path} cannot be opened as a serial port: {error}."
    return sentence.format(path=path)


# ------------------------------------------------------------------------------------ both directions


class _Numbers:
    """The numbers of the board's lines, as far as they were heard."""

    def __init__(self) -> None:
        self.missed = 0
        self._last = 0

    def begin(self, sequence: int) -> None:
        """Count on from this line, whatever came before."""
        self._last = sequence

    def ahead(self, sequence: int) -> int:
        """How far a line lies ahead of the last one: 1 for the next, 0 for the same, less for an older one."""
        half = SEQUENCES // 2
        ahead = (sequence - self._last + half) % SEQUENCES - half
        if ahead > 0:
            self.missed += ahead - 1
            self._last = sequence
        return ahead


class _Mouth:
    """Says lines to the board; keeps what the port has not taken."""

    def __init__(self, port: Port) -> None:
        self._port = port
        self._sequence = 0
        self._rest = b""

    @property
    def full(self) -> bool:
        """Whether the port has not taken everything."""
        return bool(self._rest)

    def say(self, message: FromProgram) -> None:
        """Say this after everything that was said before."""
        self._rest += _NEW_LINE if isinstance(message, AskHello) else b""
        self._rest += encode(message, self._sequence)
        self._sequence = (self._sequence + 1) % SEQUENCES
        self.go_on()

    def go_on(self) -> None:
        """Give the port what it has not taken."""
        if self._rest:
            self._rest = self._rest[self._port.write(self._rest) :]


# ------------------------------------------------------------------------------------------- the link


@dataclass(frozen=True, slots=True)
class Wiring:
    """What of a profile is on the Pico; buttons and lamps that are not are neither reported nor lit."""

    reader: Pico
    buttons: PicoPins | None = None
    lamps: PicoPins | None = None


class PicoLink:
    """One Pico as an input, and as an output for its buttons' lamps. Times are seconds, and never go back."""

    def __init__(self, path: str, wiring: Wiring, now: float, open_port: Callable[[str], Port] = SerialPort) -> None:
        self._path = path
        self._reader = wiring.reader
        self._buttons = 0 if wiring.buttons is None else _mask(wiring.buttons.pins)
        self._lamps = 0 if wiring.lamps is None else _mask(wiring.lamps.pins)

        self._decoder = Decoder(Speaker.BOARD)
        self._numbers = _Numbers()
        self._beginning = b""
        self._talks = False
        self._hello: Hello | None = None
        self._notices: tuple[str, ...] = ()
        self._state: State | None = None
        self._reports: list[Report] = []

        self._lines: dict[int, LineTest] = {}
        self._rows: dict[int, ScanTest] = {}
        self._counters: Counters | None = None
        self._refusal = ""
        self._wanted: list[FromProgram] = []
        self._doubted = False
        self._lit = 0

        self._asked_at = self._looked_at = self._write_at = now
        self._ask_at = now + HELLO_AGAIN
        self._light_at = _NEVER
        self._expires = now + HELLO_WITHIN
        self._expired = False

        self._port: Port | None = open_port(path)
        self._mouth = _Mouth(self._port)
        try:
            self._mouth.say(AskHello())
        except LinkLost:
            self.close()
            raise

    # ------------------------------------------------------------------------- as input and output

    @property
    def deadline(self) -> float:
        """When to poll next even if nothing arrives."""
        due = self._write_at if self._mouth.full else min(self._ask_at, self._light_at)
        look_at = self._looked_at + READ_EVERY if self.fileno() is None else _NEVER
        return min(due, look_at, self._expires)

    def fileno(self) -> int | None:
        """The file of the port; None for one without, and once it is closed."""
        return None if self._port is None else self._port.fileno()

    def poll(self, now: float) -> Sequence[Report]:
        """What changed since the last poll; everything once the board has said what it is. Raises LinkLost."""
        self._listen(now)
        if now >= self._expires:
            self._expired = True
            raise LinkLost(self._silent())
        self._speak(now)
        reports = tuple(self._reports)
        self._reports.clear()
        return reports

    def show(self, display: Display, now: float) -> None:
        """Light the lamps of these buttons. Raises LinkLost."""
        lit = _mask(button.value for button in display.buttons) & self._lamps
        if lit != self._lit:
            self._lit = lit
            self._light_at = _NEVER if self._hello is None else now
        self._speak(now)

    def close(self) -> None:
        """Turn the lamps off, unless the board hangs, and let the port go."""
        if (port := self._port) is None:
            return
        self._port = None
        with suppress(LinkLost):
            if self._expired or self._mouth.full:
                port.discard()
            elif self._lit:
                self._mouth.say(Light(0))
        port.close()

    # --------------------------------------------------------------------------------- for a doctor

    @property
    def hello(self) -> Hello | None:
        """What the board has said that it is; None before."""
        return self._hello

    @property
    def notices(self) -> Sequence[str]:
        """Sentences for the owner on what is odd about this board, though it can be played on."""
        return self._notices

    @property
    def bad(self) -> int:
        """How many lines of the board were broken."""
        return self._decoder.bad

    @property
    def missed(self) -> int:
        """How many lines of the board did not arrive whole, by their numbers."""
        return self._numbers.missed

    def ask_lines(self, now: float) -> None:
        """Ask for the line test, and forget the last one. Raises LinkLost."""
        self._lines.clear()
        self._want(AskLines(), now)

    def ask_scan(self, now: float) -> None:
        """Ask for the scan test, and forget the last one. Raises LinkLost."""
        self._rows.clear()
        self._want(AskScan(), now)

    def ask_counters(self, now: float) -> None:
        """Ask for the counters, and forget the last ones. Raises LinkLost."""
        self._counters = None
        self._want(AskCounters(), now)

    @property
    def lines(self) -> Mapping[int, LineTest]:
        """What the line test has told so far, by line; all of it once there are as many as the matrix has lines."""
        return MappingProxyType(self._lines)

    @property
    def rows(self) -> Mapping[int, ScanTest]:
        """What the scan test has told so far, by row."""
        return MappingProxyType(self._rows)

    @property
    def counters(self) -> Counters | None:
        """What the board has counted; None until it has answered."""
        return self._counters

    @property
    def refusal(self) -> str:
        """Why the board did not do something since a test was last asked for; empty if it did everything."""
        return self._refusal

    # ------------------------------------------------------------------------------------ listening

    def _listen(self, now: float) -> None:
        piece = self._opened().read()
        self._looked_at = now
        if self._hello is None:
            self._beginning += piece[: _BEGINNING - len(self._beginning)]
        bad = self._decoder.bad
        for received in self._decoder.feed(piece):
            self._hear(received, now)
        if self._decoder.bad > bad and self._hello is not None:
            self._hurry(now)

    def _hear(self, received: Received, now: float) -> None:
        message = received.message
        if isinstance(message, OtherHello):
            raise LinkLost(
                f"The firmware of the board at {self._path} speaks protocol {message.protocol} and this program "
                f"protocol {PROTOCOL}; the older of the two has to be brought up to date."
            )
        if isinstance(message, Hello):
            self._join(message, received.sequence, now)
        elif self._hello is None:
            self._talks = True
        else:
            self._follow(message, self._numbers.ahead(received.sequence), now)

    def _join(self, hello: Hello, sequence: int, now: float) -> None:
        """Believe a board that says what it is, for the first time or after a reset."""
        if objection := self._objection(hello):
            raise LinkLost(objection)
        if self._hello is None:
            self._expires = now + SILENCE
        self._hello = hello
        self._notices = tuple(self._oddities(hello))
        self._numbers.begin(sequence)
        self._doubted = False
        self._ask_at = now
        self._light_at = now if self._lamps else _NEVER

    def _follow(self, message: Message, ahead: int, now: float) -> None:
        """Take what a line says if it lies ahead of all that were heard, and ask if it is not just the next."""
        if ahead != 1:
            self._hurry(now)
        if ahead < 0:
            self._doubted = True
        if ahead > 0:
            self._take(message, now)

    def _take(self, message: Message, now: float) -> None:
        if isinstance(message, State):
            self._report(message, now)
        elif isinstance(message, LineTest):
            self._lines[message.line] = message
        elif isinstance(message, ScanTest):
            self._rows[message.row] = message
        elif isinstance(message, Counters):
            self._counters = message
        else:
            assert isinstance(message, Refusal)  # noqa: S101  # a decoder reads nothing else that a board says
            self._refusal = message.text.replace("_", " ")

    def _report(self, state: State, now: float) -> None:
        """Report what differs from what was reported last; at first everything."""
        self._expires = now + SILENCE
        before, self._state = self._state, state
        if before is None or before.closed != state.closed:
            self._reports.append(Closed(state.closed, now))
        pressed = state.down & self._buttons
        if self._buttons and (before is None or before.down & self._buttons != pressed):
            self._reports.append(Down(_buttons(pressed), now))

    # ------------------------------------------------------------------------------------- speaking

    def _hurry(self, now: float) -> None:
        """Ask for the state soon: at once, or when the last question has had the time to be answered."""
        self._ask_at = min(self._ask_at, max(now, self._asked_at + ASK_AGAIN))

    def _want(self, message: FromProgram, now: float) -> None:
        self._refusal = ""
        if message not in self._wanted:
            self._wanted.append(message)
        self._speak(now)

    def _speak(self, now: float) -> None:
        """Say what is due, once the port has taken what was due before."""
        self._opened()
        if self._mouth.full and now < self._write_at:
            return
        self._mouth.go_on()
        if not self._mouth.full:
            for message in self._due(now):
                self._mouth.say(message)
        self._write_at = now + WRITE_AGAIN

    def _due(self, now: float) -> Sequence[FromProgram]:
        due: list[FromProgram] = []
        if now >= self._ask_at:
            joined = self._hello is not None
            due += [AskHello()] if self._doubted or not joined else []
            due += [AskState()] if joined else []
            self._asked_at = now
            self._ask_at = now + (ASK_EVERY if joined else HELLO_AGAIN)
        if now >= self._light_at:
            due.append(Light(self._lit))
            self._light_at = now + LIGHT_EVERY
        if self._hello is not None:
            due += self._wanted
            self._wanted.clear()
        return due

    # ------------------------------------------------------------------------------------ sentences

    def _opened(self) -> Port:
        if self._port is None:
            raise LinkLost(f"{self._path} was closed.")
        return self._port

    def _objection(self, hello: Hello) -> str:
        """Why a board is not the one of the profile; empty if it is."""
        matrix = self._reader.matrix
        rows, columns = len(matrix.rows), len(matrix.columns)
        if (hello.rows, hello.columns) != (rows, columns):
            return (
                f"The firmware of the board at {self._path} reads {hello.rows} rows of {hello.columns} switches, "
                f"but the profile has {rows} rows of {columns}."
            )
        if self._reader.serial and self._reader.serial.casefold() != hello.serial:
            return f"The board at {self._path} is the Pico {hello.serial}, not {self._reader.serial} of the profile."
        return ""

    def _oddities(self, hello: Hello) -> Iterable[str]:
        if _version(hello.version) < _version(FIRMWARE):
            yield f"The board's firmware is {hello.version}, older than {FIRMWARE}, which came with this program."
        if unread := self._buttons & ~hello.buttons:
            names = ", ".join(button.value.upper() for button in Button if button in _buttons(unread))
            yield f"The board's firmware does not read these buttons of the profile: {names}."

    def _silent(self) -> str:
        """What a port that does not say enough seems to be."""
        if self._hello is not None:
            return f"The board at {self._path} has fallen silent."
        if not self._beginning:
            return f"The device at {self._path} is silent; the firmware does not seem to run on it."
        if _PROMPT in self._beginning:
            return f"The Pico at {self._path} shows a MicroPython prompt (>>>); the firmware does not run on it."
        if self._talks:
            return f"The board at {self._path} talks, but does not answer."
        beginning = quoted(self._beginning.decode(errors="replace").strip())
        return f"The device at {self._path} is no board of ours; what it says begins with {beginning}."


def _mask(names: Iterable[str]) -> int:
    return sum(1 << BUTTONS.index(name) for name in names)


def _buttons(mask: int) -> frozenset[Button]:
    return frozenset(Button(name) for bit, name in enumerate(BUTTONS) if mask >> bit & 1)


def _version(text: str) -> tuple[int, ...]:
    """The numbers of a version, for comparing; a version without numbers is older than any."""
    return tuple(int(number) for number in re.findall(r"\d+", text))
