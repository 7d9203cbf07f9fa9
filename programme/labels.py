"""Which programme a source line written by a model means, and which page it claims (pure)."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from parlamente.models import Partei

from .models import Programm
from .naming import fold

# A programme is named by party, Land, kind and year. Three of the four name it; party and year
# alone do so with the bonus for the motion's own Land, party alone never does.
MIN_COVERAGE = 0.6
# What a programme of the motion's own Land gets when the line names no Land at all.
LAND_BONUS = 0.5

WAHL_WORDS = ("wahlprogramm", "regierungsprogramm", "wahlmanifest")
GRUNDSATZ_WORDS = ("grundsatzprogramm", "parteiprogramm")

# How a Land is written beside its code and its name.
LAND_SPELLINGS = {
    "BW": ("Baden-Württemberg", "BaWü"),
    "BY": ("Bayern",),
    "BE": ("Berlin",),
    "BB": ("Brandenburg",),
    "HB": ("Bremen",),
    "HH": ("Hamburg",),
    "HE": ("Hessen",),
    "MV": ("Mecklenburg-Vorpommern", "MeckPomm", "M-V"),
    "NI": ("Niedersachsen", "NDS"),
    "NW": ("Nordrhein-Westfalen", "NRW"),
    "RP": ("Rheinland-Pfalz", "RLP"),
    "SL": ("Saarland",),
    "SN": ("Sachsen",),
    "ST": ("Sachsen-Anhalt", "LSA"),
    "SH": ("Schleswig-Holstein",),
    "TH": ("Thüringen",),
    "BUND": ("Bundestag", "Bundestagswahl", "Bundestagswahlprogramm", "Deutschland"),
}
# More than any Land, party or programme's own name has.
MAX_WORDS = 5

_PAGE = re.compile(r"\b(?:Seiten?|S|pp?)\.?\s*(\d{1,4})\b", re.IGNORECASE)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class Quellenangabe:
    programm: Programm | None
    seite: int | None


@dataclass(frozen=True)
class Zeile:
    """What a source line names, whichever programmes exist."""

    phrases: frozenset[str]
    laender: frozenset[str]
    jahre: frozenset[int]
    typen: frozenset[str]


def resolve(label: str, kandidaten: Sequence[Programm], *, land: str = "") -> Quellenangabe:
    """The one candidate that `label` names best, or None; and the page it claims, or None.

    `land` is the code of the motion's parliament. The candidates' parties and parliament should be
    loaded. A line that contradicts a programme (another Land, year or kind) never names it, and
    two equally good programmes are none: a line with only "S. 75" resolves to nothing.
    """
    page = _PAGE.search(label)
    zeile = read_line(_PAGE.sub(" ", label), codes=_codes(kandidaten))
    ranked = sorted(
        ((_score(zeile, programm, land), programm) for programm in kandidaten),
        key=lambda pair: pair[0],
        reverse=True,
    )
    return Quellenangabe(_clear_winner(ranked), int(page[1]) if page else None)


def read_line(label: str, *, codes: Iterable[str]) -> Zeile:
    phrases = _phrases(label)
    return Zeile(
        phrases=phrases,
        laender=_laender(label, phrases, codes),
        jahre=frozenset(int(year) for year in _YEAR.findall(label)),
        typen=_typen(phrases),
    )


def _clear_winner(ranked: list[tuple[tuple[float, int], Programm]]) -> Programm | None:
    if not ranked or ranked[0][0][0] < MIN_COVERAGE:
        return None
    if len(ranked) > 1 and ranked[1][0] == ranked[0][0]:
        return None
    return ranked[0][1]


def _score(zeile: Zeile, programm: Programm, land: str) -> tuple[float, int]:
    """Coverage of the programme's own words, and the length of its party's name in the line."""
    party = _party_length(zeile, programm)
    if not party or _contradicts(zeile, programm):
        return 0.0, 0
    parts = [1.0, float(programm.typ in zeile.typen), float(programm.jahr in zeile.jahre)]
    if programm.parlament:
        parts.append(_land_share(zeile, programm.parlament.code, land))
    return sum(parts) / len(parts), party


def _contradicts(zeile: Zeile, programm: Programm) -> bool:
    code = programm.parlament.code if programm.parlament else ""
    return bool(
        (zeile.jahre and programm.jahr not in zeile.jahre)
        or (zeile.typen and programm.typ not in zeile.typen)
        or (zeile.laender and code and code not in zeile.laender)
    )


def _land_share(zeile: Zeile, code: str, land: str) -> float:
    if code in zeile.laender:
        return 1.0
    return LAND_BONUS if code == land else 0.0


def _party_length(zeile: Zeile, programm: Programm) -> int:
    """Letters of the parties' names in the line: `CDU/CSU` counts for more than `CDU`."""
    return sum(
        max((len(name) for name in _spellings(partei) if _named(zeile.phrases, name)), default=0)
        for partei in programm.parteien.all()
    )


def _spellings(partei: Partei) -> list[str]:
    return [fold(name) for name in (partei.kuerzel, partei.name, *partei.aliase)]


def _named(phrases: frozenset[str], name: str) -> bool:
    """Also inflected: `Grünes Wahlprogramm`, `der Linken`."""
    return any(name + ending in phrases for ending in ("", "n", "s", "r", "en"))


def _laender(label: str, phrases: frozenset[str], codes: Iterable[str]) -> frozenset[str]:
    """The Laender named; `Sachsen-Anhalt` does not name Sachsen."""
    named = {code: _land_as_written(label, phrases, code) for code in codes}
    written = [spelling for spelling in named.values() if spelling]
    return frozenset(
        code
        for code, spelling in named.items()
        if spelling and not any(spelling in other and spelling != other for other in written)
    )


def _land_as_written(label: str, phrases: frozenset[str], code: str) -> str:
    # Codes only in capitals: `be`, `he` and `th` are also parts of sentences.
    if re.search(rf"\b{re.escape(code)}\b", label):
        return code
    spellings = [fold(name) for name in LAND_SPELLINGS.get(code, ())]
    return next((spelling for spelling in spellings if spelling in phrases), "")


def _typen(phrases: frozenset[str]) -> frozenset[str]:
    kinds = {
        Programm.Typ.WAHLPROGRAMM: WAHL_WORDS,
        Programm.Typ.GRUNDSATZPROGRAMM: GRUNDSATZ_WORDS,
    }
    return frozenset(
        str(typ)
        for typ, words in kinds.items()
        if any(phrase.endswith((*words, *(f"{word}s" for word in words))) for phrase in phrases)
    )


def _phrases(label: str) -> frozenset[str]:
    """Every run of up to MAX_WORDS neighbouring words, folded and joined."""
    words = [fold(word) for word in _WORD.findall(label)]
    return frozenset(
        "".join(words[start : start + length])
        for start in range(len(words))
        for length in range(1, MAX_WORDS + 1)
    )


def _codes(kandidaten: Sequence[Programm]) -> set[str]:
    return set(LAND_SPELLINGS) | {p.parlament.code for p in kandidaten if p.parlament}
