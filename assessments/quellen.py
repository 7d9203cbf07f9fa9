"""Where a Zitat stands, as a reader sees it: `UFER, Wahlprogramm 2024, S. 41`."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from citations.models import Seite, Zitat
from programme.models import Programm

NBSP = "\u00a0"


@dataclass(frozen=True)
class Quelle:
    """`programm` is None for a quote from the motion itself; `zahlen` are the pages' numbers."""

    werk: str
    zahlen: tuple[str, ...]
    programm: Programm | None = None

    @property
    def seiten(self) -> str:
        return f"S.{NBSP}{'–'.join(dict.fromkeys((self.zahlen[0], self.zahlen[-1])))}"

    @property
    def text(self) -> str:
        return f"{self.werk}, {self.seiten}"


def quellen(zitate: Iterable[Zitat], *, antrag: str) -> dict[int, Quelle]:
    """By the Zitat's key, in a fixed number of queries; `antrag` is the word for the motion.

    The Zitate should come with their `extraktion`.
    """
    zitate = list(zitate)
    programme = _programme({zitat.extraktion.dokument_id for zitat in zitate})
    pages = _seiten(zitate)
    return {
        zitat.pk: quelle(
            zitat,
            programme.get(zitat.extraktion.dokument_id),
            pages.get(zitat.extraktion_id, []),
            antrag=antrag,
        )
        for zitat in zitate
    }


def quelle(
    zitat: Zitat, programm: Programm | None, seiten: Iterable[Seite], *, antrag: str
) -> Quelle:
    """The same for one, from what is loaded already; a page that is gone has the file's number."""
    printed = {seite.index: seite.zahl for seite in seiten}
    zahlen = tuple(printed.get(index, str(index)) for index in seiten_indizes(zitat))
    return Quelle(programm_werk(programm) if programm else antrag, zahlen, programm)


def programm_werk(programm: Programm) -> str:
    return f"{programm.kuerzel}, {programm.typ_wort} {programm.jahr}"


def seiten_indizes(zitat: Zitat) -> list[int]:
    """The pages (of the file) that the Zitat touches, in order."""
    return sorted({rect["seite"] for rect in zitat.rects} | {zitat.seite})


def _programme(dokumente: set[int]) -> dict[int, Programm]:
    rows = Programm.objects.filter(dokument__in=dokumente).select_related("parlament")
    return {programm.dokument_id: programm for programm in rows.prefetch_related("parteien")}


def _seiten(zitate: list[Zitat]) -> dict[int, list[Seite]]:
    """By reading; the pages' texts and boxes stay in the database."""
    rows = Seite.objects.filter(
        extraktion__in={zitat.extraktion_id for zitat in zitate},
        index__in={index for zitat in zitate for index in seiten_indizes(zitat)},
    ).only("extraktion", "index", "gedruckt")
    pages: dict[int, list[Seite]] = defaultdict(list)
    for seite in rows:
        pages[seite.extraktion_id].append(seite)
    return pages
