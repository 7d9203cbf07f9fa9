from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connections

from gwoe.postgres.base import DatabaseWrapper
from gwoe.postgres.server import ServerError


class Command(BaseCommand):
    help = "Starts, stops or shows the embedded database server."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("verb", choices=["start", "stop", "status"])

    def handle(self, *args: Any, verb: str, **options: Any) -> None:
        connection = connections["default"]
        if not isinstance(connection, DatabaseWrapper):
            raise CommandError("DATABASE_URL ist gesetzt: Jener Server wird anderswo verwaltet.")
        server = connection.server
        try:
            if verb == "start":
                server.ensure_running()
            elif verb == "stop":
                self.stdout.write("Beendet." if server.stop() else "Lief nicht.")
                return
        except ServerError as error:
            raise CommandError(str(error)) from error
        state = "läuft" if server.is_running() else "läuft nicht"
        self.stdout.write(f"Mitgeliefertes PostgreSQL {state}; Daten in {server.home}")
