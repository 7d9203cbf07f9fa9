"""A run of the proof over all accepted evidence: file by file, and again from where it stopped."""

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from citations.models import Pruefgang, Pruefung, Zitat
from citations.verification import Geprueft, Urteil, check_dokumente, record_pruefungen

from .models import Beleg
from .proof import Bilanz, accepted_evidence, by_zitat, checkable, with_origin

# An older run that never ended is left alone: what it proved says nothing of today.
GOES_ON_FOR = timedelta(hours=12)

Belegstellen = dict[Zitat, list[Beleg]]


def verify(*, published: bool = False, limit: int | None = None, fresh: bool = False) -> Bilanz:
    """Checks every accepted evidence and stores each outcome as a Pruefung of its Zitat.

    Outcomes are stored file by file. After a run that was stopped only the rest is checked, unless
    `fresh`; what it had found counts as found.
    """
    gang = _begin(f"{'öffentlich' if published else 'alle'}, {limit or 'ohne Grenze'}", fresh=fresh)
    evidence = accepted_evidence(published=published, limit=limit)
    checks = Pruefung.objects.filter(zitat=OuterRef("zitat"), am__gte=gang.begonnen_am)
    bilanz = Bilanz()
    for cited in _per_dokument(evidence.filter(Exists(checks))):
        _count(bilanz, _outcomes(cited, since=gang.begonnen_am), cited)
    _check(evidence.exclude(Exists(checks)), bilanz)
    _end(gang, bilanz)
    return bilanz


def _begin(umfang: str, *, fresh: bool) -> Pruefgang:
    """A new run, or unless `fresh` the newest one of the same scope if it was stopped."""
    young = Pruefgang.objects.filter(umfang=umfang, begonnen_am__gte=timezone.now() - GOES_ON_FOR)
    newest = young.order_by("-begonnen_am").first()
    if fresh or newest is None or newest.beendet_am is not None:
        return Pruefgang.objects.create(umfang=umfang)
    return newest


def _check(evidence: QuerySet[Beleg], bilanz: Bilanz) -> None:
    waiting: Belegstellen = {}

    def gruppen() -> Iterator[list[Zitat]]:
        for cited in _per_dokument(evidence):
            waiting.update(cited)
            yield list(cited)

    for checked in check_dokumente(gruppen(), at_once=os.cpu_count() or 1):
        # The place's own outcome: where its words may stand is a matter of each evidence, and a
        # draft's fault must not show on a published page that cites the same place.
        record_pruefungen(checked)
        _count(bilanz, checked, {zitat: waiting.pop(zitat) for zitat, _ in checked})


def _count(bilanz: Bilanz, checked: Iterable[Geprueft], cited: Belegstellen) -> None:
    for zitat, urteil in checked:
        for beleg in cited[zitat]:
            bilanz.add(beleg, with_origin(beleg, zitat, urteil))


def _per_dokument(evidence: QuerySet[Beleg]) -> Iterator[Belegstellen]:
    """The cited places of one file after another; the longest work comes first.

    The rows of all files are found by one statement: joining for each file anew takes the database
    longer than the check itself.
    """
    files: dict[int, list[int]] = defaultdict(list)
    plain = evidence.prefetch_related(None)
    for pk, dokument in plain.values_list("pk", "zitat__extraktion__dokument"):
        files[dokument].append(pk)
    for keys in sorted(files.values(), key=len, reverse=True):
        yield by_zitat(checkable(Beleg.objects.filter(pk__in=keys)))


def _outcomes(cited: Belegstellen, *, since: datetime) -> list[Geprueft]:
    """What a run that was stopped has found of these places."""
    rows = Pruefung.objects.filter(zitat__in=cited, am__gte=since).order_by("zitat", "-am", "-pk")
    newest = {row.zitat_id: row for row in rows.distinct("zitat")}
    return [(zitat, _urteil(newest[zitat.pk])) for zitat in cited]


def _urteil(pruefung: Pruefung) -> Urteil:
    return Urteil(Pruefung.Ergebnis(pruefung.ergebnis), pruefung.grund, pruefung.gegenstand)


def _end(gang: Pruefgang, bilanz: Bilanz) -> None:
    gang.beendet_am = timezone.now()
    gang.geprueft = bilanz.total.checked
    gang.widerlegt = bilanz.total.refuted
    gang.nicht_beweisbar = bilanz.total.unprovable
    gang.save()
