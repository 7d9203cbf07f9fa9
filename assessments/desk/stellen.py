"""The places that may be evidence, and the proof before an editor's choice counts."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from django.db import transaction

from assessments.herkunft import permitted_programmes
from assessments.models import Beleg, InvalidTransition
from citations.binding import keep, make_zitat
from citations.comparison import Grad, compare_form
from citations.lesetext import lesetext
from citations.models import Dokument, Extraktion, Pruefung, Zitat
from citations.placing import MIN_LETTERS
from citations.quelltext import Span
from citations.verification import Urteil, check_zitate
from citations.words import letters_in, negations_in


class BegruendungNoetig(Exception):
    """Accepting needs a reason by the editor; the message says in German what speaks against it."""


# --- What may be quoted ------------------------------------------------------------------------


def erlaubte_dokumente(beleg: Beleg) -> list[Dokument]:
    """The motion itself, or that party's own programmes that were valid on the motion's date."""
    vergleich = beleg.vergleich
    if beleg.seite == Beleg.Seite.ANTRAG or vergleich is None:
        return [beleg.assessment.fassung.dokument]
    programme = permitted_programmes(
        vergleich.partei, vergleich.programmtyp, beleg.assessment.antrag
    )
    return [programm.dokument for programm in programme]


def erlaubte_lesungen(beleg: Beleg) -> list[Extraktion]:
    """The newest reading of each of them."""
    readings = Extraktion.objects.filter(dokument__in=erlaubte_dokumente(beleg))
    newest = readings.order_by("dokument", "-version").distinct("dokument")
    return list(newest.defer("vergleich").select_related("dokument"))


# --- Sentences ---------------------------------------------------------------------------------


def rest_of_sentence(zitat: Zitat) -> tuple[Span, ...]:
    """What its sentences have beyond the quoted words; empty where they are quoted whole."""
    text = lesetext(zitat.extraktion)
    start, ende = text.satz_um(zitat.spans[0][0], zitat.spans[-1][1])
    edges = [start, *(edge for span in zitat.spans for edge in span), ende]
    gaps = zip(edges[::2], edges[1::2], strict=True)
    return tuple(gap for gap in gaps if compare_form(text.text[gap[0] : gap[1]]))


def whole_sentence(zitat: Zitat) -> Zitat:
    """The whole sentences around the quoted words, not yet stored."""
    text = lesetext(zitat.extraktion)
    satz = text.satz_um(zitat.spans[0][0], zitat.spans[-1][1])
    return make_zitat(zitat.extraktion, (satz,), Grad.WOERTLICH)


def cuts_negation(zitat: Zitat) -> bool:
    """Whether a word that turns the sentence around stands in the part that is left out."""
    text = lesetext(zitat.extraktion).text
    return any(negations_in(text[start:ende]) for start, ende in rest_of_sentence(zitat))


def chosen_place(beleg: Beleg, lesung: Extraktion, spans: Sequence[Span]) -> Zitat:
    """The place of the chosen sentences as one quote, not yet stored. Raises InvalidTransition."""
    text = lesetext(lesung)
    ordered = sorted(set(spans))
    if not ordered:
        raise InvalidTransition("Bitte wählen Sie mindestens einen Satz.")
    if any(not 0 <= start < ende <= len(text.text) for start, ende in ordered):
        raise InvalidTransition("Diese Stelle gibt es im Dokument nicht.")
    gaps = pairwise(ordered)
    if any(compare_form(text.text[end:start]) for (_, end), (start, _) in gaps):
        raise InvalidTransition("Bitte nur Sätze wählen, die aufeinander folgen.")
    whole = (ordered[0][0], max(ende for _, ende in ordered))
    if letters_in(text.text[whole[0] : whole[1]]) < MIN_LETTERS:
        raise InvalidTransition(f"Ein Zitat braucht mindestens {MIN_LETTERS} Buchstaben.")
    return make_zitat(lesung, (whole,), Grad.WOERTLICH)


# --- Acceptance --------------------------------------------------------------------------------


def accept_place(beleg: Beleg, zitat: Zitat, *, by: Any, note: str = "") -> None:
    """Makes `zitat` the evidence after the second engine has looked at it.

    Raises InvalidTransition where it must not be, BegruendungNoetig where a reason is missing.
    """
    urteil = next(check_zitate([zitat]))[1]
    if urteil.ergebnis == Pruefung.Ergebnis.WIDERLEGT:
        raise InvalidTransition(f"Diese Stelle gilt nicht als Beleg. {urteil.grund}")
    bedenken = _bedenken(zitat, urteil)
    if bedenken and not note.strip():
        raise BegruendungNoetig(bedenken)
    with transaction.atomic():
        kept = zitat if zitat.pk else keep(zitat)
        # The check first: an acceptance confirms what was known by then.
        Pruefung.objects.create(zitat=kept, ergebnis=urteil.ergebnis, grund=urteil.grund)
        beleg.accept(by=by, zitat=kept, note=note)


def _bedenken(zitat: Zitat, urteil: Urteil) -> str:
    if urteil.ergebnis == Pruefung.Ergebnis.NICHT_BEWEISBAR:
        return urteil.grund
    if cuts_negation(zitat):
        return "Im selben Satz steht eine Verneinung, die das Zitat weglässt."
    return ""
