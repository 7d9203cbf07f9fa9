"""What the page of a quote costs: server time, and bytes of the first view."""

import gzip
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter

from django.contrib.auth import get_user_model
from django.contrib.staticfiles import finders
from django.db import connection, transaction
from django.db.models.functions import Length
from django.test import Client
from django.test.utils import override_settings
from django.urls import reverse

from assessments.models import Assessment
from citations.models import Seite, Zitat
from citations.pictures import Breite

from .bestand import read_files, store_assessment
from .datenbank import scratch
from .zeile import Zeile

# Of the page of a quote (templates/base.html, templates/assessments/zitat.html).
STYLES = ("werte.css", "seite.css", "blatt.css", "zitat.css", "zustaende.css")
# Letters from which a page counts as one of text.
TEXT = 800
FILES, PAGES = 10, 60


@dataclass(frozen=True)
class Verteilung:
    median: float
    p95: float

    @classmethod
    def of(cls, values: Sequence[float]) -> "Verteilung":
        return cls(median(values), quantiles(values, n=20)[-1])


@dataclass(frozen=True)
class Seitenkosten:
    """Milliseconds for page and picture together; kilobytes of page, picture and style sheets.

    As they go over the wire: in production the style sheets are stored compressed (WhiteNoise), the
    page is sent as it is.
    """

    seiten: int
    kalt_ms: Verteilung
    warm_ms: Verteilung
    einfach_kb: Verteilung
    doppelt_kb: Verteilung


@dataclass(frozen=True)
class _Aufruf:
    kalt: float
    warm: float
    einfach: int
    doppelt: int


def zeilen(paths: Sequence[Path]) -> Iterator[Zeile]:
    """Of PAGES pages of the first FILES of the paths."""
    if not paths:
        return
    with scratch():
        kosten = measure_pages(paths[:FILES], zitate=PAGES)
    rows = (
        ("zitierte Seite mit Bild, warm (ms)", kosten.warm_ms, 15, 30),
        ("zitierte Seite mit Bild, kalt (ms)", kosten.kalt_ms, 150, 250),
        ("erste Ansicht, übliche Bildschirme (kB)", kosten.einfach_kb, 100, 150),
        ("erste Ansicht, feine Bildschirme (kB)", kosten.doppelt_kb, 100, 150),
    )
    for was, v, middle, most in rows:
        holds = v.median <= middle and v.p95 <= most
        yield Zeile(
            f"{was}, Median/p95", f"{v.median:.0f} / {v.p95:.0f}", f"≤ {middle}/{most}", holds
        )


def measure_pages(paths: Sequence[Path], *, zitate: int) -> Seitenkosten:
    """Opens the pages of so many quotes in the files, each on a page of text of its own.

    Everything is rolled back; files and pictures lie in a folder of their own meanwhile.
    """
    dateien = read_files(paths)
    with TemporaryDirectory() as media, override_settings(MEDIA_ROOT=media), transaction.atomic():
        assessment = store_assessment(dateien, zitate=4 * zitate)
        _publish(assessment)
        calls = [_measure(zitat) for zitat in _on_pages_of_text(assessment, zitate)]
        transaction.set_rollback(True)
    styles = _style_bytes()
    return Seitenkosten(
        seiten=len(calls),
        kalt_ms=Verteilung.of([call.kalt for call in calls]),
        warm_ms=Verteilung.of([call.warm for call in calls]),
        einfach_kb=Verteilung.of([(call.einfach + styles) / 1000 for call in calls]),
        doppelt_kb=Verteilung.of([(call.doppelt + styles) / 1000 for call in calls]),
    )


def _publish(assessment: Assessment) -> None:
    """Past triggers and verbs, which ask for more than there is: needs a superuser's database."""
    one, two = (get_user_model().objects.create(username=f"messen-{n}") for n in range(2))
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(
            "UPDATE assessments_assessment SET status = 'published', version = 1, "
            "approved_at = now(), "
            "approved_by_id = %s, published_at = now(), published_by_id = %s WHERE id = %s",
            [one.pk, two.pk, assessment.pk],
        )
        cursor.execute("SET LOCAL session_replication_role = origin")


def _on_pages_of_text(assessment: Assessment, count: int) -> list[Zitat]:
    quotes = Zitat.objects.filter(belege__assessment=assessment).order_by("pk")
    by_page = {(zitat.extraktion_id, zitat.seite): zitat for zitat in quotes}
    pages = Seite.objects.filter(extraktion__in={lesung for lesung, _ in by_page})
    long = pages.annotate(laenge=Length("text")).filter(laenge__gte=TEXT)
    keys = sorted(set(long.values_list("extraktion_id", "index")) & by_page.keys())
    chosen = random.Random(1).sample(keys, min(count, len(keys)))  # noqa: S311  the same every time
    return [by_page[key] for key in chosen]


def _measure(zitat: Zitat) -> _Aufruf:
    """The first call draws the picture, the second one finds it on disk."""
    client = Client(headers={"host": "127.0.0.1"})
    page = reverse("zitat", args=[zitat.pk])
    picture, fine = (reverse("zitat-seite", args=[zitat.pk, zitat.seite, int(b)]) for b in Breite)
    cold, _ = _timed(client, page, picture)
    warm, (html, small) = _timed(client, page, picture)
    _, (large,) = _timed(client, fine)
    return _Aufruf(cold, warm, html + small, html + large)


def _timed(client: Client, *addresses: str) -> tuple[float, list[int]]:
    """Milliseconds for all of them together, and the bytes of each."""
    begin = perf_counter()
    answers = [client.get(address) for address in addresses]
    milliseconds = (perf_counter() - begin) * 1000
    if any(answer.status_code != 200 for answer in answers):
        raise ValueError(f"no answer under one of {addresses}")
    return milliseconds, [len(answer.content) for answer in answers]


def _style_bytes() -> int:
    found = [finders.find(f"assessments/{name}") for name in STYLES]
    return sum(len(gzip.compress(Path(path).read_bytes())) for path in found if path)
