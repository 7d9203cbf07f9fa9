"""django-q2's command with our guard (gwoe/sentinel.py) and an exit status that tells."""

from multiprocessing import active_children
from typing import Any

from django.core.management.base import CommandError
from django_q import cluster
from django_q.management.commands import qcluster

from gwoe.sentinel import Sentinel


class Command(qcluster.Command):
    help = "Works through the queue until it is told to end."

    def handle(self, *args: Any, **options: Any) -> None:
        # django-q2 has no setting for it; Cluster.start looks the name up in its module.
        cluster.Sentinel = Sentinel
        super().handle(*args, **options)
        for child in active_children():
            child.join()
            if child.exitcode:
                raise CommandError("Die Warteschlange ist abgebrochen. Näheres steht im Protokoll.")
