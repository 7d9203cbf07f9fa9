"""Whether a fetched file is the programme that its source says it is.

The first bytes say little: an archive that was praised as verified held saved error pages. So the
file is read, in a process of its own like every PDF.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from hashlib import sha256

from citations.quelltext import Lesetext
from citations.reading import UnbrauchbaresDokument, read_file_text

from .erkennung import first_pages, mismatches

# Shorter ones are leaflets, unless the source says that the programme has no more pages.
MIN_SEITEN = 20
# Letters of a page, on average; pictures of pages have none.
MIN_ZEICHEN = 200
_ERROR_PAGE = re.compile(
    r"\b(?:fehler|error|http)[\s:-]*(?:40[0134]|410|50[0234])\b"
    r"|\b40[34][\s:–-]+(?:not\s+found|forbidden|nicht\s+gefunden|seite|fehler|error)"
    r"|(?:seite|datei|inhalt|dokument)\s+(?:\w+\s+){0,3}nicht\s+(?:mehr\s+)?"
    r"(?:gefunden|verfügbar|vorhanden)"
    r"|(?:page|file)\s+(?:was\s+|could\s+)?not\s+(?:be\s+)?found"
    r"|(?:seite|datei)\s+existiert\s+nicht|zugriff\s+verweigert|access\s+denied",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Erwartung:
    """What is known of a programme before it is there."""

    parteien: Mapping[str, Collection[str]]
    land: str | None
    jahr: int
    sha256: str | None = None
    seiten: int | None = None


@dataclass(frozen=True)
class Befund:
    sha256: str
    seiten: int
    gruende: list[str]

    @property
    def ok(self) -> bool:
        return not self.gruende


def examine(data: bytes, erwartung: Erwartung) -> Befund:
    """The reasons are German sentences; none means that the file may be kept as the programme."""
    digest = sha256(data).hexdigest()
    if erwartung.sha256 and digest != erwartung.sha256:
        return Befund(digest, 0, ["Die Prüfsumme ist eine andere als die bekannte."])
    try:
        text = read_file_text(data)
    except UnbrauchbaresDokument as refusal:
        return Befund(digest, 0, [str(refusal)])
    return Befund(digest, len(text.seiten), _reasons(text, erwartung))


def _reasons(text: Lesetext, erwartung: Erwartung) -> list[str]:
    if text.seiten and _ERROR_PAGE.search(first_pages(text, anzahl=1)):
        return ["Die Datei ist eine gespeicherte Fehlerseite."]
    if len(text.text) < MIN_ZEICHEN * len(text.seiten):
        return ["Die Datei enthält kaum lesbaren Text."]
    return [
        *_page_count(len(text.seiten), erwartung.seiten),
        *mismatches(
            first_pages(text),
            parteien=erwartung.parteien,
            land=erwartung.land,
            jahr=erwartung.jahr,
        ),
    ]


def _page_count(found: int, known: int | None) -> list[str]:
    if known is not None and found != known:
        return [f"Die Datei hat {found} Seiten, bekannt sind {known}."]
    if known is None and found < MIN_SEITEN:
        return [f"Die Datei hat nur {found} Seiten, ein Programm mindestens {MIN_SEITEN}."]
    return []
