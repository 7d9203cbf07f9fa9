"""Builds outdated indexes again (docs/reference/programme.md)."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from programme.embeddings import EinbettungFehler
from programme.ingesting import is_current
from programme.management.argumente import add_processes
from programme.models import Programm
from programme.naming import UnklareAngaben
from programme.prozesse import ProzessVerloren
from programme.reembedding import reindex_all


class Command(BaseCommand):
    help = "Builds the index of every programme that a newer reading or model has overtaken."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_processes(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            outdated = [p for p in Programm.objects.order_by("pk") if not is_current(p)]
            done = reindex_all(outdated, processes=options["processes"])
            quiet = options["verbosity"] == 0
            for _ in tqdm(done, total=len(outdated), unit=" Programme", disable=quiet):
                pass
        except (UnklareAngaben, EinbettungFehler, ProzessVerloren) as failure:
            raise CommandError(str(failure)) from failure
        self.stdout.write(f"Programme: {len(outdated)} erneuert")
