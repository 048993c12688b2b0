"""A real Chromium, a real ``reedlight-sim play``, and guests who look at its page.

A test is handed ``serve`` and ``visit``. When it is over, every page must have been free of errors and
warnings, and every server must have stopped at once, in silence and with status 0.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

import pytest
from e2e.guest import Guest
from e2e.serving import Server
from playwright.sync_api import Browser, ViewportSize, sync_playwright

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first that is installed: without a window's own pages a page costs half."""
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
LAPTOP = ViewportSize(width=1280, height=800)
PHONE = ViewportSize(width=390, height=844)
QUICK: Mapping[str, Any] = {"viewport": ViewportSize(width=1000, height=640), "reduced_motion": "reduce"}
"""For whole games: a smaller window that stands still is drawn in half the time."""

Serve: TypeAlias = Callable[..., Server]
Visit: TypeAlias = Callable[..., Guest]


@pytest.fixture(scope="session")
def chromium() -> str:
    """Where the browser is. The build machine must have one; elsewhere the tests are skipped without."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found:
        return found
    reason = f"none of {', '.join(BROWSERS)} is installed (Debian: the package chromium)"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    """One browser for a module's tests; no longer, since Playwright's loop would be in the way of asyncio's."""
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        yield launched
        launched.close()


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Starts the program with options such as ``--game herd``."""
    servers: list[Server] = []

    def start(*options: str, port: int = 0) -> Server:
        servers.append(Server(*options, port=port))
        return servers[-1]

    yield start
    faults = [fault for fault in (server.stop() for server in servers if not server.stopped) if fault]
    assert not faults, faults


@pytest.fixture
def visit(browser: Browser, serve: Serve) -> Iterator[Visit]:  # noqa: ARG001  # pages close before their servers
    """Opens a server's page in a browser context of its own; options are those of a context."""
    guests: list[Guest] = []

    def come(server: Server, **options: Any) -> Guest:
        settings: dict[str, Any] = {"viewport": LAPTOP, **options}
        context = browser.new_context(**settings)
        guests.append(Guest.at(context.new_page(), server.url))
        return guests[-1]

    yield come
    for guest in guests:
        guest.page.context.close()
    complaints = [complaint for guest in guests for complaint in guest.complaints]
    assert not complaints, complaints
