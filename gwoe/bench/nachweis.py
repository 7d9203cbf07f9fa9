"""How fast stored quotes are proved again, for `docs/explanation/limits.md`."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from django.db import transaction
from django.test.utils import override_settings

from assessments.pruefgang import verify

from .bestand import read_files, store_assessment


@dataclass(frozen=True)
class Nachweis:
    dateien: int
    zitate: int
    bewiesen: int
    sekunden: float

    @property
    def je_sekunde(self) -> float:
        return self.zitate / self.sekunden


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
