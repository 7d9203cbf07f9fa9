"""Builds outdated indexes again (docs/reference/programme.md)."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from programme.embeddings import EinbettungFehler
from programme.ingesting import is_current, reindex
from programme.models import Programm
from programme.naming import UnklareAngaben
from programme.wortschatz import count_words


class Command(BaseCommand):
    help = "Builds the index of every programme that a newer reading or model has overtaken."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            outdated = [p for p in Programm.objects.order_by("pk") if not is_current(p)]
            for programm in tqdm(outdated, unit=" Programme", disable=options["verbosity"] == 0):
                reindex(programm)
            count_words()
        except (UnklareAngaben, EinbettungFehler) as failure:
            raise CommandError(str(failure)) from failure
        self.stdout.write(f"Programme: {len(outdated)} erneuert")
