"""Limits for child processes that open hostile files. Free of Django."""

import resource


def limit_this_process(*, memory_mb: int, seconds: int) -> None:
    """Caps address space and processor time of this process; no files, no core files."""
    memory = memory_mb * 1024 * 1024
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
