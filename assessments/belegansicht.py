"""A piece of evidence as readers see it (docs/reference/pages.md)."""

from collections.abc import Iterable
from dataclasses import dataclass

from citations.comparison import Grad

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
    quelle: Quelle
    stand: Pruefstand
    url: str

    @property
    def teile(self) -> list[str]:
        return self.beleg.zitat.teile

    @property
    def in_pruefung(self) -> bool:
        return self.stand.in_pruefung

    @property
    def look(self) -> str:
        return "offen" if self.in_pruefung else LOOKS[Grad(self.beleg.zitat.grade)][0]

    @property
    def label(self) -> str:
        """The words of the grade; a quote in review says that instead."""
        return "in Prüfung" if self.in_pruefung else LOOKS[Grad(self.beleg.zitat.grade)][1]


def belegansichten(belege: Iterable[Beleg], *, antrag: str) -> list[BelegAnsicht]:
    """For accepted evidence (with `zitat__extraktion` loaded), in its order."""
    belege = list(belege)
    zitate = {beleg.zitat_id: beleg.zitat for beleg in belege}
    sources = quellen(zitate.values(), antrag=antrag)
    states = pruefstaende(zitate)
    return [
        BelegAnsicht(
            beleg, sources[beleg.zitat_id], states[beleg.zitat_id], zitat_address(beleg.zitat)
        )
        for beleg in belege
    ]
