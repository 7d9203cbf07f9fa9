"""What a programme's file name says: party-region[-grundsatz]-year[-addition].pdf (pure)."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from .models import Programm

GRUNDSATZ = "grundsatz"
# Documents that look like a party's programme for a parliament and are none.
FREMDE_ARTEN = {
    "kommunal": "Kommunale Programme gehören zu keinem Parlament und werden nicht aufgenommen.",
    "europa": "Programme zur Europawahl gehören zu keinem Land und werden nicht aufgenommen.",
    "koalition": "Ein Koalitionsvertrag ist kein Programm einer Partei.",
    "koalitionsvertrag": "Ein Koalitionsvertrag ist kein Programm einer Partei.",
}
_JAHR = re.compile(r"(19|20)\d\d")
_UMLAUTE = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})  # casefold makes ss of ß


class UnklareAngaben(ValueError):
    """What is said about a programme is incomplete or contradicts itself; the message is German."""


class UnklarerName(UnklareAngaben):
    """The name does not say party, region and year; the message is German and names the part."""


@dataclass(frozen=True)
class Namensangaben:
    parteien: tuple[str, ...]
    parlament: str | None
    typ: Programm.Typ
    jahr: int
    zusatz: str


def fold(text: str) -> str:
    """Lower case, ae for ä, only letters and digits: names in files and in tables meet."""
    return "".join(filter(str.isalnum, text.casefold().translate(_UMLAUTE)))


def parse_name(
    stem: str, *, parteien: Mapping[str, str], parlamente: Collection[str]
) -> Namensangaben:
    """`stem` is the name without `.pdf`, `parteien` maps folded spellings to Kürzel.

    A basic programme is valid everywhere: its region says who wrote it, and is not a parliament.
    Raises UnklarerName.
    """
    words = [word for word in stem.casefold().split("-") if word]
    _refuse_foreign_kinds(words)
    before, jahr, addition = _split_at_year(words)
    region = _region_index(before, parlamente)
    typ = _typ(before[region + 1 :])
    return Namensangaben(
        parteien=tuple(_parteien(before[:region], parteien)),
        parlament=None if typ == Programm.Typ.GRUNDSATZPROGRAMM else before[region].upper(),
        typ=typ,
        jahr=jahr,
        zusatz=" ".join(addition),
    )


def _refuse_foreign_kinds(words: list[str]) -> None:
    for word in words:
        if word in FREMDE_ARTEN:
            raise UnklarerName(FREMDE_ARTEN[word])


def _split_at_year(words: list[str]) -> tuple[list[str], int, list[str]]:
    for index, word in enumerate(words):
        if _JAHR.fullmatch(word):
            return words[:index], int(word), words[index + 1 :]
    raise UnklarerName(
        "Im Namen fehlt das Jahr. Erwartet wird Partei-Region-Jahr.pdf, zum Beispiel "
        "spd-bw-2016.pdf."
    )


def _region_index(words: list[str], parlamente: Collection[str]) -> int:
    codes = {code.casefold() for code in parlamente}
    for index, word in enumerate(words):
        if index and word in codes:
            return index
    raise UnklarerName(
        f"Im Namen steht kein bekanntes Parlament ({'-'.join(words) or 'nichts'} vor dem Jahr). "
        f"Möglich sind: {', '.join(sorted(codes))}."
    )


def _typ(words: list[str]) -> Programm.Typ:
    if not words:
        return Programm.Typ.WAHLPROGRAMM
    if words == [GRUNDSATZ]:
        return Programm.Typ.GRUNDSATZPROGRAMM
    raise UnklarerName(f"Die Art „{'-'.join(words)}“ ist unbekannt; möglich ist nur „{GRUNDSATZ}“.")


def _parteien(words: list[str], known: Mapping[str, str]) -> list[str]:
    """The longest names first, so that `freie-waehler` is one party and `cdu-csu` are two."""
    found = []
    while words:
        for length in range(len(words), 0, -1):
            if kuerzel := known.get(fold("".join(words[:length]))):
                found.append(kuerzel)
                words = words[length:]
                break
        else:
            raise UnklarerName(
                f"Die Partei „{words[0]}“ ist unbekannt. Legen Sie sie an, oder nennen Sie sie "
                "mit --partei."
            )
    return found
