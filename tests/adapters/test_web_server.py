"""The page's server: what it serves, whom it answers, and what its clients are sent."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import socket
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from aiohttp import (
    ClientSession,
    ClientWebSocketResponse,
    ServerDisconnectedError,
    WSMsgType,
    WSServerHandshakeError,
    web,
)
from aiohttp.test_utils import TestClient, TestServer
from yarl import URL

from reedlight.adapters.web.server import Answer, Message, Page, PortInUse

VIEW = {"type": "view", "say": "Lift a stack."}
MALFORMED = 'That was no message: a JSON object with a text "do" is expected.'

Browser = TestClient[web.Request, web.Application]


def ignore(_: Message) -> Answer:
    return None


def visit(page: Page, story: Callable[[Browser], Awaitable[None]]) -> None:
    """Serves the page to a test client, which tells the story."""

    async def told() -> None:
        async with TestClient(TestServer(page.application())) as browser:
            await story(browser)

    asyncio.run(asyncio.wait_for(told(), 20))


async def open_socket(browser: Browser, origin: str | None = None) -> ClientWebSocketResponse:
    return await browser.ws_connect("/ws", origin=origin or str(browser.make_url("/").origin()))


async def heard(connection: ClientWebSocketResponse) -> Any:
    return await connection.receive_json(timeout=5)


# ---------------------------------------------------------------- files


def test_the_root_is_the_page_and_every_file_it_names_is_served() -> None:
    async def story(browser: Browser) -> None:
        unread, read = ["index.html"], set[str]()
        while unread:
            name = unread.pop()
            answer = await browser.get("/" if name == "index.html" else f"/{name}")
            assert answer.status == 200, name
            read.add(name)
            text = await answer.text()
            named = re.findall(r'(?:src|href)="([\w-]+\.\w+)"|from "\./([\w-]+\.js)"', text)
            unread += {first or second for first, second in named} - read
        assert {"index.html", "style.css", "page.js", "icon.svg", "words.js", "geometry.js"} <= read

    visit(Page(ignore, 0), story)


@pytest.mark.parametrize(
    ("path", "content_type"),
    [
        ("/", "text/html"),
        ("/style.css", "text/css"),
        ("/page.js", "text/javascript"),
        ("/icon.svg", "image/svg+xml"),
    ],
)
def test_each_file_says_what_it_is(path: str, content_type: str) -> None:
    async def story(browser: Browser) -> None:
        answer = await browser.get(path)
        assert (answer.content_type, answer.charset) == (content_type, "utf-8")

    visit(Page(ignore, 0), story)


@pytest.mark.parametrize("path", ["/server.py", "/..%2fserver.py", "/page/index.html", "/nothing.js"])
def test_nothing_else_is_served(path: str) -> None:
    async def story(browser: Browser) -> None:
        assert (await browser.get(path)).status == 404

    visit(Page(ignore, 0), story)


def test_the_files_keep_the_policy_they_are_served_under() -> None:
    async def story(browser: Browser) -> None:
        text = await (await browser.get("/")).text()
        assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\bsrc=)|javascript:|//(?!\s)", text)

    visit(Page(ignore, 0), story)


@pytest.mark.parametrize("path", ["/", "/page.js", "/nothing.js"])
def test_every_answer_carries_the_policy(path: str) -> None:
    async def story(browser: Browser) -> None:
        headers = (await browser.get(path)).headers
        policy = headers["Content-Security-Policy"].split("; ")
        assert {"default-src 'self'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"} <= set(policy)
        assert "unsafe" not in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert headers["Server"] == "Reedlight"

    visit(Page(ignore, 0), story)


# ---------------------------------------------------------------- whom it answers


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost:8080", 200),
        ("LOCALHOST", 200),
        ("127.0.0.1", 200),
        ("[::1]:8080", 200),
        ("rebound.example", 403),
        ("localhost.rebound.example", 403),
        ("127.0.0.1@rebound.example", 403),
        ("192.168.1.7:8080", 403),
        ("[", 403),
    ],
)
def test_it_answers_only_to_the_names_of_this_machine(host: str, status: int) -> None:
    async def story(browser: Browser) -> None:
        assert (await browser.get("/", headers={"Host": host})).status == status

    visit(Page(ignore, 0), story)


def test_a_page_for_the_house_answers_to_its_own_address_too() -> None:
    async def story(browser: Browser) -> None:
        assert (await browser.get("/", headers={"Host": "192.168.1.7:8080"})).status == 200

    visit(Page(ignore, 0, host="192.168.1.7"), story)


@pytest.mark.parametrize("origin", ["http://rebound.example", "https://127.0.0.1", "null", "http://127.0.0.1:1"])
def test_no_other_page_may_open_the_socket(origin: str) -> None:
    async def story(browser: Browser) -> None:
        with pytest.raises(WSServerHandshakeError) as refusal:
            await open_socket(browser, origin)
        assert refusal.value.status == 403

    visit(Page(ignore, 0), story)


def test_a_socket_without_an_origin_is_refused() -> None:
    async def story(browser: Browser) -> None:
        with pytest.raises(WSServerHandshakeError) as refusal:
            await browser.ws_connect("/ws")
        assert refusal.value.status == 403

    visit(Page(ignore, 0), story)


def test_no_get_reaches_the_receiver() -> None:
    received: list[Message] = []

    async def story(browser: Browser) -> None:
        origin = {"Origin": str(browser.make_url("/").origin())}
        for path in ("/", "/?do=new", "/ws?do=new", "/page.js"):
            await browser.get(path, headers=origin)
        assert (await browser.post("/", json={"do": "new"})).status == 405
        assert received == []

    visit(Page(received.append, 0), story)


# ---------------------------------------------------------------- views


def test_a_new_client_gets_the_latest_of_each_type_at_once() -> None:
    page = Page(ignore, 0)
    page.show({"type": "view", "say": "gone by"})
    page.show(VIEW)
    page.show({"type": "marks", "palette": {}})

    async def story(browser: Browser) -> None:
        connection = await open_socket(browser)
        assert [await heard(connection), await heard(connection)] == [VIEW, {"type": "marks", "palette": {}}]

    visit(page, story)


def test_every_client_gets_every_change() -> None:
    page = Page(ignore, 0)

    async def story(browser: Browser) -> None:
        connections = [await open_socket(browser) for _ in range(3)]
        for say in ("first", "second"):
            page.show({"type": "view", "say": say})
            assert [(await heard(connection))["say"] for connection in connections] == [say] * 3

    visit(page, story)


def test_what_is_told_reaches_whoever_is_there_and_nobody_later() -> None:
    page = Page(ignore, 0)
    page.show(VIEW)
    told = {"type": "error", "text": "The board stumbled."}

    async def story(browser: Browser) -> None:
        early = [await open_socket(browser) for _ in range(2)]
        page.tell(told)
        for connection in early:
            assert [await heard(connection), await heard(connection)] == [VIEW, told]
        late = await open_socket(browser)
        page.show({"type": "marks"})
        assert [await heard(late), await heard(late)] == [VIEW, {"type": "marks"}]

    visit(page, story)


def test_what_is_shown_in_between_is_skipped() -> None:
    page = Page(ignore, 0)

    async def story(browser: Browser) -> None:
        connection = await open_socket(browser)
        for number in range(100):
            page.show({"type": "view", "number": number})
        assert (await heard(connection))["number"] == 99

    visit(page, story)


def test_letters_beyond_ascii_arrive_as_they_are() -> None:
    page = Page(ignore, 0)
    page.show({"type": "view", "say": "8 × 8, −1"})

    async def story(browser: Browser) -> None:
        assert await heard(await open_socket(browser)) == {"type": "view", "say": "8 × 8, −1"}

    visit(page, story)


def test_half_a_surrogate_pair_silences_nobody() -> None:
    page = Page(ignore, 0)
    page.show({"type": "view", "say": "\ud800"})

    async def story(browser: Browser) -> None:
        connection = await open_socket(browser)
        assert await heard(connection) == {"type": "view", "say": "\ud800"}
        page.show(VIEW)
        assert await heard(connection) == VIEW

    visit(page, story)


def test_a_client_that_does_not_read_holds_up_nobody_and_is_sent_only_what_is_new() -> None:
    page = Page(ignore, 0)
    heavy, shown = "x" * 100_000, 300

    async def story(browser: Browser) -> None:
        reader, slow = await handshake_by_hand(browser)
        quick = await open_socket(browser)
        for number in range(shown):
            page.show({"type": "view", "number": number, "weight": heavy})
            assert (await heard(quick))["number"] == number
        got = numbers_in(await everything_sent(reader, until=shown - 1))
        assert got[-1] == shown - 1
        assert len(got) < shown / 2
        slow.close()

    visit(page, story)


async def handshake_by_hand(browser: Browser) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await leave_in_the_cable(browser.make_url("/"))


async def leave_in_the_cable(url: URL) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A client that opens the socket and then leaves what comes in the cable."""
    wire = socket.create_connection((url.host or "", url.port or 0))
    wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 17)
    reader, writer = await asyncio.open_connection(sock=wire, limit=1 << 16)
    request = (
        "GET /ws HTTP/1.1",
        f"Host: {url.host}:{url.port}",
        f"Origin: {url.origin()}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    )
    writer.write(("\r\n".join(request) + "\r\n\r\n").encode())
    assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101")
    return reader, writer


def text_frame(text: str) -> bytes:
    """A short text as a client sends it, with a mask of zeros."""
    return bytes((0x81, 0x80 | len(text), 0, 0, 0, 0)) + text.encode()


async def everything_sent(reader: asyncio.StreamReader, until: int) -> bytes:
    sent = bytearray()
    while f'"number":{until},'.encode() not in sent[-(1 << 18) :]:
        sent += await asyncio.wait_for(reader.read(1 << 20), 5)
    return bytes(sent)


def numbers_in(sent: bytes) -> list[int]:
    return [int(number) for number in re.findall(rb'"number":(\d+),', sent)]


# ---------------------------------------------------------------- messages


def test_a_message_reaches_the_receiver_and_its_answer_that_client_alone() -> None:
    received: list[Message] = []

    def receive(message: Message) -> Answer:
        received.append(message)
        return {"type": "error", "text": "Nothing stands on d4."}

    page = Page(receive, 0)

    async def story(browser: Browser) -> None:
        asking, other = await open_socket(browser), await open_socket(browser)
        await asking.send_json({"do": "lift", "cell": "d4"})
        assert await heard(asking) == {"type": "error", "text": "Nothing stands on d4."}
        page.show(VIEW)
        assert await heard(other) == VIEW
        assert received == [{"do": "lift", "cell": "d4"}]

    visit(page, story)


def test_a_receiver_may_take_its_time() -> None:
    async def receive(message: Message) -> Answer:
        await asyncio.sleep(0)
        return {"type": "error", "text": message["do"]}

    async def story(browser: Browser) -> None:
        connection = await open_socket(browser)
        await connection.send_json({"do": "press"})
        assert (await heard(connection))["text"] == "press"

    visit(Page(receive, 0), story)


def test_a_message_without_an_answer_is_answered_by_the_next_view() -> None:
    def receive(_: Message) -> Answer:
        page.show(VIEW)
        return None

    page = Page(receive, 0)

    async def story(browser: Browser) -> None:
        connection = await open_socket(browser)
        await connection.send_json({"do": "press", "button": "go"})
        assert await heard(connection) == VIEW

    visit(page, story)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "lift d4",
        "[]",
        '"do"',
        "null",
        "{}",
        '{"do": 7}',
        '{"do": null}',
        '{"Do": "lift"}',
        "[" * 60_000,
        '{"do":"lift"',
    ],
)
def test_what_is_no_message_is_answered_with_a_sentence(text: str) -> None:
    received: list[Message] = []

    def receive(message: Message) -> Answer:
        received.append(message)
        return VIEW

    async def story(browser: Browser) -> None:
        connection = await open_socket(browser)
        await connection.send_str(text)
        assert await heard(connection) == {"type": "error", "text": MALFORMED}
        await connection.send_json({"do": "press", "button": "go"})
        assert await heard(connection) == VIEW
        assert received == [{"do": "press", "button": "go"}]

    visit(Page(receive, 0), story)


def test_whoever_sends_without_a_pause_keeps_nobody_waiting() -> None:
    received: list[str] = []
    everything = asyncio.Event()

    def receive(message: Message) -> Answer:
        received.append(message["do"])
        if len(received) == 1001:
            everything.set()
        return VIEW if message["do"] == "press" else None

    async def story(browser: Browser) -> None:
        _, eager = await handshake_by_hand(browser)
        other = await open_socket(browser)
        eager.write(text_frame('{"do":"knock"}') * 1000)
        await other.send_json({"do": "press"})
        assert await heard(other) == VIEW
        assert received.index("press") < 500
        await everything.wait()
        eager.close()

    visit(Page(receive, 0), story)


def test_bytes_are_no_message() -> None:
    async def story(browser: Browser) -> None:
        connection = await open_socket(browser)
        await connection.send_bytes(b'{"do":"press"}')
        assert (await heard(connection))["text"] == MALFORMED

    visit(Page(ignore, 0), story)


def test_a_message_beyond_all_measure_ends_the_conversation_and_nothing_else() -> None:
    page = Page(ignore, 0)
    page.show(VIEW)

    async def story(browser: Browser) -> None:
        greedy, other = await open_socket(browser), await open_socket(browser)
        await heard(greedy)
        await greedy.send_str(json.dumps({"do": "slide", "cells": ["a1"] * 20_000}))
        assert (await greedy.receive(timeout=5)).type is WSMsgType.CLOSE
        assert await heard(other) == VIEW

    visit(page, story)


def test_a_fault_of_ours_is_logged_and_told_in_a_sentence(caplog: pytest.LogCaptureFixture) -> None:
    def receive(message: Message) -> Answer:
        raise LookupError(message["cell"])

    async def story(browser: Browser) -> None:
        connection = await open_socket(browser)
        for _ in range(2):
            await connection.send_json({"do": "lift", "cell": "z99"})
            answer = await heard(connection)
            assert answer == {"type": "error", "text": "That could not be done; the board's log says why."}

    with caplog.at_level(logging.ERROR, logger="reedlight"):
        visit(Page(receive, 0), story)
    assert "z99" in caplog.text
    assert "LookupError" in caplog.text


def test_a_client_that_vanishes_is_forgotten() -> None:
    page = Page(ignore, 0)

    async def story(browser: Browser) -> None:
        _, gone = await handshake_by_hand(browser)
        staying = await open_socket(browser)
        gone.transport.abort()
        for number in range(5):
            page.show({"type": "view", "number": number})
            assert (await heard(staying))["number"] == number
            await asyncio.sleep(0.01)
        assert len(page._clients) == 1

    visit(page, story)


def test_a_client_that_is_gone_before_it_is_answered_is_no_fault(caplog: pytest.LogCaptureFixture) -> None:
    page = Page(ignore, 0)

    async def leave(request: web.Request, _: web.StreamResponse) -> None:
        assert request.transport
        request.transport.abort()

    async def story() -> None:
        application = page.application()
        application.on_response_prepare.append(leave)
        async with TestClient(TestServer(application)) as browser:
            with pytest.raises(ServerDisconnectedError):
                await open_socket(browser)
        assert not page._clients

    asyncio.run(asyncio.wait_for(story(), 20))
    assert not caplog.records


# ---------------------------------------------------------------- a port of its own


def test_it_opens_a_port_shows_itself_there_and_closes_with_a_goodbye() -> None:
    async def story() -> None:
        page = Page(ignore, 0)
        page.show(VIEW)
        await page.start()
        async with ClientSession() as browser:
            assert (await browser.get(page.url)).status == 200
            connection = await browser.ws_connect(f"{page.url}ws", origin=page.url.rstrip("/"))
            assert await connection.receive_json(timeout=5) == VIEW
            closing = asyncio.create_task(page.close())
            goodbye = await connection.receive(timeout=5)
            await closing
        assert (goodbye.type, goodbye.data) == (WSMsgType.CLOSE, 1001)
        await page.close()

    asyncio.run(asyncio.wait_for(story(), 20))


def test_closing_waits_for_nobody_who_does_not_read() -> None:
    async def story() -> None:
        page = Page(ignore, 0)
        await page.start()
        reader, writer = await leave_in_the_cable(URL(page.url))
        for number in range(200):
            page.show({"type": "view", "number": number, "weight": "x" * 100_000})
            await asyncio.sleep(0)
        async with asyncio.timeout(5):
            await page.close()
        assert not page._clients
        writer.close()
        del reader

    asyncio.run(asyncio.wait_for(story(), 20))


def test_a_port_that_is_taken_is_named_in_one_sentence() -> None:
    async def story() -> None:
        first = Page(ignore, 0)
        await first.start()
        port = int(first.url.rsplit(":", 1)[1].rstrip("/"))
        with pytest.raises(PortInUse) as refusal:
            await Page(ignore, port).start()
        reason = "another program has it; stop that one, or choose another port"
        assert str(refusal.value) == f"The page cannot open port {port} on 127.0.0.1: {reason}."
        await first.close()

    asyncio.run(asyncio.wait_for(story(), 20))


def test_an_address_that_is_no_one_of_ours_is_named_too() -> None:
    with pytest.raises(PortInUse, match=r"port 8080 on 192\.0\.2\.1: this machine has no such address\."):
        asyncio.run(Page(ignore, 8080, host="192.0.2.1").start())


def test_an_address_of_six_groups_stands_in_brackets() -> None:
    assert Page(ignore, 8080, host="::1").url == "http://[::1]:8080/"
