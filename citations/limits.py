"""Limits for child processes that open hostile files. Free of Django."""

import os
import resource
from typing import BinaryIO


def limit_this_process(*, memory_mb: int, seconds: int) -> None:
    """Caps address space and processor time of this process; no files, no core files."""
    memory = memory_mb * 1024 * 1024
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def answer_channel() -> BinaryIO:
    """Standard output for the answer alone; what an engine prints there goes to standard error.

    MuPDF writes its warnings to standard output, with words of the document in them.
    """
    channel = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return channel


def allow_processor_time(seconds: int) -> None:
    """So many more from now on, for a process that answers many requests."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    soft = int(used.ru_utime + used.ru_stime) + 1 + seconds
    resource.setrlimit(resource.RLIMIT_CPU, (min(soft, hard), hard))
