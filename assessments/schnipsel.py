"""The cut-out on the start page: one quote that shows what the marker means."""

from dataclasses import dataclass

from django.urls import reverse

from citations.comparison import Grad
from citations.models import Dokument
from citations.pictures import Breite

from .belegansicht import BelegAnsicht, belegansichten
from .blatt import Blatt, blatt
from .models import Assessment
from .public import public_belege
from .quellen import NBSP, seiten_indizes

# Of the newest evidence; the first that is proved and stands on one page is shown.
CANDIDATES = 20
# More of the page than on a phone's cut-out: it must be seen to be a page.
LINES_AROUND = 4


@dataclass(frozen=True)
class Schnipsel:
    """The drawing of `blatt`, seen through the window of its cut-out."""

    ansicht: BelegAnsicht
    bild: str
    quelle: str
    blatt: Blatt


def schnipsel() -> Schnipsel | None:
    """From the newest published motion; None where no quote is fit to be an example."""
    motions = Assessment.objects.readable().order_by("-antrag__datum", "-published_at")
    belege = public_belege().filter(
        assessment__in=motions[:CANDIDATES],
        feldbewertung__isnull=False,
        zitat__grade=Grad.WOERTLICH,
        zitat__extraktion__dokument__anzeige=Dokument.Anzeige.SEITE,
    )
    newest = belege.select_related("zitat__extraktion", "assessment__antrag__wahlperiode").order_by(
        "-assessment__antrag__datum", "-assessment__published_at", "pk"
    )
    candidates = [
        ansicht for ansicht in belegansichten(newest[:CANDIDATES], antrag="") if _is_fit(ansicht)
    ]
    return _schnipsel(candidates[0]) if candidates else None


def _is_fit(ansicht: BelegAnsicht) -> bool:
    """Proved, and two to four lines of one page: enough to see, short enough for a start page."""
    zitat = ansicht.zitat
    is_short = len(seiten_indizes(zitat)) == 1 and 2 <= len(zitat.rects) <= 4
    return is_short and ansicht.stand.ist_bewiesen


def _schnipsel(ansicht: BelegAnsicht) -> Schnipsel:
    zitat = ansicht.zitat
    seite = zitat.extraktion.seiten.get(index=zitat.seite)
    drucksache = ansicht.beleg.assessment.antrag.drucksache
    return Schnipsel(
        ansicht=ansicht,
        bild=reverse("zitat-seite", args=[zitat.pk, seite.index, int(Breite.DOPPELT)]),
        quelle=f"Drucksache {drucksache}, Seite{NBSP}{seite.zahl}",
        blatt=blatt(zitat, seite, lines=LINES_AROUND),
    )
