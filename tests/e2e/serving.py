"""The program under test as its owner starts it: ``reedlight-sim play`` in a process of its own."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

COMMAND = Path(sys.executable).with_name("reedlight-sim")
SECONDS_TO_STOP = 10.0
_URL = re.compile(r"http://127\.0\.0\.1:(\d+)/")


class Server:
    """A running ``reedlight-sim play``; with port 0 the system chooses a free one."""

    def __init__(self, *options: str, port: int = 0) -> None:
        self._process = subprocess.Popen(  # noqa: S603  # the project's own command
            [str(COMMAND), "play", "--no-browser", "--port", str(port), *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        greeting = self._process.stdout.readline()
        found = _URL.search(greeting)
        if found is None:
            _, complaint = self._process.communicate(timeout=SECONDS_TO_STOP)
            raise AssertionError(f"reedlight-sim play did not say where it is: {greeting!r} {complaint!r}")
        self.url = found.group()
        self.port = int(found.group(1))

    @property
    def stopped(self) -> bool:
        """Whether it was stopped already."""
        return self._process.returncode is not None

    def stop(self) -> str:
        """Ends it as a service manager does, and tells what is wrong about the way it went; empty if nothing."""
        if self._process.poll() is not None:
            return f"it had already ended with status {self._process.returncode}"
        self._process.terminate()
        try:
            complaint = self._complaint()
        except subprocess.TimeoutExpired:
            self._process.kill()
            return f"it did not stop within {SECONDS_TO_STOP} s: {self._complaint()}"
        status = self._process.returncode
        return "" if status == 0 and not complaint else f"it ended with status {status} and said: {complaint}"

    def _complaint(self) -> str:
        return self._process.communicate(timeout=SECONDS_TO_STOP)[1]
