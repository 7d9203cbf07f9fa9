"""The cut-out on the start page: one quote that shows what the marker means."""

from dataclasses import dataclass

from django.urls import reverse

from citations.comparison import Grad
from citations.models import Dokument, Pruefung, Zitat

from .addresses import zitat_address
from .blatt import Blatt, blatt
from .models import Beleg
from .public import public_belege
from .quellen import NBSP, seiten_indizes

# Of the newest evidence; the first that is proved and stands on one page is shown.
CANDIDATES = 20


@dataclass(frozen=True)
class Schnipsel:
    """The drawing of `blatt` through the window of its cut-out; `bild` is the cut-out's picture."""

    beleg: Beleg
    adresse: str
    bild: str
    quelle: str
    pruefung: Pruefung
    blatt: Blatt


def schnipsel() -> Schnipsel | None:
    """From the newest published motion; None where no quote is fit to be an example."""
    belege = public_belege().filter(
        feldbewertung__isnull=False,
        zitat__grade=Grad.WOERTLICH,
        zitat__extraktion__dokument__anzeige=Dokument.Anzeige.SEITE,
    )
    newest = belege.select_related("zitat__extraktion", "assessment__antrag__wahlperiode").order_by(
        "-assessment__antrag__datum", "-assessment__published_at", "pk"
    )
    for beleg in newest[:CANDIDATES]:
        check = beleg.zitat.letzte_pruefung()
        if check and check.ergebnis == Pruefung.Ergebnis.BEWIESEN and _is_short(beleg.zitat):
            return _schnipsel(beleg, check)
    return None


def _is_short(zitat: Zitat) -> bool:
    """Two to four lines of one page: enough to see, short enough for a start page."""
    return len(seiten_indizes(zitat)) == 1 and 2 <= len(zitat.rects) <= 4


def _schnipsel(beleg: Beleg, check: Pruefung) -> Schnipsel:
    zitat = beleg.zitat
    seite = zitat.extraktion.seiten.get(index=zitat.seite)
    return Schnipsel(
        beleg=beleg,
        adresse=zitat_address(zitat),
        bild=reverse("zitat-ausschnitt", args=[zitat.pk, seite.index]),
        quelle=f"Drucksache {beleg.assessment.antrag.drucksache}, Seite{NBSP}{seite.zahl}",
        pruefung=check,
        blatt=blatt(zitat, seite),
    )
