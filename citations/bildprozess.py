"""Talks to the long-lived child process that draws pages; one per process of ours.

It is started when it is first asked, and anew after a crash, a hang or REQUESTS answers.
"""

import atexit
import json
import logging
import os
import re
import socket
import subprocess
import sys
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from threading import Lock
from time import monotonic
from typing import Any

from django.conf import settings

from .ablehnung import Ablehnung
from .children import MAX_ANSWER, NO_ANSWER, ROOT, ChildFailed, failure, result, trace
from .pdf.bilder import FILES_OPEN

logger = logging.getLogger(__name__)

MODULE = "citations.pdf.bilder"
# What an engine leaks is given back after so many answers.
REQUESTS = 200
# The child has its limit of processor time; this is for waiting without working.
GRACE_SECONDS = 3
# Bytes within which the line that says how long the answer is must end; one read takes in more.
MAX_HEAD = 1 << 20


class ChildBusy(ChildFailed):
    """Others were drawn for too long; this says nothing about the page itself."""


class Bildprozess:
    """One child; threads take turns. `module` is another one in tests only."""

    def __init__(self, module: str = MODULE) -> None:
        self.module = module
        self.turn = Lock()
        self.owner = os.getpid()
        self.process: subprocess.Popen[bytes] | None = None
        self.left = 0
        self.files: OrderedDict[str, None] = OrderedDict()

    def ask(self, request: dict[str, Any], sha256: str, data: Callable[[], bytes]) -> bytes:
        """`data` is called where the child needs the file. Raises ChildFailed or ChildRefused.

        Comes back after twice its time at the latest, one for the turn and one for the answer.
        """
        seconds = settings.PDF_PICTURE_SECONDS + GRACE_SECONDS
        if not self.turn.acquire(timeout=seconds):
            raise ChildBusy(Ablehnung.ZU_AUFWENDIG)
        try:
            self._require_running()
            return self._exchange(request, sha256, data, until=monotonic() + seconds)
        finally:
            self.turn.release()

    def stop(self) -> None:
        if self.process is None:
            return
        self.channel.close()
        self.process.kill()
        self.process.wait()
        self.process = None

    def _require_running(self) -> None:
        if self.process is not None and self.process.poll() is None and self.left:
            return
        self.stop()
        self.channel, theirs = socket.socketpair()
        with theirs:
            self.process = subprocess.Popen(  # noqa: S603  our own module, no shell
                [sys.executable, "-m", self.module],
                stdin=theirs.fileno(),
                stdout=theirs.fileno(),
                stderr=subprocess.DEVNULL,
                cwd=ROOT,
                env={"PATH": os.environ.get("PATH", ""), "PYTHONPATH": str(ROOT)},
            )
        self.left = REQUESTS
        self.files.clear()
        seconds = settings.PDF_PICTURE_SECONDS
        limits = {"memory_mb": settings.PDF_MAX_MEMORY_MB, "seconds": seconds}
        life = {"life_seconds": seconds * REQUESTS}
        self.channel.sendall(json.dumps(limits | life).encode() + b"\n")

    def _exchange(
        self, request: dict[str, Any], sha256: str, data: Callable[[], bytes], *, until: float
    ) -> bytes:
        sent = b"" if sha256 in self.files else data()
        header = json.dumps({**request, "sha256": sha256, "bytes": len(sent)}).encode() + b"\n"
        try:
            self._send(header + sent, until)
            status, body = self._receive(until)
        except TimeoutError as error:
            self.stop()
            raise ChildFailed(Ablehnung.ZU_AUFWENDIG) from error
        except OSError as error:
            raise self._crashed() from error
        self._count(sha256)
        if status != "failed":
            return result(status.encode() + b"\n" + body)
        self.stop()
        complaints = body.decode(errors="replace")
        logger.warning("%s failed: %s", self.module, trace(complaints))
        raise failure(1, complaints)

    def _count(self, sha256: str) -> None:
        """As the child does: which files it still has."""
        self.left -= 1
        self.files[sha256] = None
        self.files.move_to_end(sha256)
        if len(self.files) > FILES_OPEN:
            self.files.popitem(last=False)

    def _send(self, message: bytes, until: float) -> None:
        self.channel.settimeout(max(until - monotonic(), 0.001))
        self.channel.sendall(message)

    def _receive(self, until: float) -> tuple[str, bytes]:
        answer = bytearray()
        while b"\n" not in answer and len(answer) <= MAX_HEAD:
            answer += self._more(until)
        head, _, body = bytes(answer).partition(b"\n")
        status, _, length = head.decode(errors="replace").partition(" ")
        if (
            status not in ("ok", "refused", "failed")
            or not re.fullmatch(r"[0-9]{1,9}", length)
            or int(length) > MAX_ANSWER
        ):
            self.stop()
            raise ChildFailed(Ablehnung.ABSTURZ, NO_ANSWER)
        answer = bytearray(body)
        while len(answer) < int(length):
            answer += self._more(until)
        return status, bytes(answer[: int(length)])

    def _more(self, until: float) -> bytes:
        self.channel.settimeout(max(until - monotonic(), 0.001))
        received = self.channel.recv(1 << 20)
        if not received:
            raise ConnectionResetError
        return received

    def _crashed(self) -> ChildFailed:
        code = 0
        if self.process is not None:
            with suppress(subprocess.TimeoutExpired):
                code = self.process.wait(GRACE_SECONDS)
        self.stop()
        logger.warning("%s ended with %d", self.module, code)
        return failure(code, "")


_here = Bildprozess()
atexit.register(lambda: _here.stop())


def draw(request: dict[str, Any], sha256: str, data: Callable[[], bytes]) -> bytes:
    """Asks this process's own child; a forked process does not share its parent's."""
    global _here
    if _here.owner != os.getpid():
        _here = Bildprozess()
    return _here.ask(request, sha256, data)
