"""Tells the queue what it does every night, and what every few minutes."""

from datetime import datetime, time, timedelta
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone
from django_q.models import Schedule

# German time, when few read.
AT = time(3, 10)
NIGHTLY = {
    "verify_citations": "assessments.tasks.verify_nightly",
    "forget_reports": "meldungen.tasks.forget",
}
# Names, functions, and every how many minutes.
OFTEN = {"count_drafts": ("assessments.tasks.count_drafts", 10)}


class Command(BaseCommand):
    help = "Create the queue's schedules (idempotent; a changed time is kept)."

    def handle(self, *args: Any, **options: Any) -> None:
        for name, function in NIGHTLY.items():
            self._keep(name, function, schedule_type=Schedule.DAILY, next_run=_next_night())
        for name, (function, minutes) in OFTEN.items():
            self._keep(name, function, schedule_type=Schedule.MINUTES, minutes=minutes)

    def _keep(self, name: str, function: str, **when: Any) -> None:
        schedule, created = Schedule.objects.get_or_create(
            name=name, defaults={"func": function, **when}
        )
        if schedule.func != function:
            schedule.func = function
            schedule.save(update_fields=["func"])
        state = "eingerichtet" if created else "ist da"
        next_run = timezone.localtime(schedule.next_run)
        self.stdout.write(f"{name}: {state}, das nächste Mal am {next_run:%d.%m.%Y um %H:%M} Uhr")


def _next_night() -> datetime:
    now = timezone.localtime()
    tonight = now.replace(hour=AT.hour, minute=AT.minute, second=0, microsecond=0)
    return tonight if tonight > now else tonight + timedelta(days=1)
