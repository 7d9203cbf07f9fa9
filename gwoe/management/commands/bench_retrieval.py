"""Measures how long retrieval and indexing take (docs/reference/retrieval.md)."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from gwoe.bench import suche
from gwoe.bench.quellen import SAMPLES


class Command(BaseCommand):
    help = "Measures searches in a large index made of a folder's programmes, and indexing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "folder",
            nargs="?",
            type=Path,
            default=SAMPLES,
            metavar="DIR",
            help="folder with PDF files of programmes; otherwise the shipped samples",
        )
        parser.add_argument(
            "--passages", type=int, default=suche.PASSAGEN, help="passages in the index"
        )

    def handle(self, *args: Any, folder: Path, passages: int, **options: Any) -> None:
        paths = sorted(folder.rglob("*.pdf"), key=lambda path: (-path.stat().st_size, path.name))
        if not paths:
            raise CommandError(f"In {folder} liegen keine PDF-Dateien.")
        if passages < 1:
            raise CommandError("Der Index braucht mindestens eine Passage.")
        failed = 0
        for zeile in suche.zeilen(paths, passagen=passages):
            self.stdout.write(str(zeile))
            failed += zeile.haelt is False
        self.stdout.write(f"Verfehlte Ziele: {failed}")
