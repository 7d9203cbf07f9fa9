"""Prints how often retrieval finds what it should (docs/reference/programme.md)."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from programme.evaluation import measure, read_golden


class Command(BaseCommand):
    help = "Measures retrieval over the ingested programmes; sets no threshold."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--golden",
            nargs="+",
            type=Path,
            required=True,
            help="JSON-lines files of questions or motions with the passages that answer them",
        )

    def handle(self, *args: Any, golden: list[Path], **options: Any) -> None:
        for path in golden:
            self.stdout.write(
                f"{path.name:16.16} {'n':>5} {'recall@5':>9} {'recall@8':>9} {'MRR':>6}"
            )
            for partei, messung in sorted(measure(read_golden(path)).items()):
                self.stdout.write(f"{partei:16} {messung}")
