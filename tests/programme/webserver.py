"""A real web server of the tests, with whatever misbehaviour a route asks for."""

import ssl
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

CERTIFICATE = Path(__file__).parent / "partei.example.pem"

Route = Callable[[BaseHTTPRequestHandler], None]


@dataclass
class Webserver:
    """`routes` maps paths to functions that answer; `asked` are the paths that were asked for."""

    routes: dict[str, Route] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    tls: bool = False

    def __enter__(self) -> "Webserver":
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.server.daemon_threads = True
        if self.tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(CERTIFICATE)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *args: object) -> None:
        self.server.shutdown()
        self.server.server_close()

    @property
    def port(self) -> int:
        return self.server.server_port

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        return f"{'https' if self.tls else 'http'}://{host}:{self.port}{path}"


def _handler(webserver: Webserver) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            webserver.asked.append(self.path)
            webserver.headers.append({name.lower(): value for name, value in self.headers.items()})
            # The client may have heard enough.
            with suppress(BrokenPipeError, ConnectionResetError, ssl.SSLError):
                webserver.routes.get(self.path, status(404))(self)
            self.close_connection = True

        def log_message(self, *args: object) -> None:
            pass

    return Handler


def body(data: bytes, kind: str = "application/pdf", **headers: str) -> Route:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", kind)
        handler.send_header("Content-Length", str(len(data)))
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(data)

    return answer


def status(code: int) -> Route:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_error(code)

    return answer


def redirect(location: str, **headers: str) -> Route:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(302)
        handler.send_header("Location", location)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()

    return answer


def endless(kind: str = "application/pdf") -> Route:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", kind)
        handler.end_headers()
        handler.wfile.write(b"%PDF-1.7\n")
        while True:
            handler.wfile.write(b"0" * 65536)

    return answer


def trickling(stop: threading.Event) -> Route:
    """A byte now and then, so that no single wait is long."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "application/pdf")
        handler.end_headers()
        handler.wfile.write(b"%PDF-1.7\n")
        while not stop.wait(0.02):
            handler.wfile.write(b"0")

    return answer


def torn(data: bytes, at: int, mark: str = '"eins"') -> Route:
    """Breaks off at `at` bytes; goes on from there when it is asked for the rest by its mark."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        wanted = handler.headers.get("Range")
        goes_on = wanted and handler.headers.get("If-Range") == mark
        start = int(wanted.removeprefix("bytes=").rstrip("-")) if goes_on else 0
        if start >= len(data):
            handler.send_error(416)
            return
        handler.send_response(206 if goes_on else 200)
        handler.send_header("Content-Type", "application/pdf")
        handler.send_header("ETag", mark)
        if goes_on:
            handler.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
        handler.send_header("Content-Length", str(len(data) - start))
        handler.end_headers()
        handler.wfile.write(data[start:] if start or not at else data[:at])

    return answer
