"""A provider of models on loopback that speaks just enough of the OpenAI protocol.

The real `openai` client talks to it; a test says what it answers and reads what it was sent.
"""

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Reply:
    status: int = 200
    body: dict | str = ""
    headers: dict = field(default_factory=dict)


def answer(content='{"wert": 1}', *, usage=True, finish_reason="stop", refusal=None) -> Reply:
    message = {"role": "assistant", "content": content, "refusal": refusal}
    choice = {"index": 0, "message": message, "finish_reason": finish_reason}
    body = {
        "id": "1",
        "object": "chat.completion",
        "created": 0,
        "model": "m",
        "choices": [choice],
    }
    if usage:
        body["usage"] = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
    return Reply(body=body)


def error(status, message="no", **headers) -> Reply:
    return Reply(status, {"error": {"message": message, "type": "x"}}, headers)


class Provider:
    """Gives its replies in order and the last one for ever; one may depend on the request."""

    def __init__(self, replies: list[Reply | Callable[[dict], Reply]]) -> None:
        self.replies = replies
        self.requests: list[dict] = []
        self.base_url = ""

    def next_reply(self, request: dict) -> Reply:
        self.requests.append(request)
        reply = self.replies[min(len(self.requests), len(self.replies)) - 1]
        return reply(request) if callable(reply) else reply


@contextmanager
def provider(*replies: Reply | Callable[[dict], Reply]) -> Iterator[Provider]:
    served = Provider(list(replies))

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            length = int(self.headers["content-length"])
            reply = served.next_reply(json.loads(self.rfile.read(length)))
            body = reply.body if isinstance(reply.body, str) else json.dumps(reply.body)
            self.send_response(reply.status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body.encode())))
            for name, value in reply.headers.items():
                self.send_header(name.replace("_", "-"), value)
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    served.base_url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def silent_provider() -> Iterator[Provider]:
    """Takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        served = Provider([])
        served.base_url = f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
        yield served


@contextmanager
def trickling_provider() -> Iterator[Provider]:
    """Answers at once, and then sends one byte after another without an end."""
    stop = threading.Event()

    def trickle():
        connection, _ = listening.accept()
        with connection, suppress(OSError):
            connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n")
            while not stop.wait(0.02):
                connection.sendall(b" ")

    with socket.create_server(("127.0.0.1", 0)) as listening:
        served = Provider([])
        served.base_url = f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
        thread = threading.Thread(target=trickle)
        thread.start()
        try:
            yield served
        finally:
            stop.set()
            thread.join()
