"""What placing a quote can say: a place with its grade, or what hinders. Pure."""

from dataclasses import dataclass
from enum import StrEnum

from .comparison import Grad
from .quelltext import Span


class Hindernis(StrEnum):
    """Why a quote is not placed without an editor."""

    NICHT_GEFUNDEN = "nicht_gefunden"
    WEICHT_AB = "weicht_ab"
    VERNEINUNG = "verneinung"
    ZAHL = "zahl"
    ABGESCHNITTEN = "abgeschnitten"
    AUSLASSUNG = "auslassung"
    WORTGRENZE = "wortgrenze"
    ZU_KURZ = "zu_kurz"
    NICHT_PRUEFBAR = "nicht_pruefbar"
    NICHT_BEWIESEN = "nicht_bewiesen"

    @property
    def erklaerung(self) -> str:
        """A German sentence for editors, and for who checks a list of quotes."""
        return _ERKLAERUNGEN[self]


_ERKLAERUNGEN = {
    Hindernis.NICHT_GEFUNDEN: "Nichts im Dokument kommt diesem Wortlaut nahe.",
    Hindernis.WEICHT_AB: "Der Wortlaut weicht von der nächsten Stelle ab.",
    Hindernis.VERNEINUNG: "Zwischen Zitat und Quelle steht eine Verneinung, die den Sinn ändert.",
    Hindernis.ZAHL: "Eine Zahl ist eine andere als in der Quelle.",
    Hindernis.ABGESCHNITTEN: "Im selben Satz steht eine Verneinung, die das Zitat weglässt.",
    Hindernis.AUSLASSUNG: "Die Auslassung ist zu groß, oder die Teile stehen in anderer Folge.",
    Hindernis.WORTGRENZE: "Das Zitat beginnt oder endet mitten in einem Wort.",
    Hindernis.ZU_KURZ: "Das Zitat ist zu kurz, um sicher zugeordnet zu werden.",
    Hindernis.NICHT_PRUEFBAR: "Diese Stelle lässt sich nicht maschinell prüfen.",
    Hindernis.NICHT_BEWIESEN: "Ein zweites Leseprogramm findet an der Stelle andere Buchstaben.",
}


@dataclass(frozen=True, slots=True)
class Platz:
    """The place of a quote, or the nearest one with what hinders.

    `spans` are offsets in the flow text, in order; empty where nothing is near.
    `satz` is the sentence to extend to, where a negation was cut off. `weitere` are other places
    of the same words, in the order of the text. `naehe` (0–100) is how near the nearest one is.
    """

    grad: Grad
    spans: tuple[Span, ...] = ()
    hindernis: Hindernis | None = None
    satz: Span | None = None
    weitere: tuple[tuple[Span, ...], ...] = ()
    naehe: float = 100.0

    @property
    def is_placed(self) -> bool:
        return self.hindernis is None

    @property
    def rang(self) -> tuple[int, float]:
        """The greater, the better: a place beats words that only lack their context, and so on."""
        if self.is_placed:
            return 3, self.naehe
        if self.hindernis is Hindernis.ABGESCHNITTEN:
            return 2, self.naehe
        return (1 if self.spans else 0), self.naehe


NOWHERE = Platz(Grad.UNGEPRUEFT, (), Hindernis.NICHT_GEFUNDEN, naehe=0.0)
