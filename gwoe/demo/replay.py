"""A model that answers from files: an OpenAI-compatible replay server on the loopback interface.

``python -m gwoe.demo.replay --port 8099`` serves the recorded answers of the sample motions under
``POST /v1/chat/completions``. Tests use ``ReplayServer`` as a context manager and put special
answers into ``.script`` to play what a real provider does on a bad day.

The server knows a motion by the recorded phrase ``erkennung``, which must occur somewhere in the
messages. Whether the matrix or a comparison is wanted is said by the name of the JSON schema
(``matrix`` or ``vergleich``) or by a line ``AUFGABE: MATRIX`` or ``AUFGABE: VERGLEICH MIT UFER``;
the party is always read from that line.
"""

from __future__ import annotations

import argparse
import json
import re
import threading
import time
import unicodedata
import uuid
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Self

ANTWORTEN = Path(__file__).parent / "samples" / "antworten"
MODEL = "muster-1"
MAX_BODY = 2 * 1024 * 1024
_AUFGABE = re.compile(r"^\s*AUFGABE: (MATRIX|VERGLEICH MIT (\S+))\s*$", re.MULTILINE)


@dataclass(frozen=True)
class ScriptedAnswer:
    """A special answer, used up by one request before any recorded one.

    Without ``content`` the recorded answer is sent; with ``finish_reason="length"`` it is cut off
    in the middle. ``body`` replaces the whole HTTP body, for instance by HTML or by broken JSON.
    A long ``delay`` is a hang: it ends when the server is closed.
    """

    status: int = 200
    delay: float = 0.0
    finish_reason: str = "stop"
    content: str | None = None
    body: str | None = None
    content_type: str = "application/json"
    headers: dict[str, str] = field(default_factory=dict)


class RequestRefused(Exception):
    """A request that gets an error in OpenAI's shape."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status, self.code = status, code


class ReplayServer:
    """Serves recorded answers; ``requests`` collects the bodies that arrived."""

    def __init__(self, answers_dir: Path = ANTWORTEN, *, port: int = 0) -> None:
        self.recordings = _load(answers_dir)
        self.requests: list[dict[str, Any]] = []
        self.script: list[ScriptedAnswer] = []
        self.closing = threading.Event()
        self._lock = threading.Lock()
        self._http = ThreadingHTTPServer(("127.0.0.1", port), _handler(self))
        self._http.daemon_threads = True

    @property
    def base_url(self) -> str:
        """What an OpenAI client takes as its base URL."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def __enter__(self) -> Self:
        threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()

    def serve_forever(self) -> None:
        """Serve in the calling thread until interrupted."""
        self._http.serve_forever()

    def take(self, request: dict[str, Any]) -> ScriptedAnswer:
        """Note the request and take the next scripted answer, if there is one."""
        with self._lock:
            self.requests.append(request)
            return self.script.pop(0) if self.script else ScriptedAnswer()

    def answer(self, request: dict[str, Any]) -> str:
        """The recorded answer to a request, as the text of a message."""
        text = messages_text(request)
        recording = self._recording(text)
        task = _AUFGABE.search(text)
        if _wants_matrix(request, task):
            return json.dumps(recording["matrix"], ensure_ascii=False)
        if task is None or task[2] is None:
            raise RequestRefused(400, "no_party", "No line 'AUFGABE: VERGLEICH MIT <PARTEI>'.")
        try:
            return json.dumps(recording["vergleiche"][task[2]], ensure_ascii=False)
        except KeyError:
            message = f"No comparison with {task[2]} is recorded for this motion."
            raise RequestRefused(404, "unknown_party", message) from None

    def _recording(self, text: str) -> dict[str, Any]:
        squeezed = squeeze(text)
        for recording in self.recordings:
            if squeeze(recording["erkennung"]) in squeezed:
                return recording
        message = "No recorded motion occurs in the messages; this server only knows the samples."
        raise RequestRefused(404, "unknown_motion", message)


def squeeze(text: str) -> str:
    """Text without blanks, hyphens and soft hyphens: line ends of a PDF leave no trace in it."""
    text = unicodedata.normalize("NFKC", text).casefold()
    return re.sub(r"[\s\u00ad\u2010\u2011-]+", "", text)


def messages_text(request: dict[str, Any]) -> str:
    """All text of the messages, whether content is a string or a list of parts."""
    parts: list[str] = []
    for message in request["messages"]:
        content = message.get("content") or ""
        pieces = content if isinstance(content, list) else [{"text": content}]
        parts += [str(piece.get("text", "")) for piece in pieces]
    return "\n".join(parts)


def completion(text: str, *, prompt: str, model: str, finish_reason: str) -> dict[str, Any]:
    """A chat completion in OpenAI's shape; a token is taken to be three characters."""
    asked, said = len(prompt) // 3, len(text) // 3
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": text, "refusal": None},
        "logprobs": None,
        "finish_reason": finish_reason,
    }
    return {
        "id": f"chatcmpl-{uuid.uuid4().hex}",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": model,
        "choices": [choice],
        "usage": {
            "prompt_tokens": asked,
            "completion_tokens": said,
            "total_tokens": asked + said,
        },
    }


def _load(answers_dir: Path) -> list[dict[str, Any]]:
    recordings = []
    for path in sorted(answers_dir.glob("*.json")):
        recording = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(recording, dict) and "erkennung" in recording:
            recordings.append(recording)
    return recordings


def _wants_matrix(request: dict[str, Any], task: re.Match[str] | None) -> bool:
    schema = (request.get("response_format") or {}).get("json_schema") or {}
    match schema.get("name"), task:
        case "matrix", _:
            return True
        case "vergleich", _:
            return False
        case _, None:
            message = "Neither a schema named 'matrix' or 'vergleich' nor a line 'AUFGABE: …'."
            raise RequestRefused(400, "no_task", message)
    return task is not None and task[1] == "MATRIX"


def _handler(server: ReplayServer) -> type[BaseHTTPRequestHandler]:
    """A request handler class that belongs to one server."""

    class Handler(_ReplayHandler):
        replay = server

    return Handler


class _ReplayHandler(BaseHTTPRequestHandler):
    """Two routes; everything else is an error in OpenAI's shape."""

    replay: ReplayServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """List the only model."""
        if self.path.partition("?")[0] != "/v1/models":
            self._refuse(RequestRefused(404, "not_found", f"No such address: {self.path}"))
            return
        model = {"id": MODEL, "object": "model", "created": 0, "owned_by": "muster"}
        self._send(200, json.dumps({"object": "list", "data": [model]}))

    def do_POST(self) -> None:
        """Answer a chat completion."""
        try:
            request = self._read()
            self._reply(request, self.replay.take(request))
        except RequestRefused as refused:
            self._refuse(refused)

    def _read(self) -> dict[str, Any]:
        if self.path.partition("?")[0] != "/v1/chat/completions":
            self.close_connection = True
            raise RequestRefused(404, "not_found", f"No such address: {self.path}")
        length = self._length()
        if length > MAX_BODY:
            self.close_connection = True
            raise RequestRefused(413, "too_large", f"Body over {MAX_BODY} bytes.")
        try:
            request = json.loads(self.rfile.read(length))
        except ValueError:
            raise RequestRefused(400, "invalid_json", "The body is not JSON.") from None
        if not isinstance(request, dict) or not isinstance(request.get("messages"), list):
            raise RequestRefused(400, "no_messages", "The body has no list 'messages'.")
        if request.get("stream"):
            raise RequestRefused(400, "no_streaming", "This server does not stream.")
        return request

    def _length(self) -> int:
        announced = self.headers.get("Content-Length") or ""
        if not announced.isascii() or not announced.isdigit():
            self.close_connection = True
            raise RequestRefused(411, "no_length", "A Content-Length is needed.")
        return int(announced)

    def _reply(self, request: dict[str, Any], script: ScriptedAnswer) -> None:
        if script.delay and self.replay.closing.wait(script.delay):
            self.close_connection = True
            return
        if script.body is not None:
            self._send(script.status, script.body, script)
        elif script.status >= 400:
            message = f"Scripted answer with status {script.status}."
            self._refuse(RequestRefused(script.status, "scripted", message), script)
        else:
            text = self._content(request, script)
            prompt, model = messages_text(request), str(request.get("model") or MODEL)
            reply = completion(text, prompt=prompt, model=model, finish_reason=script.finish_reason)
            self._send(script.status, json.dumps(reply, ensure_ascii=False), script)

    def _content(self, request: dict[str, Any], script: ScriptedAnswer) -> str:
        if script.content is not None:
            return script.content
        text = self.replay.answer(request)
        return text[: len(text) // 2] if script.finish_reason == "length" else text

    def _refuse(self, refused: RequestRefused, script: ScriptedAnswer | None = None) -> None:
        kind = "server_error" if refused.status >= 500 else "invalid_request_error"
        kind = "rate_limit_error" if refused.status == 429 else kind
        error = {"message": str(refused), "type": kind, "param": None, "code": refused.code}
        self._send(refused.status, json.dumps({"error": error}), script)

    def _send(self, status: int, body: str, script: ScriptedAnswer | None = None) -> None:
        script = script or ScriptedAnswer()
        raw = body.encode("utf-8")
        try:
            self.send_response(status)
            self.send_header("Content-Type", script.content_type)
            self.send_header("Content-Length", str(len(raw)))
            for name, value in script.headers.items():
                self.send_header(name, value)
            if self.close_connection:
                self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(raw)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True  # the client gave up waiting

    def log_message(self, format: str, *args: object) -> None:
        """Stay quiet: requests can be read from the server object."""


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description="Replay server with the recorded sample answers.")
    parser.add_argument("--port", type=int, default=8099, help="0 takes any free port")
    parser.add_argument("--answers", type=Path, default=ANTWORTEN, help="folder of answer files")
    options = parser.parse_args()
    server = ReplayServer(options.answers, port=options.port)
    print(f"Replay server: {server.base_url} (model {MODEL})", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        print("stopped")


if __name__ == "__main__":
    main()
