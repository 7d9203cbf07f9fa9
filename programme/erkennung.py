"""Whether a document's first pages name the party, the Land and the year they should (pure).

Against mix-ups: a file of another year or another Land under a right name. A name that is missing
may stand in a picture, so a person decides; the check only says what is not there.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from citations.quelltext import Lesetext
from parlamente.models import Partei

from .naming import fold

# Cover, imprint, table of contents, preface. With more, programmes of one year begin to name each
# other's parties, and those of a Land speak of Germany (docs/reference/programme.md).
ERSTE_SEITEN = 6
# How the programmes write the Länder; a star stands for any ending of the word.
SCHREIBWEISEN: dict[str, tuple[str, ...]] = {
    "Baden-Württemberg": ("Baden-Württemberg*", "BW", "BaWü"),
    "Bayern": ("Bayern*", "bayerisch*"),
    "Berlin": ("Berlin*",),
    "Brandenburg": ("Brandenburg*",),
    "Bremen": ("Bremen*", "Bremer", "bremisch*"),
    "Bund": ("Deutschland*", "Bundestag*", "Bundesrepublik"),
    "Hamburg": ("Hamburg*",),
    "Hessen": ("Hessen*", "hessisch*"),
    "Mecklenburg-Vorpommern": ("Mecklenburg-Vorpommern*", "MV", "M-V", "Meck-Pomm"),
    "Niedersachsen": ("Niedersachsen*", "niedersächsisch*"),
    "Nordrhein-Westfalen": ("Nordrhein-Westfalen*", "nordrhein-westfälisch*", "NRW"),
    "Rheinland-Pfalz": ("Rheinland-Pfalz*", "rheinland-pfälzisch*", "RLP"),
    "Saarland": ("Saarland*", "saarländisch*", "Saar"),
    "Sachsen": ("Sachsen", "Sachsens", "sächsisch*"),
    "Sachsen-Anhalt": ("Sachsen-Anhalt*", "LSA"),
    "Schleswig-Holstein": ("Schleswig-Holstein*", "SH"),
    "Thüringen": ("Thüringen*", "Thüringer*", "thüringisch*"),
}
_WORD = re.compile(r"[^\W_]+")
_SACHSEN_ANHALT = re.compile(r"sachsen\s*[-–]?\s*anhalt\w*", re.IGNORECASE)
# "2016–2021" is a programme for 2016: the year at its end is the next election's.
_TERM = re.compile(r"((?:19|20)\d\d)\s*(?:[-–—/]|bis)\s*(?:(?:19|20)?\d\d)(?!\d)")

Wort = tuple[str, str]  # as written, and folded


def mismatches(
    text: str, *, parteien: Mapping[str, Collection[str]], land: str | None, jahr: int
) -> list[str]:
    """What the text of the first pages does not name, as German sentences; empty where all is said.

    `parteien` maps each party's Kürzel to all its spellings, `land` is as in the table of
    parliaments ("Bund" for the Bundestag), None for a basic programme.
    """
    words = _words(text)
    reasons = [
        f"Auf den ersten Seiten fehlt die Partei {kuerzel}."
        for kuerzel, spellings in parteien.items()
        if not any(_places(words, spelling) for spelling in spellings)
    ]
    if land and not _names_land(text, land, parteien):
        reasons.append(f"Auf den ersten Seiten {_land_fehlt(land)}.")
    if not re.search(rf"(?<!\d){jahr}(?!\d)", _TERM.sub(r"\1", text)):
        reasons.append(f"Auf den ersten Seiten fehlt das Jahr {jahr}.")
    return reasons


def spellings(parteien: Iterable[Partei]) -> dict[str, list[str]]:
    return {
        partei.kuerzel: [partei.kuerzel, partei.name, *partei.aliase]
        for partei in sorted(parteien, key=lambda partei: partei.kuerzel)
    }


def first_pages(text: Lesetext, *, anzahl: int = ERSTE_SEITEN) -> str:
    """What stands on them, running heads included."""
    return "\n".join(
        part
        for seite in text.seiten[:anzahl]
        for part in (seite.text, *(words for _, words, _ in seite.beiwerk))
    )


def _names_land(text: str, land: str, parteien: Mapping[str, Collection[str]]) -> bool:
    """Not in another Land's name, nor in the party's own: "Sozialdemokratische Partei …"."""
    if land == "Sachsen":
        text = _SACHSEN_ANHALT.sub(" ", text)
    words = _words(text)
    for spelling in {spelling for names in parteien.values() for spelling in names}:
        for place in reversed(_places(words, spelling)):
            words[place] = [("", "")]
    return any(_places(words, spelling) for spelling in SCHREIBWEISEN.get(land, (f"{land}*",)))


def _land_fehlt(land: str) -> str:
    return "fehlen Deutschland und Bundestag" if land == "Bund" else f"fehlt das Land {land}"


def _words(text: str) -> list[Wort]:
    found = _WORD.findall(text.replace("\u00ad", ""))
    return [(word, fold(word)) for word in found]


def _places(words: list[Wort], spelling: str) -> list[slice]:
    """Where neighbouring words make the spelling; in order, without overlaps."""
    wanted, starred = fold(spelling), spelling.endswith("*")
    places: list[slice] = []
    for start in range(len(words)):
        if places and start < places[-1].stop:
            continue
        for end, joined in _joined(words, start, len(wanted)):
            fits = joined.startswith(wanted) if starred else joined == wanted
            if fits and _is_a_name(words[start:end], spelling):
                places.append(slice(start, end))
    return places


def _joined(words: list[Wort], start: int, length: int) -> Iterator[tuple[int, str]]:
    joined = ""
    for end in range(start, len(words)):
        joined += words[end][1]
        if len(joined) >= length:
            yield end + 1, joined
            return


def _is_a_name(words: list[Wort], spelling: str) -> bool:
    """Not the adjective of the same letters: "grüne Wiese", "die linke Seite", "Bd. 2".

    An address on the net is a name in lower case: "gruene.de", "dielinke.de".
    """
    written, folded = words[-1]
    if len(fold(spelling)) <= 2:
        return written.isupper()
    if len(folded) < 5 or spelling.endswith("*") or written[0].isupper():
        return True
    as_in_an_address = len(_WORD.findall(spelling)) > 1 or (
        written.isascii() and not spelling.isascii()
    )
    return len(words) == 1 and as_in_an_address
