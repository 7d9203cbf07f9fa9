"""Builds outdated indexes again, and changes the embedding model (docs/reference/programme.md)."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from programme.embeddings import EinbettungFehler, configured_model, read_from
from programme.ingesting import is_current, reindex
from programme.models import Programm
from programme.naming import UnklareAngaben


class Command(BaseCommand):
    help = "Builds the index of every programme that a newer reading or model has overtaken."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--read",
            action="store_true",
            help="afterwards compare questions with the vectors of the configured model",
        )

    def handle(self, *args: Any, read: bool, **options: Any) -> None:
        outdated = [p for p in Programm.objects.order_by("pk") if not is_current(p)]
        try:
            for programm in tqdm(outdated, unit=" Programme", disable=options["verbosity"] == 0):
                reindex(programm)
            if read:
                read_from(configured_model())
        except (UnklareAngaben, EinbettungFehler) as failure:
            raise CommandError(str(failure)) from failure
        self.stdout.write(f"Programme: {len(outdated)} erneuert")
