"""A piece of evidence as readers see it (docs/reference/pages.md)."""

from collections.abc import Iterable
from dataclasses import dataclass

from citations.comparison import Grad
from citations.models import Zitat

from .addresses import zitat_address
from .models import Beleg
from .pruefstand import Pruefstand, pruefstaende
from .quellen import Quelle, quellen

# The name of the look and of the icon, and the words beside the icon.
LOOKS = {
    Grad.WOERTLICH: ("haken", "wörtlich"),
    Grad.AUSLASSUNG: ("lass", "wörtlich, mit Auslassung"),
    Grad.ANGEGLICHEN: ("ang", "angeglichen, gezeigt ist die Quelle"),
}


@dataclass(frozen=True)
class BelegAnsicht:
    beleg: Beleg
    zitat: Zitat
    quelle: Quelle
    stand: Pruefstand
    url: str

    @property
    def stelle(self) -> str:
        """The address of the page, scrolled to the words."""
        return f"{self.url}#stelle"

    @property
    def teile(self) -> list[str]:
        return self.zitat.teile

    @property
    def forderung(self) -> tuple[str, str]:
        """Number and words of the demand that the passage was found for; its quote may answer
        another one as well."""
        number, _, words = self.beleg.forderung.partition(". ")
        return number, words

    @property
    def in_pruefung(self) -> bool:
        return self.stand.in_pruefung

    @property
    def look(self) -> str:
        return "offen" if self.in_pruefung else LOOKS[Grad(self.zitat.grade)][0]

    @property
    def label(self) -> str:
        """The words of the grade; a quote in review says that instead."""
        return "in Prüfung" if self.in_pruefung else LOOKS[Grad(self.zitat.grade)][1]


def belegansichten(belege: Iterable[Beleg], *, antrag: str) -> list[BelegAnsicht]:
    """Of the accepted ones (with `zitat__extraktion` loaded), in their order."""
    placed = [(beleg, beleg.zitat) for beleg in belege if beleg.zitat]
    sources = quellen({zitat.pk: zitat for _, zitat in placed}.values(), antrag=antrag)
    states = pruefstaende(zitat.pk for _, zitat in placed)
    return [
        BelegAnsicht(beleg, zitat, sources[zitat.pk], states[zitat.pk], zitat_address(zitat))
        for beleg, zitat in placed
    ]
