"""What differs: between two assessments of a motion, and between the model and the editors."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from citations.wortdiff import Art, Teil, wortdiff

from .matrix import load_matrix
from .models import Assessment, Beleg, Feldbewertung, Verbesserung, Vergleich
from .scale import Wert, gesamtwert
from .vermerk import OHNE_MODELL, entworfene

# Comparing words takes time that grows with the square of their number; no text that a model may
# write is half as long.
MAX_DIFF = 10_000
SUMMARY = "Zusammenfassung"
# The words of evidence, by the part that it is for.
Worte = Mapping[tuple[str, int], tuple[str, ...]]


@dataclass(frozen=True)
class Wertansicht:
    """A value as it is shown: the class of its colour, sign or number, word."""

    klasse: str
    zeichen: str
    wort: str


@dataclass(frozen=True)
class Stand:
    """What one part of an assessment says."""

    wert: Wertansicht | None = None
    texte: Mapping[str, str] = field(default_factory=dict)
    belege: tuple[str, ...] = ()


@dataclass(frozen=True)
class Zeile:
    """One part that differs: values (None where they are the same), texts, evidence."""

    ort: str
    alt: Wertansicht | None
    neu: Wertansicht | None
    texte: list[tuple[str, list[Teil]]]
    weg: list[str]
    dazu: list[str]
    gleich: int

    @property
    def hat_werte(self) -> bool:
        return self.alt is not None or self.neu is not None

    @property
    def is_different(self) -> bool:
        return bool(self.hat_werte or self.texte or self.weg or self.dazu)


@dataclass(frozen=True)
class Angabe:
    """How it came about, where that differs."""

    name: str
    alt: str
    neu: str


@dataclass(frozen=True)
class Unterschiede:
    angaben: list[Angabe]
    zeilen: list[Zeile]
    gleiche: int
    belege: tuple[int, int, int] = (0, 0, 0)

    @property
    def belege_text(self) -> str:
        dazu, weg, gleich = self.belege
        return f"Belege: {dazu} dazugekommen, {weg} weggefallen, {gleich} gleich."


@dataclass(frozen=True)
class Inhalt:
    """An assessment with all its parts, loaded in a fixed number of queries."""

    assessment: Assessment
    felder: list[Feldbewertung]
    vergleiche: list[Vergleich]
    verbesserungen: list[Verbesserung]
    worte: Worte

    @classmethod
    def load(cls, assessment: Assessment) -> "Inhalt":
        rows = assessment.vergleiche.select_related("partei", "programm__parlament")
        rows = rows.prefetch_related("programm__parteien")
        return cls(
            assessment=assessment,
            felder=list(assessment.feldbewertungen.order_by("feld")),
            vergleiche=list(rows.order_by("partei__kuerzel", "-programmtyp")),
            verbesserungen=list(assessment.verbesserungen.order_by("nr")),
            worte=_evidence(assessment),
        )


def between(alt: Inhalt, neu: Inhalt) -> Unterschiede:
    """What `neu` says that counts, against what `alt` does."""
    before, after = dict(_parts(alt)), dict(_parts(neu))
    angaben = [
        Angabe(name, *values)
        for name, values in _circumstances(alt, neu).items()
        if values[0] != values[1]
    ]
    return _compare(before, after, angaben)


def by_editors(inhalt: Inhalt) -> Unterschiede:
    """What counts, against what the model said; parts of which it said nothing are left out."""
    said = {ort: part for ort, part in _parts(inhalt, model=True) if _says_anything(part)}
    counts = {ort: part for ort, part in _parts(inhalt) if ort in said}
    return _compare(_without_evidence(said), _without_evidence(counts), [])


def _compare(
    before: Mapping[str, Stand], after: Mapping[str, Stand], angaben: list[Angabe]
) -> Unterschiede:
    orte = dict.fromkeys([*after, *before])
    nothing = Stand()
    rows = [_row(ort, before.get(ort, nothing), after.get(ort, nothing)) for ort in orte]
    different = [row for row in rows if row.is_different]
    counts = [(len(row.dazu), len(row.weg), row.gleich) for row in rows]
    dazu, weg, gleich = (sum(column) for column in zip(*counts, strict=True)) if rows else (0, 0, 0)
    return Unterschiede(angaben, different, len(rows) - len(different), (dazu, weg, gleich))


def _row(ort: str, alt: Stand, neu: Stand) -> Zeile:
    is_same = alt.wert == neu.wert
    texts = [
        (name, _diff(alt.texte.get(name, ""), neu.texte.get(name, "")))
        for name in dict.fromkeys([*neu.texte, *alt.texte])
        if alt.texte.get(name, "") != neu.texte.get(name, "")
    ]
    return Zeile(
        ort=ort,
        alt=None if is_same else alt.wert,
        neu=None if is_same else neu.wert,
        texte=texts,
        weg=[words for words in alt.belege if words not in neu.belege],
        dazu=[words for words in neu.belege if words not in alt.belege],
        gleich=sum(words in alt.belege for words in neu.belege),
    )


def _diff(alt: str, neu: str) -> list[Teil]:
    if len(alt) + len(neu) > MAX_DIFF:
        whole = [Teil(Art.WEG, alt), Teil(Art.NEU, neu)]
        return [part for part in whole if part.text]
    return wortdiff(alt, neu)


def _circumstances(*pair: Inhalt) -> dict[str, tuple[str, ...]]:
    rows = [inhalt.assessment for inhalt in pair]
    laeufe = [entworfene(row).lauf for row in rows]
    return {
        "Modell": tuple(lauf.modell if lauf and lauf.modell else OHNE_MODELL for lauf in laeufe),
        "Anweisungen": tuple(
            f"Fassung {lauf.prompt_version}" if lauf and lauf.prompt_version else "keine"
            for lauf in laeufe
        ),
        "Text des Antrags": tuple(str(row.fassung) for row in rows),
        "Matrix": tuple(row.matrix_version for row in rows),
        "Rechenweg": tuple(f"Fassung {row.formel_version}" for row in rows),
        "Gesamtwert": tuple(_total(inhalt) for inhalt in pair),
        "Themen": tuple(", ".join(row.themen) for row in rows),
    }


def _total(inhalt: Inhalt) -> str:
    value = gesamtwert(feld.wert for feld in inhalt.felder)
    return "kein Wert" if value is None else f"{value} von 10".replace(".", ",")


def _says_anything(part: Stand) -> bool:
    return part.wert is not None or any(part.texte.values())


def _without_evidence(parts: Mapping[str, Stand]) -> dict[str, Stand]:
    return {ort: Stand(part.wert, part.texte) for ort, part in parts.items()}


# --- What an assessment says -------------------------------------------------------------------


def _parts(inhalt: Inhalt, *, model: bool = False) -> Iterator[tuple[str, Stand]]:
    """By where it stands on the page; with `model` what the model said, else what counts."""
    suffix = "_modell" if model else ""
    yield SUMMARY, Stand(texte={"": getattr(inhalt.assessment, f"zusammenfassung{suffix}")})
    matrix = load_matrix(inhalt.assessment.matrix_version)
    for feld in inhalt.felder:
        ort = f"{feld.feld}, {matrix.feld(feld.feld).klartitel}"
        yield ort, _feld(feld, suffix, inhalt.worte)
    for vergleich in inhalt.vergleiche:
        yield str(vergleich), _vergleich(vergleich, suffix, inhalt.worte)
    for vorschlag in inhalt.verbesserungen:
        ort = f"Vorschlag zum Wortlaut {vorschlag.nr}"
        yield ort, _vorschlag(vorschlag, suffix, inhalt.worte)


def _evidence(assessment: Assessment) -> Worte:
    """The words of accepted evidence, by the part that it is for."""
    found: dict[tuple[str, int], tuple[str, ...]] = {}
    rows = assessment.belege.angenommen().select_related("zitat").order_by("nr", "pk")
    for beleg in rows:
        key = _owner(beleg)
        side = "Programm" if beleg.seite == Beleg.Seite.PROGRAMM else "Antrag"
        text = beleg.zitat.text if beleg.zitat else ""
        found[key] = (*found.get(key, ()), f"{side}: „{text}“")
    return found


def _owner(beleg: Beleg) -> tuple[str, int]:
    for name in ("feldbewertung", "vergleich"):
        key = getattr(beleg, f"{name}_id")
        if key is not None:
            return name, key
    return "verbesserung", beleg.verbesserung_id or 0


def _feld(feld: Feldbewertung, suffix: str, worte: Worte) -> Stand:
    value = getattr(feld, f"wert{suffix}")
    wert = Wert(value) if value else None
    return Stand(
        Wertansicht(wert.value, wert.zeichen, wert.wort) if wert else None,
        {"Begründung": getattr(feld, f"begruendung{suffix}")},
        worte.get(("feldbewertung", feld.pk), ()),
    )


def _vergleich(vergleich: Vergleich, suffix: str, worte: Worte) -> Stand:
    ergebnis = Vergleich.Ergebnis(getattr(vergleich, f"ergebnis{suffix}"))
    score = getattr(vergleich, f"score{suffix}")
    is_rated = ergebnis == Vergleich.Ergebnis.BEWERTET and score is not None
    return Stand(
        Wertansicht("", str(score), "von 10") if is_rated else Wertansicht("", "", ergebnis.label),
        {
            "Begründung": getattr(vergleich, f"begruendung{suffix}"),
            "Programm": vergleich.programm.label if vergleich.programm else "",
        },
        worte.get(("vergleich", vergleich.pk), ()),
    )


def _vorschlag(vorschlag: Verbesserung, suffix: str, worte: Worte) -> Stand:
    names = {"Titel": "titel", "Neuer Wortlaut": "wortlaut", "Begründung": "begruendung"}
    return Stand(
        texte={name: getattr(vorschlag, f"{column}{suffix}") for name, column in names.items()},
        belege=worte.get(("verbesserung", vorschlag.pk), ()),
    )
