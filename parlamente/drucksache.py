"""Drucksache numbers: what a source or a person wrote → Wahlperiode, number, series, version."""

import re
from dataclasses import dataclass


class KeineDrucksache(ValueError):
    """The text is not a Drucksache number; the message says so in German."""


@dataclass(frozen=True)
class Drucksache:
    """A number as it is cited.

    `zusatz` is a series with numbers of its own (S: city of Bremen, KA: Kleine Anfragen) and part
    of the identity; `bezeichnung` ("neu") names a later version of the same number and is not.
    """

    wahlperiode: int
    nummer: str
    zusatz: str = ""
    bezeichnung: str = ""

    def __str__(self) -> str:
        number = f"{self.wahlperiode}/{self.nummer}"
        number += f" {self.zusatz}" if self.zusatz else ""
        return f"{number}-{self.bezeichnung}" if self.bezeichnung else number


_NUMBER = re.compile(
    r"""
    (?:drs\.?|drucksache|(?P<reihe>ka|kleine\ anfrage))?  \s* (?:nr\.)? \s*
    0*(?P<wahlperiode>[1-9][0-9]?) \s*/\s* 0*(?P<nummer>[1-9][0-9]{0,5}) \s*
    (?P<zusatz>ka|s)? \s*
    (?: -?\s* \(?\s* (?P<neu>neu(?:druck)?) \s*\)? )?
    """,
    re.IGNORECASE | re.VERBOSE,
)


def parse_drucksache(roh: str) -> Drucksache:
    """Raises KeineDrucksache."""
    match = _NUMBER.fullmatch(roh.strip())
    if match is None:
        raise KeineDrucksache(
            f"„{roh.strip()[:60]}“ ist keine Drucksachennummer. Erwartet wird Wahlperiode/Nummer,"
            " zum Beispiel 16/123, 21/905 S oder 17/2259-neu."
        )
    zusatz = match["zusatz"] or ("KA" if match["reihe"] else "")
    return Drucksache(
        wahlperiode=int(match["wahlperiode"]),
        nummer=match["nummer"],
        zusatz=zusatz.upper(),
        bezeichnung="neu" if match["neu"] else "",
    )
