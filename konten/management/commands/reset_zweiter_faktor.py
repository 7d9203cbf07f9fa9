"""For the operator, when nobody is left who could do it in the admin."""

from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError, CommandParser

from konten import zweiter_faktor


class Command(BaseCommand):
    help = "Take the second factor off an account; its next log-in sets up a new one."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username", help="user name of the account")

    def handle(self, *args: Any, **options: Any) -> None:
        name = options["username"]
        konto = get_user_model().objects.filter(username=name).first()
        if konto is None:
            raise CommandError(f"Ein Konto „{name}“ gibt es nicht.")
        if not zweiter_faktor.reset(konto, by=None):
            raise CommandError(f"„{name}“ hat keinen zweiten Faktor.")
        self.stdout.write(f"Zurückgesetzt. „{name}“ richtet ihn beim nächsten Anmelden neu ein.")
