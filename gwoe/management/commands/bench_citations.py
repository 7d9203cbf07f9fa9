"""Measures the citation engine and prints its bars (docs/reference/citations.md)."""

from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from gwoe.bench import faelle, marken, nachweis, saetze, seiten, tempo, zitate
from gwoe.bench.quellen import SAMPLES, Ordner
from gwoe.bench.zeile import Zeile


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
        parser.add_argument("--only", nargs="+", choices=list(PARTS), help="measure these only")
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
            for zeile in PARTS[part](ordner, options["forge"]):
                self.stdout.write(str(zeile))
                failed += zeile.haelt is False
        self.stdout.write(f"Nicht lesbar: {', '.join(sorted(set(ordner.unreadable))) or 'keine'}")
        self.stdout.write(f"Verfehlte Ziele: {failed}")


def _default() -> Path:
    shared = Path(settings.BASE_DIR).parent / "shared" / "data"
    return shared if shared.is_dir() else SAMPLES


def _quotes(ordner: Ordner, forge: int) -> Iterator[Zeile]:
    if (ordner.folder / zitate.EVAL).exists():
        yield from zitate.zeilen(zitate.golden(ordner.folder), "Prüfsatz")
    if forge:
        yield from zitate.zeilen(zitate.forged(ordner, je_klasse=forge), "Gefälscht")


def _sentences(ordner: Ordner, forge: int) -> Iterator[Zeile]:
    if (ordner.folder / saetze.PAIRS).exists():
        yield from saetze.zeilen(ordner)


def _cases(ordner: Ordner, forge: int) -> Iterator[Zeile]:
    if (ordner.folder / faelle.CASES).exists():
        yield from faelle.zeilen(ordner.folder)


# Each yields its rows, none where the folder has no material for it.
PARTS: dict[str, Callable[[Ordner, int], Iterator[Zeile]]] = {
    "zitate": _quotes,
    "saetze": _sentences,
    "faelle": _cases,
    "marken": lambda ordner, forge: marken.zeilen(list(ordner.quellen())),
    "tempo": lambda ordner, forge: tempo.zeilen(list(ordner.quellen())),
    "nachweis": lambda ordner, forge: nachweis.zeilen(ordner.programme),
    "seiten": lambda ordner, forge: seiten.zeilen(ordner.programme),
}
