"""From a motion to a stored draft. Whoever reads assess() knows the product."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from django.db import transaction
from pydantic import BaseModel, ValidationError

from parlamente.models import Partei
from programme import llm
from programme.models import Programm

from .collecting import collect_evidence
from .evidence import Anfrage, AusAntrag, AusProgramm, to_evidence
from .matrix import Matrix, load_matrix
from .models import Assessment, Lauf, Vergleich
from .prompt import ANSWER_KEYS, PROMPT_VERSION, matrix_messages, vergleich_messages
from .scale import Wert
from .schemas import (
    AssessmentEntwurf,
    BelegEntwurf,
    FeldEntwurf,
    MatrixAntwort,
    ModellZitat,
    ParteiAntwort,
    ProgrammAntwort,
    VerbesserungEntwurf,
    VergleichAntwort,
    VergleichEntwurf,
)
from .subject import Gegenstand, Parteivergleich, gather

Antwort = TypeVar("Antwort", bound=BaseModel)


class UnbrauchbareAntwort(Exception):
    """The model's answer is not of the form that was asked for (German, without its text)."""


def assess(lauf: Lauf) -> Assessment:
    """Drafts the assessment of the run's text; the draft goes straight into review.

    Without a configured model the evidence is collected and every rating is left to the editors.
    Raises NichtBewertbar, UnbrauchbareAntwort, or what the model client raises; nothing is stored
    then but the calls that were made.
    """
    matrix = load_matrix()
    lauf.progress("Sucht Stellen in den Programmen")
    gegenstand = gather(lauf.fassung)
    if not llm.is_configured():
        lauf.progress("Sammelt Belege ohne Modell")
        entwurf = collect_evidence(gegenstand, matrix)
    else:
        antwort = ask_matrix(lauf, gegenstand, matrix)
        antworten = {partei: ask_party(lauf, gegenstand, partei) for partei in gegenstand.parteien}
        lauf.progress("Sucht jedes Zitat in den Dokumenten")
        entwurf = place_quotes(gegenstand, matrix, antwort, antworten)
    with transaction.atomic():
        assessment = Assessment.record(lauf, entwurf, matrix_version=matrix.version)
        assessment.submit()
    return assessment


# --- Asking ------------------------------------------------------------------------------------


def ask_matrix(lauf: Lauf, gegenstand: Gegenstand, matrix: Matrix) -> MatrixAntwort:
    lauf.progress("Fragt das Modell nach den 25 Feldern")
    messages = matrix_messages(matrix, gegenstand.titel, gegenstand.text)
    return _ask(lauf, messages, MatrixAntwort, name="matrix", zweck="Matrix")


def ask_party(lauf: Lauf, gegenstand: Gegenstand, partei: Partei) -> ParteiAntwort | None:
    """The comparison with one party; None without a call where nothing was found to compare."""
    quellen = gegenstand.quellen_von(partei)
    if not quellen:
        return None
    lauf.progress(f"Fragt das Modell nach {partei}")
    messages = vergleich_messages(partei, quellen, gegenstand.titel, gegenstand.forderungen)
    antwort = _ask(
        lauf, messages, VergleichAntwort, name="vergleich", zweck=f"Vergleich mit {partei}"
    )
    (score,) = antwort.wahlprogramm_scores
    if score.partei.casefold() not in (partei.kuerzel.casefold(), partei.name.casefold()):
        raise UnbrauchbareAntwort(f"Vergleich mit {partei}: Die Antwort gilt einer anderen Partei.")
    return score


def _ask(
    lauf: Lauf, messages: llm.Messages, schema: type[Antwort], *, name: str, zweck: str
) -> Antwort:
    answer = llm.complete(
        messages, schema=schema, schema_name=name, zweck=zweck, prompt_version=PROMPT_VERSION
    )
    lauf.aufrufe.add(answer.aufruf)
    try:
        return schema.model_validate_json(answer.text)
    except ValidationError as error:
        places = sorted({".".join(map(str, e["loc"])) or "(ganz)" for e in error.errors()})
        raise UnbrauchbareAntwort(
            f"{zweck}: Die Antwort des Modells hat nicht die vereinbarte Form "
            f"({', '.join(places[:5])})."
        ) from None  # pydantic's message quotes the answer


# --- Placing -----------------------------------------------------------------------------------


@dataclass
class _Quotes:
    """Collects the quotes of all answers, so that they are placed and proved in one go."""

    anfragen: list[Anfrage]

    def add(self, zitate: Iterable[ModellZitat], regel: AusAntrag | AusProgramm) -> slice:
        start = len(self.anfragen)
        self.anfragen += [Anfrage(zitat, regel) for zitat in zitate]
        return slice(start, len(self.anfragen))


def place_quotes(
    gegenstand: Gegenstand,
    matrix: Matrix,
    antwort: MatrixAntwort,
    antworten: dict[Partei, ParteiAntwort | None],
) -> AssessmentEntwurf:
    """The answers with every quote placed, or open with the reason."""
    quotes = _Quotes([])
    aus_antrag = AusAntrag(gegenstand.fassung)
    felder = {feld.feld: quotes.add(feld.zitate, aus_antrag) for feld in antwort.felder}
    vorschlaege = [quotes.add([v.zitat], aus_antrag) for v in antwort.verbesserungen]
    paare = list(_with_answers(gegenstand, antworten))
    vergleiche = [_add_quotes(quotes, aus_antrag, vergleich, part) for vergleich, part in paare]
    belege = to_evidence(quotes.anfragen, _candidates(gegenstand))
    rated = {feld.feld: feld for feld in antwort.felder}
    return AssessmentEntwurf(
        zusammenfassung=antwort.zusammenfassung,
        themen=tuple(antwort.themen),
        felder=tuple(
            FeldEntwurf(
                feld=feld.code,
                wert=Wert.from_zahl(rated[feld.code].wert),
                begruendung=rated[feld.code].begruendung,
                belege=tuple(belege[felder[feld.code]]),
            )
            if feld.code in rated
            else FeldEntwurf(feld=feld.code, wert=Wert.NICHT_BETROFFEN)
            for feld in matrix.felder
        ),
        vergleiche=tuple(
            compare(vergleich, part, tuple(belege[places]))
            for (vergleich, part), places in zip(paare, vergleiche, strict=True)
        ),
        verbesserungen=tuple(
            VerbesserungEntwurf(
                feld=vorschlag.feld,
                titel=vorschlag.titel,
                wortlaut=vorschlag.neuer_wortlaut,
                begruendung=vorschlag.begruendung,
                beleg=belege[place.start],
            )
            for vorschlag, place in zip(antwort.verbesserungen, vorschlaege, strict=True)
        ),
    )


def compare(
    vergleich: Parteivergleich, part: ProgrammAntwort | None, belege: tuple[BelegEntwurf, ...]
) -> VergleichEntwurf:
    """One comparison: a score with its source, or the absence that explains why there is none."""
    from_programme = [beleg for beleg in belege if beleg.seite == "programm"]
    ergebnis = vergleich.absence or _result(part, has_quotes=bool(from_programme))
    rated = part is not None and ergebnis == Vergleich.Ergebnis.BEWERTET
    return VergleichEntwurf(
        partei=vergleich.partei,
        rolle=vergleich.rolle,
        programmtyp=vergleich.typ,
        programm=vergleich.programm,
        ergebnis=ergebnis,
        score=part.score if part and rated else None,
        begruendung=part.begruendung if part and vergleich.absence is None else "",
        durchsucht=vergleich.durchsucht,
        belege=belege,
    )


def _result(part: ProgrammAntwort | None, *, has_quotes: bool) -> Vergleich.Ergebnis:
    if part is None or (part.score is None and not has_quotes):
        return Vergleich.Ergebnis.NICHTS_GEFUNDEN
    if not has_quotes:
        return Vergleich.Ergebnis.OHNE_BELEG
    return Vergleich.Ergebnis.UNBEWERTET if part.score is None else Vergleich.Ergebnis.BEWERTET


def _with_answers(
    gegenstand: Gegenstand, antworten: dict[Partei, ParteiAntwort | None]
) -> Iterator[tuple[Parteivergleich, ProgrammAntwort | None]]:
    """Each comparison with the part of the answer that speaks of its kind of programme."""
    for vergleich in gegenstand.vergleiche:
        antwort = antworten.get(vergleich.partei)
        key = ANSWER_KEYS[vergleich.typ]
        yield vergleich, getattr(antwort, key) if antwort and not vergleich.absence else None


def _add_quotes(
    quotes: _Quotes,
    aus_antrag: AusAntrag,
    vergleich: Parteivergleich,
    part: ProgrammAntwort | None,
) -> slice:
    start = len(quotes.anfragen)
    if part is not None:
        quotes.add(part.antrag_zitate, aus_antrag)
        quotes.add(part.zitate, _rule(aus_antrag, vergleich))
    return slice(start, len(quotes.anfragen))


def _rule(aus_antrag: AusAntrag, vergleich: Parteivergleich) -> AusProgramm:
    return AusProgramm(
        fassung=aus_antrag.fassung,
        partei=vergleich.partei,
        typ=vergleich.typ,
        programme=vergleich.bestand.programme,
        gezeigt=tuple((f.extraktion_id, (f.start, f.ende)) for f in vergleich.fundstellen),
    )


def _candidates(gegenstand: Gegenstand) -> list[Programm]:
    """Programmes that a claimed source may mean: also outdated ones and those of other Laender."""
    rows = Programm.objects.select_related("parlament", "dokument").prefetch_related("parteien")
    return list(rows.filter(parteien__in=gegenstand.parteien).distinct())
