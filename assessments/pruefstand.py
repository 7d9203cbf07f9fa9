"""What the independent check says about quotes today, and whether readers may rely on it."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from citations.models import Pruefung

from .models.annahmen import confirmations, outcome_since
from .models.einwaende import DOUBTS
from .public import public_belege

Ergebnis = Pruefung.Ergebnis


@dataclass(frozen=True, slots=True)
class Pruefstand:
    """The newest check of one Zitat; `seit` is when this doubt first came up in a row.

    `bestaetigt_am` is when an editor confirmed what cannot be proved (`bestaetigung`).
    """

    ergebnis: str = ""
    grund: str = ""
    gegenstand: str = ""
    am: datetime | None = None
    seit: datetime | None = None
    bestaetigt_am: datetime | None = None

    @property
    def ist_bewiesen(self) -> bool:
        return self.ergebnis == Ergebnis.BEWIESEN

    @property
    def ist_bestaetigt(self) -> bool:
        return self.bestaetigt_am is not None

    @property
    def in_pruefung(self) -> bool:
        """Not proved and not confirmed: readers are told, and nothing is marked yellow."""
        return not self.ist_bewiesen and not self.ist_bestaetigt


def pruefstaende(zitat_ids: Iterable[int]) -> dict[int, Pruefstand]:
    """One for each Zitat; in two queries more where there are doubts, however many."""
    ids = set(zitat_ids)
    newest = _newest(ids)
    doubted = {pk for pk, pruefung in newest.items() if pruefung.ergebnis in DOUBTS}
    since = outcome_since(doubted, *DOUBTS) if doubted else {}
    confirmed = confirmations(public_belege().filter(zitat__in=doubted)) if doubted else {}
    return {
        pk: Pruefstand(
            ergebnis=newest[pk].ergebnis if pk in newest else "",
            grund=newest[pk].grund if pk in newest else "",
            gegenstand=newest[pk].gegenstand if pk in newest else "",
            am=newest[pk].am if pk in newest else None,
            seit=since.get(pk),
            bestaetigt_am=confirmed.get(pk),
        )
        for pk in ids
    }


def _newest(ids: set[int]) -> dict[int, Pruefung]:
    rows = Pruefung.objects.filter(zitat__in=ids).order_by("zitat", "-am", "-pk")
    return {row.zitat_id: row for row in rows.distinct("zitat")}
