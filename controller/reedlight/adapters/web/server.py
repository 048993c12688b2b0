"""The web page and its server: static files, one WebSocket, and nothing that a GET could change.

    show(view) ──► latest of each type ──► every client, as fast as that client reads
    tell(error) ───────────────────────► every client that is there, and then it is forgotten
    a client's message ──► receive(message) ──► an answer for that client alone, or None

A view is the whole truth of one moment, so only the latest of each type is kept: a slow client never
holds up another and never reads what is already past, and a new client gets the latest at once.

A page on this machine is still reachable by every other page in the same browser. So the server answers
only to the names it was started for (against DNS rebinding), takes a WebSocket only from its own page
(a browser always names the origin), and sends a policy under which a page runs its own files and
nothing else. What a message means is the receiver's business; here it is a JSON object with ``do``.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import inspect
import json
import logging
import socket
from collections.abc import Awaitable, Callable, Mapping
from importlib import resources
from ipaddress import ip_address
from typing import Any, TypeAlias, cast
from urllib.parse import urlsplit

from aiohttp import WSCloseCode, WSMsgType, web

Message: TypeAlias = Mapping[str, Any]
"""A JSON object: with ``type`` towards the page, with ``do`` from it."""
Answer: TypeAlias = Message | None
Receive: TypeAlias = Callable[[Message], Answer | Awaitable[Answer]]
"""What is called with every well-formed message; its answer goes to that client alone."""

LOOPBACK = frozenset(("localhost", "127.0.0.1", "::1"))
LARGEST_MESSAGE = 64 * 1024
"""Bytes; the longest honest message, a slide over every cell, has a few thousand."""
HEARTBEAT = 20.0
"""Seconds between pings; a client that has vanished without a word is dropped after half as much again."""

GOODBYE = 1.0
"""Seconds that a closing server waits for a client to take its leave."""

_CONTENT_TYPES = {
    "html": "text/html",
    "css": "text/css",
    "js": "text/javascript",
    "svg": "image/svg+xml",
}
_POLICY = (
    "default-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
)
_HEADERS = {
    "Content-Security-Policy": "; ".join(_POLICY),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
    "Referrer-Policy": "no-referrer",
    "Server": "Reedlight",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_MALFORMED = {"type": "error", "text": 'That was no message: a JSON object with a text "do" is expected.'}
_FAILED = {"type": "error", "text": "That could not be done; the board's log says why."}

_log = logging.getLogger(__name__)


class PortInUse(RuntimeError):
    """The page's port cannot be opened; the message says which one and what to do."""


class Page:
    """The page on one port. ``show`` may be called at any time, before the start too."""

    def __init__(self, receive: Receive, port: int, host: str = "127.0.0.1") -> None:
        self._receive = receive
        self._port = port
        self._host = host
        self._names = LOOPBACK | {host.lower()} | (frozenset[str]() if host.lower() in LOOPBACK else _own_names())
        self._files = _page_files()
        self._latest: dict[str, str] = {}
        self._clients: set[_Client] = set()
        self._runner: web.AppRunner | None = None

    @property
    def url(self) -> str:
        """Where a browser finds the page; with port 0 only known once it is started."""
        host = f"[{self._host}]" if ":" in self._host else self._host
        return f"http://{host}:{self._port}/"

    def application(self) -> web.Application:
        """The page as an aiohttp application, for a server or a test client of one's own."""
        app = web.Application(middlewares=[self._check_name])
        app.router.add_get("/", self._serve)
        app.router.add_get("/ws", self._talk, allow_head=False)
        app.router.add_get("/{name}", self._serve)
        app.on_response_prepare.append(_add_headers)
        app.on_shutdown.append(self._say_goodbye)
        return app

    async def start(self) -> None:
        """Opens the port. Raises PortInUse where that fails."""
        runner = web.AppRunner(self.application(), access_log=None, shutdown_timeout=1.0)
        await runner.setup()
        try:
            await web.TCPSite(runner, self._host, self._port).start()
        except OSError as error:
            await runner.cleanup()
            raise PortInUse(_why_not(error, self._host, self._port)) from error
        self._runner = runner
        self._port = runner.addresses[0][1]

    async def close(self) -> None:
        """Says goodbye to every client and frees the port; does nothing where it is not open."""
        runner, self._runner = self._runner, None
        if runner:
            await runner.cleanup()

    def show(self, message: Message) -> None:
        """Shows a message to every client, now and on arrival, until the next one of its type."""
        self._latest[message["type"]] = text = _as_text(message)
        self._offer(message["type"], text)

    def tell(self, message: Message) -> None:
        """Tells a message to every client that is there now, and to none that comes later."""
        self._offer(message["type"], _as_text(message))

    def _offer(self, kind: str, text: str) -> None:
        for client in self._clients:
            client.offer(kind, text)

    # ------------------------------------------------------------------------------ answers to requests

    @web.middleware
    async def _check_name(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        if not self._answers_to(_name_of(request.host)):
            raise web.HTTPForbidden(text="This board answers only to its own name.\n")
        return await handler(request)

    def _answers_to(self, name: str) -> bool:
        """Whether this is a name of the board; where the network may come in, its numbers are names too.

        A page of somebody else's can make its own name mean this board, but no number.
        """
        return name in self._names or (self._host.lower() not in LOOPBACK and _is_number(name))

    async def _serve(self, request: web.Request) -> web.Response:
        name = request.match_info.get("name", "index.html")
        if name not in self._files:
            raise web.HTTPNotFound(text="There is no such page.\n")
        content_type = _CONTENT_TYPES[name.rpartition(".")[2]]
        return web.Response(body=self._files[name], content_type=content_type, charset="utf-8")

    async def _talk(self, request: web.Request) -> web.StreamResponse:
        if request.headers.get("Origin") != f"{request.scheme}://{request.host}":
            raise web.HTTPForbidden(text="Only the board's own page may speak to it.\n")
        socket = web.WebSocketResponse(heartbeat=HEARTBEAT, max_msg_size=LARGEST_MESSAGE)
        with contextlib.suppress(ConnectionError):  # who asks may be gone before the answer
            await socket.prepare(request)
            # Only a lost connection has no transport, and `prepare` has just used this one.
            await self._converse(_Client(socket, cast("asyncio.Transport", request.transport), self._latest))
        return socket

    async def _converse(self, client: _Client) -> None:
        self._clients.add(client)
        sending = asyncio.create_task(client.send_all())
        try:
            await self._listen(client)
        finally:
            self._clients.discard(client)
            sending.cancel()

    async def _listen(self, client: _Client) -> None:
        async for frame in client.socket:
            message = _message_in(frame.data) if frame.type is WSMsgType.TEXT else None
            answer = _MALFORMED if message is None else await self._answer(message)
            if answer:
                client.offer(answer["type"], _as_text(answer))
            await asyncio.sleep(0)  # a client that sends without a pause must not keep the others waiting

    async def _answer(self, message: Message) -> Answer:
        """The receiver's answer; a fault of ours is logged and said in a sentence, and play goes on."""
        try:
            answer = self._receive(message)
            return await answer if inspect.isawaitable(answer) else answer
        except Exception:  # noqa: BLE001  # whatever failed, a page gets a sentence and the log the reason
            _log.exception("The page's message %r failed", message)
            return _FAILED

    async def _say_goodbye(self, _: web.Application) -> None:
        await asyncio.gather(*(client.say_goodbye() for client in self._clients))


class _Client:
    """One open page: what it has not been sent yet, at most one message of each type."""

    def __init__(self, socket: web.WebSocketResponse, transport: asyncio.Transport, latest: Mapping[str, str]) -> None:
        self.socket = socket
        self._transport = transport
        self._unsent = dict(latest)
        self._news = asyncio.Event()
        self._news.set()

    def offer(self, kind: str, text: str) -> None:
        """Has a message sent, in place of an unsent one of its kind."""
        self._unsent[kind] = text
        self._news.set()

    async def send_all(self) -> None:
        """Sends what is offered, as fast as the client reads, until it is gone."""
        with contextlib.suppress(ConnectionError):
            while True:
                await self._news.wait()
                self._news.clear()
                while self._unsent:
                    await self.socket.send_str(self._unsent.pop(next(iter(self._unsent))))

    async def say_goodbye(self) -> None:
        """Closes the socket; a client that does not even read that is cut off."""
        try:
            async with asyncio.timeout(GOODBYE):
                await self.socket.close(code=WSCloseCode.GOING_AWAY, message=b"The board is closing.")
        except TimeoutError:
            self._transport.abort()


def _page_files() -> dict[str, bytes]:
    folder = resources.files("reedlight.adapters.web") / "page"
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.name.rpartition(".")[2] in _CONTENT_TYPES}


async def _add_headers(_: web.Request, response: web.StreamResponse) -> None:
    response.headers.update(_HEADERS)


def _name_of(authority: str) -> str:
    """The host in a Host header, without port and brackets; empty where it is none."""
    try:
        return urlsplit(f"//{authority}").hostname or ""
    except ValueError:
        return ""


def _own_names() -> frozenset[str]:
    """What this machine calls itself in its network."""
    name = socket.gethostname().lower()
    return frozenset((name, f"{name.partition('.')[0]}.local"))


def _is_number(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _message_in(text: str) -> Message | None:
    """The message a client sent, or None where it is none."""
    try:
        message: Any = json.loads(text)
    except (ValueError, RecursionError):
        return None
    match message:
        case {"do": str()}:
            return message
        case _:
            return None


def _as_text(message: Message) -> str:
    # In ASCII, so that half a surrogate pair, which UTF-8 cannot send, does no harm.
    return json.dumps(message, separators=(",", ":"))


_REASONS = {
    errno.EADDRINUSE: "another program has it; stop that one, or choose another port",
    errno.EACCES: "it is reserved for the system; choose one from 1024 up",
    errno.EADDRNOTAVAIL: "this machine has no such address",
}


def _why_not(error: OSError, host: str, port: int) -> str:
    reason = _REASONS.get(error.errno or 0, error.strerror or str(error))
    return f"The page cannot open port {port} on {host}: {reason}."
