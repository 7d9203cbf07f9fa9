"""Starts the child processes that open PDFs, and hands their answers on.

A `subprocess`, not a fork: the queue's workers are daemonic and may not have children of the
multiprocessing kind, and a fresh process holds no secrets of this one.
"""

import json
import logging
import os
import re
import signal
import subprocess
import sys
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from django.conf import settings

from .ablehnung import MEMORY_SIGNS, Abgelehnt, Ablehnung

logger = logging.getLogger(__name__)

ROOT = Path(__file__).resolve().parent.parent
# Bytes of an answer that are read; the largest reading of 75 real files has 6.1 MB.
MAX_ANSWER = 64 * 1024 * 1024
# Bytes of complaints that are kept, the last ones; a traceback is at their end.
MAX_COMPLAINTS = 64 * 1024
NO_ANSWER = "Das Leseprogramm antwortete nicht in der vereinbarten Form."
# Signs of a sentence that a child says; ours are shorter.
MAX_SATZ = 300
# Of a traceback only where and which: the exception's words could be the document's.
FRAME = re.compile(r'^\s+File "([^"]+)", line (\d+), in (\S+)')
EXCEPTION = re.compile(r"^([A-Za-z_][\w.]*(?:Error|Exception|Interrupt|Exit))\b")
# Frames that are logged, the innermost ones.
FRAMES = 6


class ChildFailed(Abgelehnt):
    """The child crashed or ran into a limit; the message says which, in German."""


class ChildRefused(Abgelehnt):
    """The child looked at the file and says in German why it cannot be used."""


def run_child(module: str, request: dict[str, Any], data: bytes) -> bytes:
    """Runs `module` on `data`. Raises ChildRefused or ChildFailed."""
    limits = {"memory_mb": settings.PDF_MAX_MEMORY_MB, "seconds": settings.PDF_MAX_SECONDS}
    header = json.dumps(request | limits).encode() + b"\n"
    code, answer, complaints = _converse(_start(module), header + data)
    if len(answer) > MAX_ANSWER:
        raise ChildFailed(Ablehnung.ZU_GROSS)
    if code:
        logger.warning("%s ended with %d: %s", module, code, trace(complaints))
        raise failure(code, complaints)
    return result(answer)


def _start(module: str) -> subprocess.Popen[bytes]:
    """In a session of its own, so that what the child starts can be ended with it."""
    return subprocess.Popen(  # noqa: S603  our own module, no shell
        [sys.executable, "-m", module],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env={"PATH": os.environ.get("PATH", ""), "PYTHONPATH": str(ROOT)},
        start_new_session=True,
    )


def _converse(child: subprocess.Popen[bytes], question: bytes) -> tuple[int, bytes, str]:
    """Exit code, answer and complaints; the child is gone afterwards, whatever it does.

    Not `communicate`, which takes in as much as the child cares to write.
    """
    with child, ThreadPoolExecutor(4) as pool:
        try:
            pool.submit(_ask, child, question)
            code = pool.submit(child.wait)
            answer = pool.submit(_read_answer, child)
            complaints = pool.submit(_read_complaints, child)
            ends: list[Future[Any]] = [code, answer, complaints]
            if wait(ends, timeout=settings.PDF_MAX_SECONDS + 5).not_done:
                raise ChildFailed(Ablehnung.ZU_AUFWENDIG)
            return code.result(), answer.result(), complaints.result()
        except BaseException:
            _end(child)
            raise


def _ask(child: subprocess.Popen[bytes], question: bytes) -> None:
    with suppress(BrokenPipeError), _pipe(child.stdin) as stdin:
        stdin.write(question)


def _read_answer(child: subprocess.Popen[bytes]) -> bytes:
    """One byte more than is allowed tells that it is too much."""
    answer = _pipe(child.stdout).read(MAX_ANSWER + 1)
    if len(answer) > MAX_ANSWER:
        _end(child)
    return answer


def _read_complaints(child: subprocess.Popen[bytes]) -> str:
    """All of them, so that the child does not wait; only the end is kept."""
    complaints = b""
    while part := _pipe(child.stderr).read(MAX_COMPLAINTS):
        complaints = (complaints + part)[-MAX_COMPLAINTS:]
    return complaints.decode(errors="replace")


def _pipe(end: IO[bytes] | None) -> IO[bytes]:
    if end is None:
        raise ValueError("the child was started without this pipe")
    return end


def _end(child: subprocess.Popen[bytes]) -> None:
    """With all that it started and that may still hold its pipes."""
    with suppress(ProcessLookupError, PermissionError):  # it ended just now
        os.killpg(child.pid, signal.SIGKILL)


def result(answer: bytes) -> bytes:
    """What follows `ok`. Raises ChildRefused, or ChildFailed for what is no answer."""
    status, _, body = answer.partition(b"\n")
    if status == b"ok":
        return body
    code, _, satz = body.decode(errors="replace").partition("\n")
    if status != b"refused" or code not in list(Ablehnung):
        raise ChildFailed(Ablehnung.ABSTURZ, NO_ANSWER)
    raise ChildRefused(Ablehnung(code), satz[:MAX_SATZ])


def trace(stderr: str) -> str:
    """The end of a traceback without its words: frames, and the name of the exception."""
    lines = stderr.splitlines()
    frames = [f"{Path(m[1]).name}:{m[2]} {m[3]}" for m in map(FRAME.match, lines) if m]
    names = [m[1] for m in map(EXCEPTION.match, lines) if m]
    return " > ".join([*frames[-FRAMES:], *names[-1:]]) or "no traceback"


def failure(code: int, stderr: str) -> ChildFailed:
    """`code` is negative for the signal that ended the child."""
    if code == -signal.SIGXCPU:
        return ChildFailed(Ablehnung.ZU_AUFWENDIG)
    # SIGKILL comes from the kernel when the machine has no memory left: time ends with SIGXCPU.
    if code == -signal.SIGKILL or MEMORY_SIGNS.search(stderr):
        return ChildFailed(Ablehnung.SPEICHER)
    if code < 0:
        satz = f"Das Leseprogramm ist an der PDF-Datei abgestürzt (Signal {-code})."
    else:
        satz = (
            f"Das Leseprogramm hat die PDF-Datei nicht verarbeitet (Fehler {code}). Der Grund "
            "steht im Protokoll des Servers und muss nicht an der Datei liegen."
        )
    return ChildFailed(Ablehnung.ABSTURZ, satz)
