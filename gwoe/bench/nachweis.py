"""How fast stored quotes are proved again."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from django.db import transaction
from django.test.utils import override_settings

from assessments.pruefgang import verify

from .bestand import read_files, store_assessment
from .datenbank import scratch
from .zeile import Zeile, at_least

FILES, ZITATE = 30, 20_000


@dataclass(frozen=True)
class Nachweis:
    dateien: int
    zitate: int
    bewiesen: int
    sekunden: float

    @property
    def je_sekunde(self) -> float:
        return self.zitate / self.sekunden


def zeilen(paths: Sequence[Path]) -> Iterator[Zeile]:
    """Of the first FILES of the paths."""
    if not paths:
        return
    with scratch():
        n = measure_verification(paths[:FILES], zitate=ZITATE)
    was = f"Nachweise je Sekunde ({n.zitate:,} Zitate in {n.dateien} Dateien)"
    yield Zeile(was, f"{n.je_sekunde:,.0f}", "≥ 2,000", n.je_sekunde >= 2000)
    yield at_least("  davon bewiesen", n.bewiesen, n.zitate, 99.5)


def measure_verification(paths: Sequence[Path], *, zitate: int) -> Nachweis:
    """Proves so many quotes in the files; all evidence of the database is checked along with them.

    Everything is rolled back; the files lie in a folder of their own meanwhile.
    """
    dateien = read_files(paths)
    with TemporaryDirectory() as media, override_settings(MEDIA_ROOT=media), transaction.atomic():
        store_assessment(dateien, zitate=zitate)
        begin = perf_counter()
        bilanz = verify(fresh=True)
        seconds = perf_counter() - begin
        transaction.set_rollback(True)
    return Nachweis(len(dateien), bilanz.total.checked, bilanz.total.proved, seconds)
