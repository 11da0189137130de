"""The explorer on 127.0.0.1: one page of the package, and nothing else of this machine."""

from __future__ import annotations

import io
import os
import socket
import threading
import time
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from typing import Any

from .. import explorer
from ..errors import bad_value, why

HOST = "127.0.0.1"
MOST_PORT = 2**16 - 1
PATHS = ("/", "/explorer.html")
SECONDS = 10.0  # from the connection to the end of its request
MOST_CONNECTIONS = 64  # at once: each has a thread
MOST_REQUEST_BYTES = 2**17


class _Within(io.RawIOBase):
    """What a connection sends; an error once its time or its bytes are used up."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._end = time.monotonic() + SECONDS
        self._bytes = MOST_REQUEST_BYTES

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        if self._bytes <= 0:
            raise ConnectionAbortedError
        self._connection.settimeout(left)
        count = self._connection.recv_into(buffer)
        self._bytes -= count
        return count


class _Handler(BaseHTTPRequestHandler):
    """Answers one GET or HEAD of the page; every other path is a 404."""

    server: ExplorerServer
    server_version, sys_version = "warpsim", ""
    timeout = SECONDS

    def setup(self) -> None:
        super().setup()
        self.rfile.close()
        self.rfile = io.BufferedReader(_Within(self.connection))

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def _answer(self, *, with_body: bool) -> None:
        self.connection.settimeout(SECONDS)  # to take the answer
        # a page of elsewhere may have its name resolved to this machine, but cannot hide its name
        if self.headers.get_all("Host", []) not in self.server.names:
            status, kind, body = HTTPStatus.FORBIDDEN, "text/plain", b"Not a name of this server.\n"
        elif self.path not in PATHS:
            status, kind, body = HTTPStatus.NOT_FOUND, "text/plain", b"Only / is here.\n"
        else:
            status, kind, body = HTTPStatus.OK, "text/html", self.server.page
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        if with_body:
            self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Nothing: the terminal has the address, and stays as it is."""


class ExplorerServer(ThreadingHTTPServer):
    """The explorer on a port of 127.0.0.1; 0: a free one. ValueError where it cannot listen."""

    daemon_threads = True
    allow_reuse_address = os.name == "posix"  # elsewhere two servers could share the port
    allow_reuse_port = False
    request_queue_size = 2 * MOST_CONNECTIONS  # where it is full, a browser waits a second before it asks again

    def __init__(self, port: int = 0) -> None:
        if not 0 <= port <= MOST_PORT:
            raise bad_value("port", f"expected 0 to {MOST_PORT}, got {port}")
        self.page = explorer.page().encode()
        self._free = threading.BoundedSemaphore(MOST_CONNECTIONS)
        try:
            super().__init__((HOST, port), _Handler)
        except OSError as error:
            raise bad_value("port", f"cannot listen on {HOST}:{port}: {why(error)}") from error

    def server_bind(self) -> None:
        """Binds; asks no name server what this machine is called, as HTTPServer would."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = HOST, self.server_address[1]

    def process_request(self, request: Any, client_address: Any) -> None:
        """In a thread of its own; where there are too many, the connection is closed."""
        if not self._free.acquire(blocking=False):
            self.shutdown_request(request)
            return
        try:
            super().process_request(request, client_address)
        except RuntimeError:  # no thread to be had; an interrupt may come after the thread has released
            self._free.release()
            raise

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """What a thread does."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()

    @property
    def url(self) -> str:
        """The address of the page."""
        return f"http://{HOST}:{self.server_port}/"

    @property
    def names(self) -> tuple[list[str], ...]:
        """What a request's Host headers may be; a browser leaves port 80 out."""
        ends = ("", ":80") if self.server_port == 80 else (f":{self.server_port}",)
        return tuple([host + end] for host in (HOST, "localhost") for end in ends)

    def handle_error(self, *_: Any) -> None:
        """Nothing: it is not an error when a browser goes away."""
