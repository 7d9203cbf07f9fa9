"""How long each page of the desk takes in a large database, and how many queries it asks."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter

from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from assessments.addresses import antrag_address, zitat_address
from assessments.desk.rahmen import desk_url
from assessments.models import Assessment, Beleg
from assessments.public import public_zitate
from assessments.statistik import count_bilanzen

from . import grossbestand
from .datenbank import kept
from .grossbestand import STRIDE, Umfang, fill
from .zeile import Zeile

NAME = "desk"
BAR = 300
# Each page of an assessment is asked for with so many of them, one after the other.
OPENED = 20
# Somebody with every permission: most is on the page then.
PERSON = "leitung"


@dataclass(frozen=True)
class Messung:
    """`abfragen` is the largest number of queries of one call."""

    was: str
    zeiten: Sequence[float]
    abfragen: int

    @property
    def p95(self) -> float:
        return sorted(self.zeiten)[math.ceil(0.95 * len(self.zeiten)) - 1]

    @property
    def zeile(self) -> Zeile:
        wert = f"{median(self.zeiten):.0f} / {self.p95:.0f} ms, {self.abfragen:>2} Abfragen"
        return Zeile(f"{self.was}, Median/p95", wert, f"p95 ≤ {BAR} ms", self.p95 <= BAR)


def zeilen(umfang: Umfang, *, only: str = "") -> Iterator[Zeile]:
    """Of the pages with `only` in their name."""
    with kept(NAME, partial(fill, umfang), code=Path(grossbestand.__file__)):
        counts = Assessment.objects.count(), Beleg.objects.count()
        wartend = Assessment.objects.to_review().count()
        yield Zeile("Bewertungen, Belege", f"{counts[0]:,}, {counts[1]:,}")
        yield Zeile("in der Warteschlange", f"{wartend:,}")
        count_bilanzen()  # as the queue does every ten minutes
        for was, addresses in _pages().items():
            if only in was:
                yield measure(was, addresses).zeile


def measure(was: str, addresses: Sequence[str]) -> Messung:
    """Each once before, as a process that has just started reads and compiles its templates."""
    client = Client(headers={"host": "127.0.0.1"})
    client.force_login(get_user_model().objects.get(username=PERSON))
    queries = max(_queries(client, address) for address in addresses[:3])
    return Messung(was, [_milliseconds(client, address) for address in addresses], queries)


def _queries(client: Client, address: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        _open(client, address)
    return len(queries)


def _milliseconds(client: Client, address: str) -> float:
    begin = perf_counter()
    _open(client, address)
    return (perf_counter() - begin) * 1000


def _open(client: Client, address: str) -> None:
    answer = client.get(address)
    if answer.status_code != 200:
        raise ValueError(f"{address}: {answer.status_code}")


def _pages() -> dict[str, list[str]]:
    """Every kind of page, each with several addresses."""
    queue = reverse("admin:assessments_pruefauftrag_changelist")
    alle = reverse("admin:assessments_assessment_changelist")
    again = OPENED // 2
    return {
        "Übersicht": [reverse("admin:index")] * again,
        "Warteschlange": [queue] * again,
        "Warteschlange, Seite 2": [f"{queue}?p=2"] * again,
        "Warteschlange, Suche nach einem Wort": [f"{queue}?q=Hitze"] * again,
        "Warteschlange, Suche nach einer Drucksache": [f"{queue}?q=7/10100"] * again,
        **{f"Warteschlange, {name}": [f"{queue}?{name}"] * again for name in _filters()},
        **_desk_pages(),
        "Alle Bewertungen": [alle] * again,
        "Alle Bewertungen, letzte Seite": [f"{alle}?p={_last_page()}"] * again,
        "Alle Bewertungen, Suche": [f"{alle}?q=Hitze"] * again,
        "Alle Bewertungen, veröffentlicht": [f"{alle}?status=published"] * again,
        "Eine Bewertung": [
            reverse("admin:assessments_assessment_change", args=[assessment.pk])
            for assessment in Assessment.objects.public().order_by("pk")[:OPENED]
        ],
        "Läufe": [reverse("admin:assessments_lauf_changelist")] * again,
        **_public_pages(),
    }


def _filters() -> list[str]:
    partei = Assessment.objects.values_list("antrag__urheber__parteien", flat=True).first()
    return [
        *("risiko=offen", "risiko=negativ", "zustand=offen", "zustand=freigabe"),
        *("zustand=wartet", "belege=verworfen", "grund=zahl", f"partei={partei}"),
    ]


def _last_page() -> int:
    return math.ceil(Assessment.objects.count() / 50)


def _desk_pages() -> dict[str, list[str]]:
    waiting = list(Assessment.objects.to_review().filter(pk__gt=STRIDE)[:OPENED])
    belege = [assessment.belege.exclude(zustand="verworfen").first() for assessment in waiting]
    found = [beleg for beleg in belege if beleg]
    searches = [
        desk_url("stelle", beleg.assessment_id, beleg.pk, q="Hitzeschutz in Einrichtungen")
        for beleg in found
    ]
    return {
        "Prüftisch": [desk_url("pruefen", assessment.pk) for assessment in waiting],
        "Prüftisch, ein Beleg": [
            desk_url("pruefen", beleg.assessment_id, beleg=beleg.pk) for beleg in found
        ],
        **{
            f"Prüftisch, {name.capitalize()}": [desk_url(name, row.pk) for row in waiting]
            for name in ("felder", "vergleiche", "texte", "verlauf")
        },
        "Prüftisch, andere Stelle suchen": searches,
    }


def _public_pages() -> dict[str, list[str]]:
    some = Assessment.objects.public().select_related("antrag__parlament", "antrag__wahlperiode")
    published = list(some.filter(pk__gt=STRIDE).order_by("pk")[:OPENED])
    own = public_zitate().filter(belege__assessment__in=published).distinct()
    return {
        "Öffentliche Liste": [reverse("liste")] * (OPENED // 2),
        "Öffentliche Liste, Suche": [f"{reverse('liste')}?q=Hitze"] * (OPENED // 2),
        "Öffentliche Bewertung": [antrag_address(row.antrag) for row in published],
        "Öffentliches Zitat": [zitat_address(zitat) for zitat in own.order_by("pk")[:OPENED]],
    }
