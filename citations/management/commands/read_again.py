"""Reads stored documents with the current reader (docs/adr/0005)."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from citations.models import Dokument
from citations.reading import UnbrauchbaresDokument, read_again


class Command(BaseCommand):
    help = (
        "Reads documents with the current reader. Older readings and the quotes in them stay; "
        "afterwards run index_programme."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        which = parser.add_mutually_exclusive_group(required=True)
        which.add_argument("pks", nargs="*", type=int, default=[], metavar="PK")
        which.add_argument("--all", action="store_true", help="every stored document")

    def handle(self, *args: Any, pks: list[int], **options: Any) -> None:
        dokumente = _dokumente(pks, everything=options["all"])
        self.new = 0
        self.failures: list[str] = []
        for dokument in tqdm(dokumente, unit="Datei", disable=options["verbosity"] == 0):
            self._read(dokument)
        unchanged = len(dokumente) - self.new - len(self.failures)
        self.stdout.write(
            f"Lesungen: {self.new} neu, {unchanged} unverändert, {len(self.failures)} gescheitert"
        )
        if self.failures:
            raise CommandError("\n".join(["Nicht gelesen:", *self.failures]))

    def _read(self, dokument: Dokument) -> None:
        try:
            _, created = read_again(dokument)
        except UnbrauchbaresDokument as failure:
            self.failures.append(f"{dokument} ({dokument.pk}): {failure}")
        else:
            self.new += created


def _dokumente(pks: list[int], *, everything: bool) -> list[Dokument]:
    """Raises CommandError for a key that no document has."""
    if everything:
        return list(Dokument.objects.order_by("pk"))
    found = Dokument.objects.in_bulk(pks)
    missing = [str(pk) for pk in pks if pk not in found]
    if missing:
        raise CommandError(f"Diese Dokumente gibt es nicht: {', '.join(missing)}.")
    return [found[pk] for pk in dict.fromkeys(pks)]
