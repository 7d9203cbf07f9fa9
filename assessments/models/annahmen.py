"""When an editor last stood for a quote, and since when the newest check says what it says."""

from collections.abc import Iterable
from datetime import datetime
from itertools import groupby
from typing import TYPE_CHECKING

from citations.models import Pruefung

from .event import ReviewEvent

if TYPE_CHECKING:
    from .beleg import BelegQuerySet


def confirmations(belege: "BelegQuerySet") -> dict[int, datetime]:
    """By Zitat: when an editor last accepted one of its uses, knowing that it cannot be proved."""
    accepted = acceptances(belege)
    since = outcome_since(accepted, Pruefung.Ergebnis.NICHT_BEWEISBAR)
    return {pk: am for pk, am in accepted.items() if pk in since and am >= since[pk]}


def outcome_since(zitat_ids: Iterable[int], *ergebnisse: str) -> dict[int, datetime]:
    """When the unbroken row of the newest outcome began; left out where it is none of these."""
    rows = Pruefung.objects.filter(zitat__in=set(zitat_ids)).order_by("zitat", "-am", "-pk")
    since = {}
    for pk, checks in groupby(rows, key=lambda check: check.zitat_id):
        ergebnis, newest = next(groupby(checks, key=lambda check: check.ergebnis))
        if ergebnis in ergebnisse:
            since[pk] = list(newest)[-1].am
    return since


def acceptances(belege: "BelegQuerySet") -> dict[int, datetime]:
    """By Zitat: when an editor, not the machine, last accepted it."""
    events = ReviewEvent.objects.filter(
        verb="accept", by__isnull=False, beleg__in=belege.angenommen()
    )
    return dict(events.order_by("am").values_list("beleg__zitat", "am"))
