"""What a check says against a decision. Who decides against it gives a reason (docs/adr/0027).

The only place that says which checks speak against which verb; the desk shows the same sentences
before anybody decides. A check that refuses altogether (a refuted place, a foreign programme) is
not here: no reason helps against it.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from django.db.models import OuterRef, Subquery

from assessments.satz import cuts_negation
from citations.models import Extraktion, Pruefung, Zitat

from .annahmen import confirmations
from .transition import BegruendungNoetig

if TYPE_CHECKING:
    from .assessment import Assessment
    from .bewertung import Vergleich

Check = Callable[[Any], Iterator[str]]
DOUBTS = (Pruefung.Ergebnis.WIDERLEGT, Pruefung.Ergebnis.NICHT_BEWEISBAR)


def failed_checks(verb: str, subject: Any) -> list[str]:
    """German sentences, one for each check that said no; empty for a verb without checks."""
    return [sentence for check in CHECKS.get(verb, ()) for sentence in check(subject)]


def require_reason(verb: str, subject: Any, note: str) -> None:
    """Raises BegruendungNoetig where a check said no and nobody says why it counts anyway."""
    if note.strip():
        return
    failed = failed_checks(verb, subject)
    if failed:
        raise BegruendungNoetig(f"{' '.join(failed)} {NEEDED[verb]}")


# --- Checks -------------------------------------------------------------------------------------


def _not_provable(zitat: Zitat) -> Iterator[str]:
    newest = zitat.letzte_pruefung()
    if newest and newest.ergebnis == Pruefung.Ergebnis.NICHT_BEWEISBAR:
        yield newest.grund


def _cut_negation(zitat: Zitat) -> Iterator[str]:
    if cuts_negation(zitat):
        yield "Im selben Satz steht eine Verneinung, die das Zitat weglässt."


def _nothing_found(vergleich: "Vergleich") -> Iterator[str]:
    if vergleich.ergebnis_modell == vergleich.Ergebnis.NICHTS_GEFUNDEN:
        yield "Gesucht wurde, und nichts Einschlägiges gefunden."


def _doubtful_quotes(assessment: "Assessment") -> Iterator[str]:
    """What an editor confirmed in the knowledge of the doubt has its reason already."""
    belege = assessment.belege.angenommen()
    newest = Pruefung.objects.filter(zitat=OuterRef("zitat")).order_by("-am", "-pk")
    doubted = belege.annotate(neuestes=Subquery(newest.values("ergebnis")[:1]))
    places = list(doubted.filter(neuestes__in=DOUBTS).values_list("zitat", flat=True))
    confirmed = confirmations(belege) if places else {}
    count = sum(place not in confirmed for place in places)
    if count == 1:
        yield "Einen angenommenen Beleg hat die neueste Prüfung nicht bewiesen."
    elif count:
        yield f"{count} angenommene Belege hat die neueste Prüfung nicht bewiesen."


def _flawed_reading(assessment: "Assessment") -> Iterator[str]:
    lesung = _newest_reading(assessment)
    if lesung:
        yield from _flaws(lesung)


def _flaws(lesung: Extraktion) -> Iterator[str]:
    """Hidden text, and pages that no machine can read."""
    if lesung.befunde:
        yield "In der Datei des Antrags steht Text, der nicht zu sehen ist oder doppelt steht."
    pages = [seite.zahl for seite in lesung.seiten.filter(pruefbar=False).order_by("index")]
    if pages:
        yield f"Nicht maschinell lesbar ist im Antrag: S. {', '.join(pages)}."


def _read_since_approval(assessment: "Assessment") -> Iterator[str]:
    """What the approval knew was answered there."""
    lesung = _newest_reading(assessment)
    if lesung and assessment.approved_at and lesung.am > assessment.approved_at:
        yield from _flaws(lesung)


def _newest_reading(assessment: "Assessment") -> Extraktion | None:
    readings = Extraktion.objects.filter(dokument=assessment.fassung.dokument_id)
    return readings.order_by("-version").first()


CHECKS: dict[str, tuple[Check, ...]] = {
    "accept": (_not_provable, _cut_negation),
    "rate": (_nothing_found,),
    "approve": (_doubtful_quotes, _flawed_reading),
    "publish": (_doubtful_quotes, _read_since_approval),
}
NEEDED = {
    "accept": "Annehmen geht nur mit einer Begründung.",
    "rate": "Ein Wert geht nur mit einer Begründung.",
    "approve": "Freigeben geht nur mit einer Begründung.",
    "publish": "Veröffentlichen geht nur mit einer Begründung.",
}
