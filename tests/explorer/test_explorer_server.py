"""The server of the explorer: one page on 127.0.0.1, and nothing else."""

import socket
import threading
import time
from contextlib import ExitStack, suppress
from http.client import HTTPException

import pytest

from tests.support.evidence import compared
from tests.support.explorer_page import ask
from warpsim import paths
from warpsim.cli.server import MOST_CONNECTIONS, ExplorerServer


@pytest.mark.parametrize("path", ["/", "/explorer.html"])
def test_server_has_the_page(server: ExplorerServer, path: str) -> None:
    page = paths.explorer().read_bytes()
    for method, body in (("GET", page), ("HEAD", b"")):
        status, headers, found = ask(server, path, method)
        assert (status, found) == (200, body)
        assert headers["Content-Type"] == "text/html; charset=utf-8"
        assert headers["Content-Length"] == str(len(page))
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Cache-Control"] == "no-store"
        assert headers["Server"].strip() == "warpsim"
    assert server.server_address[0] == "127.0.0.1"


ELSEWHERE = (
    "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc%2fpasswd", "/explorer.html/", "/./explorer.html",
    "/etc/passwd", "/data/explorer.html", "/?a", "/explorer.html?", "/completion/bash", "//etc/passwd",
    "/\\..\\..\\etc", "/%00", "/" + "a" * 60_000, "*", "etc", "http://127.0.0.1/", "file:///etc/passwd", "/favicon.ico",
)  # fmt: skip


def test_server_has_nothing_else(server: ExplorerServer) -> None:
    for path in ELSEWHERE:
        for method in ("GET", "HEAD"):
            status, headers, body = ask(server, path, method)
            assert status == 404, path
            assert headers["Content-Type"] == "text/plain; charset=utf-8"
            assert b"root:" not in body
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT"):
        assert ask(server, "/", method)[0] == 501
    compared("paths that the explorer's server has not", len(ELSEWHERE), at_least=15)


def test_server_answers_to_its_own_name_alone(server: ExplorerServer) -> None:
    port = server.server_port
    for host in (f"127.0.0.1:{port}", f"localhost:{port}"):
        assert ask(server, "/", Host=host)[0] == 200
    strange = (
        "", "localhost", "127.0.0.1", f"127.0.0.1:{port + 1}", f"example.org:{port}", f"127.0.0.1:{port}@example.org",
        f"localhost.example.org:{port}", f"[::1]:{port}", f"0.0.0.0:{port}", f"127.0.0.1.:{port}",
    )  # fmt: skip
    for host in strange:
        status, _, body = ask(server, "/", Host=host)
        assert status == 403 and b"<html" not in body, host
    compared("names that are not the server's", len(strange), at_least=10)


def raw(server: ExplorerServer, request: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", server.server_port), timeout=10) as connection:
        connection.sendall(request)
        connection.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: connection.recv(65536), b""))


@pytest.mark.parametrize("lines", ["", "Host: 127.0.0.1:{port}\r\nHost: example.org\r\n"])
def test_server_wants_one_name(server: ExplorerServer, lines: str) -> None:
    request = f"GET / HTTP/1.0\r\n{lines.format(port=server.server_port)}\r\n"
    assert raw(server, request.encode()).startswith(b"HTTP/1.0 403 ")


def test_server_says_nothing_whatever_comes(server: ExplorerServer, capfd: pytest.CaptureFixture[str]) -> None:
    for request in (b"", b"\r\n", b"\x16\x03\x01\x02\x00", b"GET", b"GET / HTTP/9.9\r\n\r\n", b"A" * 70_000):
        raw(server, request)
    gone = socket.create_connection(("127.0.0.1", server.server_port))
    gone.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    gone.sendall(b"GET / HTTP/1.0\r\nHost: 127.0.0.1:%d\r\n\r\n" % server.server_port)
    gone.close()  # with a reset
    assert ask(server, "/")[0] == 200
    assert capfd.readouterr() == ("", "")


def test_request_that_comes_slowly_is_ended_in_time(server: ExplorerServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warpsim.cli.server.SECONDS", 1.0)
    begin = time.monotonic()
    with socket.create_connection(("127.0.0.1", server.server_port), timeout=10) as slow, suppress(ConnectionError):
        slow.sendall(b"GET / HTTP/1.0\r\nHost: 127.0.0.1:%d\r\n" % server.server_port)
        slow.settimeout(0.2)
        while True:
            slow.sendall(b"X: y\r\n")
            with suppress(TimeoutError):
                assert slow.recv(1) == b""
                break
    assert time.monotonic() - begin > 0.9


def test_request_of_too_many_bytes_is_refused(server: ExplorerServer) -> None:
    head = b"GET / HTTP/1.0\r\nHost: 127.0.0.1:%d\r\n" % server.server_port
    long = b"X: %s\r\n" % (b"y" * 60_000)
    assert raw(server, head + long + b"\r\n").startswith(b"HTTP/1.0 200 ")
    with suppress(ConnectionError):
        assert raw(server, head + long * 90 + b"\r\n") == b""


def test_idle_connections_are_few_and_the_page_is_there_again(server: ExplorerServer) -> None:
    before = threading.active_count()
    with ExitStack() as idle:
        for _ in range(MOST_CONNECTIONS + 40):
            idle.enter_context(socket.create_connection(("127.0.0.1", server.server_port), timeout=10))
        time.sleep(0.5)
        assert threading.active_count() - before <= MOST_CONNECTIONS
    for _ in range(100):
        with suppress(OSError, HTTPException):
            assert ask(server, "/")[0] == 200
            return
        time.sleep(0.1)
    pytest.fail("no answer after the connections had gone")


def test_server_at_port_80_takes_its_name_without_it(server: ExplorerServer) -> None:
    own, server.server_port = server.server_port, 80
    try:
        assert ["localhost"] in server.names and ["127.0.0.1:80"] in server.names
    finally:
        server.server_port = own
    assert ["localhost"] not in server.names


def test_interrupt_ends_the_server_though_the_thread_of_the_request_has_ended(
    server: ExplorerServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = threading.Thread.start

    def interrupted(thread: threading.Thread) -> None:
        start(thread)
        thread.join()
        raise KeyboardInterrupt

    here, there = socket.socketpair()
    there.close()
    monkeypatch.setattr(threading.Thread, "start", interrupted)
    with pytest.raises(KeyboardInterrupt):
        server.process_request(here, ("127.0.0.1", 1))
