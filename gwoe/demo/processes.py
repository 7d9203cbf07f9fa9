"""Child processes of the demo: started in groups of their own, stopped as a group."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# A worker ends its task first; a model call of the samples takes less than a second.
STOP_SECONDS = 20


@contextmanager
def running(
    *arguments: str, env: Mapping[str, str], log: Path
) -> Iterator[subprocess.Popen[bytes]]:
    """`python arguments…` in the background; its output goes to `log`."""
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as output:
        process = subprocess.Popen(  # noqa: S603  our own commands, no shell
            [sys.executable, *arguments],
            cwd=ROOT,
            env=os.environ | dict(env),
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # Ctrl-C reaches the demo alone, which then stops the group
        )
    try:
        yield process
    finally:
        stop(process)


def stop(process: subprocess.Popen[bytes]) -> None:
    """Asks the parent to end, then ends what is left of its group.

    The queue's parent stops its own workers; told to all at once, they wait for each other.
    """
    process.terminate()
    with suppress(subprocess.TimeoutExpired):
        process.wait(STOP_SECONDS)
    _signal_group(process, signal.SIGKILL)
    process.wait()


def _signal_group(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    with suppress(ProcessLookupError):  # it ended by itself
        os.killpg(process.pid, number)
