"""Many editors at once at a real server, and what holds afterwards (docs/reference/commands.md)."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from gwoe.bench import redakteure


class Command(BaseCommand):
    help = "Lets many editors work at once, also while processes are killed, and checks the result."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--editors", type=int, default=50, help="default: 50")
        parser.add_argument("--seconds", type=float, default=60.0, help="default: 60")
        parser.add_argument("--seed", type=int, default=1, help="another behaviour; default: 1")
        parser.add_argument(
            "--kill",
            action="store_true",
            help="kill a web worker, a queue worker and the database meanwhile",
        )

    def handle(
        self, *args: Any, editors: int, seconds: float, seed: int, kill: bool, **options: Any
    ) -> None:
        if not hasattr(connection, "server"):
            raise CommandError("Das geht nur mit der mitgelieferten Datenbank.")
        if not 1 <= editors <= 200 or not 1 <= seconds <= 3600:
            raise CommandError("Erlaubt sind 1 bis 200 Personen und 1 bis 3600 Sekunden.")
        failed = 0
        for zeile in redakteure.zeilen(editors=editors, seconds=seconds, kill=kill, seed=seed):
            self.stdout.write(str(zeile))
            failed += zeile.haelt is False
        self.stdout.write(f"Verfehlte Ziele: {failed}")
        if failed:
            raise CommandError("Etwas gilt nicht, das gelten muss.")
