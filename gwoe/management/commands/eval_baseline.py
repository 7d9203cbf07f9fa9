"""Compares retrieval with its checked-in figures, or writes them (docs/reference/retrieval.md)."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from gwoe.bench import grundwerte, schaubild
from gwoe.bench.grundwerte import LAEUFE, Ergebnis


class Command(BaseCommand):
    help = "Measures retrieval on all golden sets at hand against docs/evals."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--shared", type=Path, help="folder with data/eval; otherwise ../shared where it exists"
        )
        parser.add_argument(
            "--only", nargs="+", choices=[lauf.name for lauf in LAEUFE], help="measure these only"
        )
        parser.add_argument(
            "--write", action="store_true", help="write the figures, their table and their plot"
        )

    def handle(self, *args: Any, shared: Path | None, write: bool, **options: Any) -> None:
        shared = shared or _default()
        measured: dict[str, Ergebnis] = {}
        for lauf in LAEUFE:
            if options["only"] and lauf.name not in options["only"]:
                continue
            if result := grundwerte.measure(lauf, shared):
                measured[lauf.name] = result
                self._print(lauf.name, result)
        if write:
            grundwerte.write(measured)
            _draw()
        else:
            _require_no_fall(measured)

    def _print(self, name: str, result: Ergebnis) -> None:
        for leg, figures in result["legs"].items():
            listed = "  ".join(f"{key} {figures[key]:.3f}" for key in grundwerte.FIGURES)
            self.stdout.write(f"{name:20} {leg:10} {listed}")
        self.stdout.write(f"{name:20} {'empty':10} {result['empty']}")


def _default() -> Path | None:
    shared = grundwerte.ROOT.parent / "shared"
    return shared if (shared / "data" / "eval").is_dir() else None


def _draw() -> None:
    known = grundwerte.read()
    schaubild.BILD.write_text(schaubild.schaubild(known), encoding="utf-8")
    page = schaubild.SEITE.read_text(encoding="utf-8")
    schaubild.SEITE.write_text(schaubild.with_tabelle(page, known), encoding="utf-8")


def _require_no_fall(measured: dict[str, Ergebnis]) -> None:
    """Raises CommandError; figures that are not written yet cannot fall."""
    known = grundwerte.read()
    fallen = [
        f"{name}: {fall}"
        for name, result in measured.items()
        if name in known
        for fall in grundwerte.falls(known[name], result)
    ]
    if fallen:
        raise CommandError("\n".join(["Schlechter als zuvor:", *fallen]))
