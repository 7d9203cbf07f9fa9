"""When an editor stands for a quote that the independent check cannot prove.

The one definition, for what readers see (`pruefstand`) and for the alarm of the verification
(`proof`): nobody can confirm what is refuted, and nobody confirmed a doubt that came up later.
"""

from collections.abc import Iterable
from datetime import datetime
from itertools import groupby

from django.db.models import Q, QuerySet

from citations.models import Pruefung

from .models import Beleg, ReviewEvent
from .public import READABLE


def is_confirmed(beleg: Beleg) -> bool:
    """As readers see the place; for what is not public, by its own decision as well."""
    readable = Q(assessment__status__in=READABLE)
    uses = Beleg.objects.filter(Q(pk=beleg.pk) | readable, zitat=beleg.zitat_id)
    return beleg.zitat_id in confirmations(uses)


def is_accepted_by_editor(beleg: Beleg) -> bool:
    """Whether a person, not the machine, decided that it counts; whatever the check says."""
    return beleg.zitat_id in _accepted(Beleg.objects.filter(pk=beleg.pk))


def confirmations(belege: QuerySet[Beleg]) -> dict[int, datetime]:
    """By Zitat: when an editor last accepted one of its uses, knowing that it cannot be proved."""
    accepted = _accepted(belege)
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


def _accepted(belege: QuerySet[Beleg]) -> dict[int, datetime]:
    """By Zitat: when an editor, not the machine, last accepted it."""
    events = ReviewEvent.objects.filter(
        verb="accept",
        by__isnull=False,
        beleg__in=belege.filter(zustand=Beleg.Zustand.ANGENOMMEN),
    )
    return dict(events.order_by("am").values_list("beleg__zitat", "am"))
