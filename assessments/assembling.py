"""Puts a draft together from the model's answers: every quote placed, or open with the reason."""

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from parlamente.models import Partei
from programme.models import Programm

from .evidence import Anfrage, AusAntrag, AusProgramm, to_evidence
from .matrix import Matrix
from .models import Beleg, Vergleich
from .prompt import ANSWER_KEYS
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
    VergleichEntwurf,
)
from .subject import Gegenstand, Parteivergleich

Antworten = dict[Partei, ParteiAntwort | None]
# What a quote is evidence for: ("feld", "D1"), ("vorschlag", 0), ("vergleich", 7, "wahlprogramm").
Zweck = tuple[str | int, ...]
Belege = dict[Zweck, list[BelegEntwurf]]


class Quote(NamedTuple):
    zweck: Zweck
    zitat: ModellZitat
    regel: AusAntrag | AusProgramm


def place_quotes(
    gegenstand: Gegenstand, matrix: Matrix, antwort: MatrixAntwort, antworten: Antworten
) -> AssessmentEntwurf:
    """The whole draft; all quotes are placed and proved in one go, each file opened once."""
    quotes = [*_matrix_quotes(gegenstand, antwort), *_party_quotes(gegenstand, antworten)]
    belege = _placed(gegenstand, quotes)
    return AssessmentEntwurf(
        zusammenfassung=antwort.zusammenfassung,
        themen=tuple(antwort.themen),
        felder=tuple(_felder(matrix, antwort, belege)),
        vergleiche=tuple(_vergleiche(gegenstand, antworten, belege)),
        verbesserungen=tuple(_verbesserungen(antwort, belege)),
    )


# --- Collecting the quotes ---------------------------------------------------------------------


def _matrix_quotes(gegenstand: Gegenstand, antwort: MatrixAntwort) -> Iterator[Quote]:
    aus_antrag = AusAntrag(gegenstand.fassung)
    for feld in antwort.felder:
        yield from (Quote(("feld", feld.feld), zitat, aus_antrag) for zitat in feld.zitate)
    for nr, vorschlag in enumerate(antwort.verbesserungen):
        yield Quote(("vorschlag", nr), vorschlag.zitat, aus_antrag)


def _party_quotes(gegenstand: Gegenstand, antworten: Antworten) -> Iterator[Quote]:
    aus_antrag = AusAntrag(gegenstand.fassung)
    for vergleich in gegenstand.vergleiche:
        part = _part(vergleich, antworten)
        if part is not None:
            zweck, aus_programm = _zweck(vergleich), _rule(gegenstand, vergleich)
            yield from (Quote(zweck, zitat, aus_antrag) for zitat in part.antrag_zitate)
            yield from (Quote(zweck, zitat, aus_programm) for zitat in part.zitate)


def _part(vergleich: Parteivergleich, antworten: Antworten) -> ProgrammAntwort | None:
    """What the answer says of this kind of programme; nothing where nothing was shown of it."""
    antwort = antworten.get(vergleich.partei)
    if antwort is None or vergleich.absence:
        return None
    part: ProgrammAntwort = getattr(antwort, ANSWER_KEYS[vergleich.typ])
    return part


def _zweck(vergleich: Parteivergleich) -> Zweck:
    return ("vergleich", vergleich.partei.pk, vergleich.typ)


def _rule(gegenstand: Gegenstand, vergleich: Parteivergleich) -> AusProgramm:
    return AusProgramm(
        fassung=gegenstand.fassung,
        partei=vergleich.partei,
        typ=vergleich.typ,
        programme=vergleich.bestand.programme,
        gezeigt=tuple((f.extraktion_id, (f.start, f.ende)) for f in vergleich.fundstellen),
        forderungen=tuple(vergleich.forderung(f) for f in vergleich.fundstellen),
    )


def _placed(gegenstand: Gegenstand, quotes: list[Quote]) -> Belege:
    anfragen = [Anfrage(quote.zitat, quote.regel) for quote in quotes]
    belege: Belege = defaultdict(list)
    placed = to_evidence(anfragen, _candidates(gegenstand))
    for quote, beleg in zip(quotes, placed, strict=True):
        belege[quote.zweck].append(beleg)
    return belege


def _candidates(gegenstand: Gegenstand) -> list[Programm]:
    """Programmes that a claimed source may mean: also outdated ones and those of other Laender."""
    rows = Programm.objects.usable().select_related("parlament", "dokument")
    rows = rows.prefetch_related("parteien")
    return list(rows.filter(parteien__in=gegenstand.parteien).distinct())


# --- Putting it together -----------------------------------------------------------------------


def _felder(matrix: Matrix, antwort: MatrixAntwort, belege: Belege) -> Iterator[FeldEntwurf]:
    """All 25; those that the answer does not name are not affected."""
    rated = {feld.feld: feld for feld in antwort.felder}
    for feld in matrix.felder:
        if feld.code not in rated:
            yield FeldEntwurf(feld=feld.code, wert=Wert.NICHT_BETROFFEN)
            continue
        yield FeldEntwurf(
            feld=feld.code,
            wert=Wert.from_zahl(rated[feld.code].wert),
            begruendung=rated[feld.code].begruendung,
            belege=tuple(belege["feld", feld.code]),
        )


def _verbesserungen(antwort: MatrixAntwort, belege: Belege) -> Iterator[VerbesserungEntwurf]:
    for nr, vorschlag in enumerate(antwort.verbesserungen):
        (beleg,) = belege["vorschlag", nr]
        yield VerbesserungEntwurf(
            feld=vorschlag.feld,
            titel=vorschlag.titel,
            wortlaut=vorschlag.neuer_wortlaut,
            begruendung=vorschlag.begruendung,
            beleg=beleg,
        )


def _vergleiche(
    gegenstand: Gegenstand, antworten: Antworten, belege: Belege
) -> Iterator[VergleichEntwurf]:
    for vergleich in gegenstand.vergleiche:
        part = _part(vergleich, antworten)
        yield compare(vergleich, part, tuple(belege[_zweck(vergleich)]))


def compare(
    vergleich: Parteivergleich, part: ProgrammAntwort | None, belege: tuple[BelegEntwurf, ...]
) -> VergleichEntwurf:
    """One comparison: a score with its source, or the absence that explains why there is none."""
    has_quotes = any(beleg.seite == Beleg.Seite.PROGRAMM for beleg in belege)
    ergebnis = vergleich.absence or _result(part, has_quotes=has_quotes)
    rated = part is not None and ergebnis == Vergleich.Ergebnis.BEWERTET
    return VergleichEntwurf(
        partei=vergleich.partei,
        rolle=vergleich.rolle,
        programmtyp=vergleich.typ,
        programm=vergleich.programm,
        ergebnis=ergebnis,
        score=part.score if part and rated else None,
        begruendung=part.begruendung if part else "",
        durchsucht=vergleich.durchsucht,
        belege=belege,
    )


def _result(part: ProgrammAntwort | None, *, has_quotes: bool) -> Vergleich.Ergebnis:
    if part is None or (part.score is None and not has_quotes):
        return Vergleich.Ergebnis.NICHTS_GEFUNDEN
    if not has_quotes:
        return Vergleich.Ergebnis.OHNE_BELEG
    return Vergleich.Ergebnis.UNBEWERTET if part.score is None else Vergleich.Ergebnis.BEWERTET
