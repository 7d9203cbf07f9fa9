"""What can honestly be done without a model: evidence is collected, nothing is rated.

Everything found is open until an editor accepts it; every rating is left to the editor.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from citations.binding import make_zitat
from citations.comparison import Grad
from citations.lesetext import lesetext
from citations.models import Extraktion, Zitat
from citations.quelltext import Span
from citations.words import letters_in
from programme.embeddings import embed, reading_model
from programme.retrieval import Fundstelle, satz_span

from .blind import Blende
from .matrix import Matrix
from .models import Beleg, Vergleich
from .schemas import AssessmentEntwurf, BelegEntwurf, FeldEntwurf, VergleichEntwurf
from .subject import Gegenstand, Parteivergleich

# A sentence is offered for a field from this cosine to the field's title and question on. On the 20
# motions of the golden set, affected fields reach .27 in the middle and others .22 (AUC .69): this
# is a hint where to look, no judgement, and about ten sentences for a motion of two pages.
MIN_COSINE = 0.25
# Sentences offered per field, and per kind of programme.
PER_FIELD = 1
PER_PROGRAMME = 2
MIN_SENTENCE_LETTERS = 30


def collect_evidence(gegenstand: Gegenstand, matrix: Matrix) -> AssessmentEntwurf:
    """A draft without any rating, with the passages that an editor may want to look at."""
    return AssessmentEntwurf(
        felder=_felder(gegenstand, matrix),
        vergleiche=tuple(_vergleich(vergleich) for vergleich in gegenstand.vergleiche),
    )


def _felder(gegenstand: Gegenstand, matrix: Matrix) -> tuple[FeldEntwurf, ...]:
    lesung = gegenstand.fassung.dokument.lesung
    saetze = dict(_blind_sentences(lesung, gegenstand.blende))
    fragen = [f"{feld.klartitel}: {feld.leitfrage}" for feld in matrix.felder]
    aehnlich = _similarities(fragen, list(saetze.values()))
    return tuple(
        FeldEntwurf(
            feld=feld.code,
            wert=None,
            belege=tuple(
                _proposal(make_zitat(lesung, (satz,), Grad.WOERTLICH))
                for satz in _nearest(list(saetze), row)
            ),
        )
        for feld, row in zip(matrix.felder, aehnlich, strict=True)
    )


def _blind_sentences(lesung: Extraktion, blende: Blende) -> Iterator[tuple[Span, str]]:
    """The motion's sentences with their words blinded: embedding may happen elsewhere."""
    text = lesetext(lesung)
    for satz in text.saetze:
        words = blende.text(text.text[slice(*satz)])
        if letters_in(words) >= MIN_SENTENCE_LETTERS:
            yield satz, words


def _similarities(fragen: Sequence[str], saetze: Sequence[str]) -> np.ndarray:
    """Cosines, one row per question and one column per sentence."""
    if not saetze:
        return np.zeros((len(fragen), 0))
    modell = reading_model()
    return np.asarray(embed(fragen, modell)) @ np.asarray(embed(saetze, modell)).T


def _nearest(saetze: Sequence[Span], row: np.ndarray) -> list[Span]:
    ranked = np.argsort(row)[::-1][:PER_FIELD]
    return [saetze[number] for number in ranked if row[number] >= MIN_COSINE]


def _vergleich(vergleich: Parteivergleich) -> VergleichEntwurf:
    ergebnis = vergleich.absence or Vergleich.Ergebnis.UNBEWERTET
    return VergleichEntwurf(
        partei=vergleich.partei,
        rolle=vergleich.rolle,
        programmtyp=vergleich.typ,
        programm=vergleich.programm,
        ergebnis=ergebnis,
        durchsucht=vergleich.durchsucht,
        belege=tuple(
            _proposal(
                _best_sentence(fundstelle),
                seite=Beleg.Seite.PROGRAMM,
                forderung=vergleich.forderung(fundstelle),
            )
            for fundstelle in vergleich.fundstellen[:PER_PROGRAMME]
        ),
    )


def _best_sentence(fundstelle: Fundstelle) -> Zitat:
    """The sentence of the passage that is nearest to the motion."""
    lesung = Extraktion.objects.get(pk=fundstelle.extraktion_id)
    return make_zitat(lesung, (satz_span(fundstelle),), Grad.WOERTLICH)


def _proposal(
    zitat: Zitat, *, seite: Beleg.Seite = Beleg.Seite.ANTRAG, forderung: str = ""
) -> BelegEntwurf:
    return BelegEntwurf(
        seite=seite,
        zustand=Beleg.Zustand.OFFEN,
        herkunft=Beleg.Herkunft.SUCHE,
        vorschlag=zitat,
        grund=Beleg.Grund.VORSCHLAG,
        erklaerung="Von der Suche gefunden, von keinem Modell bewertet.",
        forderung=forderung,
    )
