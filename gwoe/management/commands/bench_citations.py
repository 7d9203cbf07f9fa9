"""Measures the citation engine and prints its bars (docs/reference/citations.md)."""

from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from gwoe.bench import faelle, marken, saetze, tempo, zitate
from gwoe.bench.quellen import SAMPLES, Ordner
from gwoe.bench.zeile import Zeile

PARTS = ("zitate", "saetze", "faelle", "marken", "tempo")


class Command(BaseCommand):
    help = "Measures placing, marking and checking of quotes over a folder of PDF files."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "folder",
            nargs="?",
            type=Path,
            metavar="DIR",
            help="folder with PDF files; otherwise ../shared/data, or the shipped samples",
        )
        parser.add_argument("--only", nargs="+", choices=PARTS, help="measure these parts only")
        parser.add_argument(
            "--forge", type=int, default=12, help="forged quotes of each class per file"
        )

    def handle(self, *args: Any, folder: Path | None, **options: Any) -> None:
        ordner = Ordner(folder or _default())
        if not ordner.names:
            raise CommandError(f"In {ordner.folder} liegen keine PDF-Dateien.")
        self.stdout.write(f"{len(ordner.names)} Dateien in {ordner.folder}")
        failed = 0
        for part in options["only"] or PARTS:
            for zeile in _measure(part, ordner, options["forge"]):
                self.stdout.write(str(zeile))
                failed += zeile.haelt is False
        self.stdout.write(f"Nicht lesbar: {', '.join(sorted(set(ordner.unreadable))) or 'keine'}")
        self.stdout.write(f"Verfehlte Ziele: {failed}")


def _default() -> Path:
    shared = Path(settings.BASE_DIR).parent / "shared" / "data"
    return shared if shared.is_dir() else SAMPLES


def _measure(part: str, ordner: Ordner, je_klasse: int) -> Iterator[Zeile]:
    """The part's rows; what the folder has no material for is left out."""
    folder = ordner.folder
    match part:
        case "zitate":
            if (folder / zitate.EVAL).exists():
                yield from zitate.zeilen(zitate.golden(folder), "Prüfsatz")
            if je_klasse:
                yield from zitate.zeilen(zitate.forged(ordner, je_klasse=je_klasse), "Gefälscht")
        case "saetze" if (folder / saetze.PAIRS).exists():
            yield from saetze.zeilen(ordner)
        case "faelle" if (folder / faelle.CASES).exists():
            yield from faelle.zeilen(folder)
        case "marken":
            yield from marken.zeilen(list(ordner.quellen()))
        case "tempo":
            yield from tempo.zeilen(list(ordner.quellen()))
