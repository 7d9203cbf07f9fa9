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
from pathlib import Path
from typing import Any

from django.conf import settings

logger = logging.getLogger(__name__)

ROOT = Path(__file__).resolve().parent.parent
TOO_SLOW = "Das Lesen der Datei dauert zu lange."
TOO_BIG = "Die Datei braucht beim Lesen zu viel Speicher."
# What Python, the C library and the engines say when the address space is used up.
MEMORY_SIGNS = re.compile(
    r"MemoryError|bad_alloc|malloc|realloc|out of memory|Cannot allocate memory|failed to map",
    re.IGNORECASE,
)
# Of a traceback only where and which: the exception's words could be the document's.
FRAME = re.compile(r'^\s+File "([^"]+)", line (\d+), in (\S+)')
EXCEPTION = re.compile(r"^([A-Za-z_][\w.]*(?:Error|Exception|Interrupt|Exit))\b")
# Frames that are logged, the innermost ones.
FRAMES = 6


class ChildFailed(Exception):
    """The child crashed or ran into a limit; the message says which, in German."""


class ChildRefused(Exception):
    """The child looked at the file and says in German why it cannot be used."""


def run_child(module: str, request: dict[str, Any], data: bytes) -> bytes:
    """Runs `module` on `data`. Raises ChildRefused or ChildFailed."""
    limits = {"memory_mb": settings.PDF_MAX_MEMORY_MB, "seconds": settings.PDF_MAX_SECONDS}
    header = json.dumps(request | limits).encode() + b"\n"
    try:
        result = subprocess.run(  # noqa: S603  our own module, no shell
            [sys.executable, "-m", module],
            input=header + data,
            capture_output=True,
            timeout=settings.PDF_MAX_SECONDS + 5,
            cwd=ROOT,
            env={"PATH": os.environ.get("PATH", ""), "PYTHONPATH": str(ROOT)},
        )
    except subprocess.TimeoutExpired as error:
        raise ChildFailed(TOO_SLOW) from error
    if result.returncode:
        stderr = result.stderr.decode(errors="replace")
        logger.warning("%s ended with %d: %s", module, result.returncode, trace(stderr))
        raise ChildFailed(reason(result.returncode, stderr))
    status, _, body = result.stdout.partition(b"\n")
    if status == b"refused":
        raise ChildRefused(body.decode())
    if status != b"ok":
        raise ChildFailed("Das Leseprogramm antwortete nicht in der vereinbarten Form.")
    return body


def trace(stderr: str) -> str:
    """The end of a traceback without its words: frames, and the name of the exception."""
    lines = stderr.splitlines()
    frames = [f"{Path(m[1]).name}:{m[2]} {m[3]}" for m in map(FRAME.match, lines) if m]
    names = [m[1] for m in map(EXCEPTION.match, lines) if m]
    return " > ".join([*frames[-FRAMES:], *names[-1:]]) or "no traceback"


def reason(code: int, stderr: str) -> str:
    """In German; `code` is negative for the signal that ended the child."""
    if code == -signal.SIGXCPU:
        return TOO_SLOW
    # SIGKILL comes from the kernel when the machine has no memory left: time ends with SIGXCPU.
    if code == -signal.SIGKILL or MEMORY_SIGNS.search(stderr):
        return TOO_BIG
    if code < 0:
        return f"Das Leseprogramm ist an der PDF-Datei abgestürzt (Signal {-code})."
    return (
        f"Das Leseprogramm hat die PDF-Datei nicht verarbeitet (Fehler {code}). Der Grund steht "
        "im Protokoll des Servers und muss nicht an der Datei liegen."
    )
