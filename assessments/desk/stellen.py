"""The places that may be evidence: the permitted documents, and what is chosen in them."""

from collections.abc import Sequence
from itertools import pairwise

from assessments.herkunft import permitted_programmes
from assessments.models import Beleg, InvalidTransition
from citations.binding import make_zitat
from citations.comparison import Grad, compare_form
from citations.lesetext import lesetext
from citations.models import Dokument, Extraktion, Zitat
from citations.placing import MIN_LETTERS
from citations.quelltext import Span
from citations.words import letters_in


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
    return list(newest.select_related("dokument"))


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
