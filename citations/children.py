"""Starts the child processes that open PDFs, and hands their answers on.

A `subprocess`, not a fork: the queue's workers are daemonic and may not have children of the
multiprocessing kind, and a fresh process holds no secrets of this one.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from django.conf import settings

ROOT = Path(__file__).resolve().parent.parent


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
        raise ChildFailed("Das Lesen der Datei dauert zu lange.") from error
    if result.returncode:
        raise ChildFailed(_reason(result.returncode, result.stderr.decode(errors="replace")))
    status, _, body = result.stdout.partition(b"\n")
    if status == b"refused":
        raise ChildRefused(body.decode())
    return body


def _reason(code: int, stderr: str) -> str:
    if code in (-24, -9):  # SIGXCPU, or SIGKILL a second later
        return "Das Lesen der Datei dauert zu lange."
    if "MemoryError" in stderr or "malloc" in stderr or "std::bad_alloc" in stderr:
        return "Die Datei braucht beim Lesen zu viel Speicher."
    return "Die PDF-Datei ist beschädigt und lässt sich nicht lesen."
