"""Calls spread over the cores, their results in the order of the calls."""

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")

# Calls per process that are on their way or wait to be stored: bounds the memory.
AHEAD = 2


class ProzessVerloren(RuntimeError):
    """A process was ended from outside, as by a machine without memory; the message is German."""

    def __init__(self) -> None:
        super().__init__(
            "Ein Arbeitsprozess wurde beendet, vielleicht aus Mangel an Speicher. Was eingelesen "
            "ist, bleibt; derselbe Befehl macht weiter, mit --processes 1 sparsamer."
        )


def cores() -> int:
    return os.cpu_count() or 1


def in_order(
    calls: Iterable[tuple[T, Callable[[], R]]], *, processes: int
) -> Iterator[tuple[T, Callable[[], R]]]:
    """Pairs of a key and what gives the call's result, or raises what the call raised.

    With one process everything happens in this one. Otherwise the calls must be picklable and do
    without the database; they are taken from `calls` no faster than their results are used.
    Getting a result raises ProzessVerloren where a process was lost.
    """
    ahead = AHEAD * processes if processes > 1 else 1
    waiting: deque[tuple[T, Future[R]]] = deque()
    with _executor(processes) as executor:
        try:
            for key, call in calls:
                waiting.append((key, _submit(executor, call)))
                if len(waiting) == ahead:
                    yield _next(waiting)
            while waiting:
                yield _next(waiting)
        finally:
            executor.shutdown(cancel_futures=True)


def _next(waiting: deque[tuple[T, Future[R]]]) -> tuple[T, Callable[[], R]]:
    key, future = waiting.popleft()

    def result() -> R:
        try:
            return future.result()
        except BrokenProcessPool:
            raise ProzessVerloren from None

    return key, result


def _submit(executor: Executor, call: Callable[[], R]) -> Future[R]:
    try:
        return executor.submit(call)
    except BrokenProcessPool as failure:  # the result says so, in its turn
        future: Future[R] = Future()
        future.set_exception(failure)
        return future


def _executor(processes: int) -> Executor:
    if processes == 1:
        return _Here()
    # Not forked: threads of the libraries and the connection to the database are not copied.
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(processes, mp_context=context, initializer=_start)


class _Here(Executor):
    """Makes each call at once, in this process."""

    def submit(self, fn, /, *args, **kwargs):
        future = Future()  # type: ignore[var-annotated]
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as failure:  # noqa: BLE001  handed on, as by every executor
            future.set_exception(failure)
        return future


def _start() -> None:
    """In a new process, before any call."""
    import django  # the calls are unpickled behind this, and name models

    django.setup()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all; the first process decides
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A killed parent says nothing, and waiting for its next call would last for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
