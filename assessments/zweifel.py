"""Published quotes that readers see as *in Prüfung*: editors decide what becomes of them."""

from dataclasses import dataclass

from django.db.models import OuterRef, Subquery

from citations.models import Pruefgang, Pruefung, Zitat

from .models.einwaende import DOUBTS
from .pruefstand import Pruefstand, pruefstaende
from .public import public_zitate

# On the start page; the number says how many there are.
SHOWN = 20


@dataclass(frozen=True)
class Zweifel:
    zitat: Zitat
    stand: Pruefstand


@dataclass(frozen=True)
class Pruefbericht:
    """The newest run over all quotes, and the published ones that are in doubt now."""

    gang: Pruefgang | None
    zweifel: list[Zweifel]

    @property
    def gezeigt(self) -> list[Zweifel]:
        return self.zweifel[:SHOWN]


def pruefbericht() -> Pruefbericht:
    newest = Pruefung.objects.filter(zitat=OuterRef("pk")).order_by("-am", "-pk")
    # Few were ever doubted: only of those the newest check is asked for.
    ever = Pruefung.objects.filter(ergebnis__in=DOUBTS).values("zitat")
    doubted = (
        public_zitate()
        .filter(pk__in=ever)
        .annotate(neuestes=Subquery(newest.values("ergebnis")[:1]))
        .filter(neuestes__in=DOUBTS)
        .select_related("extraktion__dokument")
    )
    zitate = {zitat.pk: zitat for zitat in doubted.order_by("pk")}
    states = pruefstaende(zitate)
    return Pruefbericht(
        gang=Pruefgang.objects.order_by("-begonnen_am").first(),
        zweifel=[
            Zweifel(zitat, states[pk]) for pk, zitat in zitate.items() if states[pk].in_pruefung
        ],
    )
