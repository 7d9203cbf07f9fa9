"""What the independent check says about quotes today, and whether readers may rely on it."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from citations.models import Pruefung

from .models import Beleg, ReviewEvent
from .public import READABLE

Ergebnis = Pruefung.Ergebnis


@dataclass(frozen=True, slots=True)
class Pruefstand:
    """The newest check of one Zitat; `seit` is when this outcome first came in a row.

    `bestaetigt_am` is the last time that an editor, not the machine, accepted the place.
    """

    ergebnis: str = ""
    grund: str = ""
    am: datetime | None = None
    seit: datetime | None = None
    bestaetigt_am: datetime | None = None

    @property
    def ist_bewiesen(self) -> bool:
        return self.ergebnis == Ergebnis.BEWIESEN

    @property
    def ist_bestaetigt(self) -> bool:
        """An editor looked after the outcome first came up; the same outcome again is no news."""
        if self.bestaetigt_am is None:
            return False
        return self.seit is None or self.bestaetigt_am >= self.seit

    @property
    def in_pruefung(self) -> bool:
        """Not proved and not confirmed: readers are told, and nothing is marked yellow."""
        return not self.ist_bewiesen and not self.ist_bestaetigt


def pruefstaende(zitat_ids: Iterable[int]) -> dict[int, Pruefstand]:
    """One for each Zitat, in a fixed number of queries."""
    ids = set(zitat_ids)
    newest = _newest(ids)
    unproved = {pk for pk in ids if pk not in newest or newest[pk].ergebnis != Ergebnis.BEWIESEN}
    since, confirmed = _since(unproved), _confirmed(unproved)
    return {
        pk: Pruefstand(
            ergebnis=newest[pk].ergebnis if pk in newest else "",
            grund=newest[pk].grund if pk in newest else "",
            am=newest[pk].am if pk in newest else None,
            seit=since.get(pk),
            bestaetigt_am=confirmed.get(pk),
        )
        for pk in ids
    }


def _newest(ids: set[int]) -> dict[int, Pruefung]:
    rows = Pruefung.objects.filter(zitat__in=ids).order_by("zitat", "-am", "-pk")
    return {row.zitat_id: row for row in rows.distinct("zitat")}


def _since(ids: set[int]) -> dict[int, datetime]:
    """When the unbroken row of the newest outcome began."""
    rows = Pruefung.objects.filter(zitat__in=ids).order_by("zitat", "-am", "-pk")
    since = {}
    for pk, checks in groupby(rows, key=lambda check: check.zitat_id):
        _, newest_run = next(groupby(checks, key=lambda check: check.ergebnis))
        since[pk] = list(newest_run)[-1].am
    return since


def _confirmed(ids: set[int]) -> dict[int, datetime]:
    """When an editor last accepted the place in what is public by now."""
    events = ReviewEvent.objects.filter(
        verb="accept",
        by__isnull=False,
        beleg__zitat__in=ids,
        beleg__zustand=Beleg.Zustand.ANGENOMMEN,
        assessment__status__in=READABLE,
    )
    return dict(events.order_by("am").values_list("beleg__zitat", "am"))
