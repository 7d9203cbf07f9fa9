"""Ends programmes that a later election has overtaken (docs/reference/programme.md)."""

from typing import Any

from django.core.management.base import BaseCommand

from programme.validity import close_open_ends


class Command(BaseCommand):
    help = (
        "Ends programmes with an open end that a later election or a newer basic programme has "
        "overtaken; run after load_parlamente. Stated and computed ends are kept."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        closed = close_open_ends()
        for programm in closed:
            self.stdout.write(f"{programm}: {programm.geltung}")
        self.stdout.write(f"Programme: {len(closed)} beendet")
