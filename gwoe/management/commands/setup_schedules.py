"""Tells the queue what it does every night."""

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


class Command(BaseCommand):
    help = "Create the queue's nightly schedules (idempotent; a changed time of day is kept)."

    def handle(self, *args: Any, **options: Any) -> None:
        for name, function in NIGHTLY.items():
            schedule, created = Schedule.objects.get_or_create(
                name=name,
                defaults={
                    "func": function,
                    "schedule_type": Schedule.DAILY,
                    "next_run": _next_night(),
                },
            )
            if schedule.func != function:
                schedule.func = function
                schedule.save(update_fields=["func"])
            state = "eingerichtet" if created else "ist da"
            when = timezone.localtime(schedule.next_run)
            self.stdout.write(f"{name}: {state}, das nächste Mal am {when:%d.%m.%Y um %H:%M} Uhr")


def _next_night() -> datetime:
    now = timezone.localtime()
    tonight = now.replace(hour=AT.hour, minute=AT.minute, second=0, microsecond=0)
    return tonight if tonight > now else tonight + timedelta(days=1)
