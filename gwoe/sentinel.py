"""The guard of django-q2's processes, which ends the queue where it would stand still for ever."""

import sys
from typing import Any

from django_q import cluster
from django_q.conf import logger

IDLE = -1  # of a worker's timer; from taking a task to its result it counts seconds down


class Sentinel(cluster.Sentinel):
    """Replaces killed processes like django-q2's, unless one may have taken a lock along.

    Whoever waits for the next entry of a multiprocessing queue holds the queue's lock meanwhile.
    Killed there, it leaves the lock held, and its successor and all others wait for ever. The
    whole cluster ends then, and its supervisor starts a new one (docs/how-to/deploy.md).
    """

    def reincarnate(self, process: Any) -> None:
        if is_killed(process) and self.may_hold_a_lock(process):
            logger.critical("%s was killed while it waited; the queue ends", process.name)
            sys.exit(1)  # multiprocessing ends the other processes with this one
        super().reincarnate(process)

    def may_hold_a_lock(self, process: Any) -> bool:
        """An idle worker waits for tasks, the monitor for results."""
        return process is self.monitor or (process in self.pool and process.timer.value == IDLE)


def is_killed(process: Any) -> bool:
    return process.exitcode is not None and process.exitcode < 0
