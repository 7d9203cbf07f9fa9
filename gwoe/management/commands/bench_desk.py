"""Measures the pages of the desk in a large database (docs/reference/commands.md)."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from gwoe.bench import arbeitsplatz
from gwoe.bench.grossbestand import Umfang


class Command(BaseCommand):
    help = "Measures how long each page of the desk takes with 10,000 assessments."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--only", metavar="TEXT", default="", help="pages whose name has this in it"
        )

    def handle(self, *args: Any, only: str, **options: Any) -> None:
        failed = 0
        for zeile in arbeitsplatz.zeilen(Umfang(), only=only):
            self.stdout.write(str(zeile))
            failed += zeile.haelt is False
        self.stdout.write(f"Verfehlte Ziele: {failed}")
