"""The pictures of the editors' handbook: who looks at what, one line each.

They are taken in this order, of one scene in which the lines before have already happened. A line
names the picture, the person who looks, the page, the part of it that is shown, and what happens
first. The texts beside the pictures in docs/redaktion/ say what is to be seen.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from django.db import transaction
from django.urls import reverse

from assessments.desk.rahmen import desk_url
from assessments.models import Assessment, Beleg, Lauf, Reservierung
from assessments.tasks import run_lauf
from tests.assessments.am_tisch import desk
from tests.assessments.factories import UserFactory, approve, show_all, tamper

# An evening in December, seven o'clock in Germany.
JETZT = datetime(2026, 12, 1, 18, 0, tzinfo=UTC)


class Szene:
    """Two motions of the invented Land: one with every kind of wrong quote, one without any."""

    def __init__(self, musterland) -> None:
        self.kim = UserFactory(username="kim", approver=True)
        self.robin = UserFactory(username="robin", publisher=True)
        self.viel = _assess(musterland["ML 7/2318"])
        self.klar = _assess(musterland["ML 7/2291"])
        Beleg.objects.update(los=0.9)
        drawn = self.klar.belege.angenommen().order_by("pk").values("pk")[:3]
        Beleg.objects.filter(pk__in=drawn).update(los=0.1)

    def beleg(self, grund: str) -> Beleg:
        return self.viel.belege.offen().filter(grund=grund).order_by("pk").first()

    # --- What happens ----------------------------------------------------------------------------

    def nothing(self, page) -> None:
        """As it is."""

    def keys(self, page) -> None:
        page.keyboard.press("?")

    def drop_the_invented(self, page) -> None:
        self.beleg("nicht_gefunden").drop(by=self.kim)

    def lease(self, page) -> None:
        Reservierung.take(self.viel, by=self.kim)

    def take_over(self, page) -> None:
        Reservierung.take_over(self.viel, by=self.robin)

    def free_again(self, page) -> None:
        Reservierung.objects.all().delete()

    def see_all(self, page) -> None:
        show_all(self.klar, self.kim)

    def approve(self, page) -> None:
        approve(self.klar, by=self.kim)
        with transaction.atomic():  # the database's own clock says what day it really is
            sql = "UPDATE assessments_assessment SET approved_at = %s WHERE id = %s"
            tamper(sql, JETZT, self.klar.pk)


def _assess(antrag) -> Assessment:
    lauf = Lauf.objects.create(fassung=antrag.fassung)
    run_lauf(lauf.pk)
    lauf.refresh_from_db()
    return lauf.assessment


@dataclass(frozen=True)
class Bild:
    """`before` happens before the page is opened, `then` on it; `part` is a CSS selector."""

    name: str
    person: str
    address: Callable[[Szene], str]
    part: str
    before: Callable[[Szene, object], None] = Szene.nothing
    then: Callable[[Szene, object], None] = Szene.nothing


def _page(name: str) -> Callable[[Szene], str]:
    return lambda szene: reverse(f"admin:{name}")


def _desk(grund: str, **query: str) -> Callable[[Szene], str]:
    return lambda szene: desk(szene.viel, beleg=szene.beleg(grund).pk, **query)


def _klar(part: str) -> Callable[[Szene], str]:
    return lambda szene: desk_url(part, szene.klar.pk)


def _viel(part: str) -> Callable[[Szene], str]:
    return lambda szene: desk_url(part, szene.viel.pk)


def _search(szene: Szene) -> str:
    return desk_url("stelle", szene.viel.pk, szene.beleg("zahl").pk, q="Trinkbrunnen")


BILDER = [
    Bild("uebersicht", "kim", _page("index"), ".zahlen"),
    Bild("warteschlange", "kim", _page("assessments_pruefauftrag_changelist"), "#changelist"),
    Bild("tisch", "kim", _desk("zahl"), ".tisch", before=Szene.lease),
    Bild("reihe", "kim", _desk("zahl"), ".tisch-kopf"),
    Bild("verneinung", "kim", _desk("verneinung"), ".pult > .rechts"),
    Bild("falsches-programm", "kim", _desk("anderes_programm"), ".pult > .rechts"),
    Bild("andere-stelle", "kim", _search, ".stelle"),
    Bild("begruendung", "kim", _desk("abgeschnitten", begruenden="annehmen"), ".trotzdem"),
    Bild("tasten", "kim", _desk("zahl"), "#tasten", then=Szene.keys),
    Bild("rueckgaengig", "kim", _desk("zahl"), ".zuletzt", before=Szene.drop_the_invented),
    Bild("reserviert", "robin", _desk("zahl"), ".tisch-kopf"),
    Bild("gesperrt", "robin", _desk("zahl"), ".taten"),
    Bild("uebernommen", "kim", _page("index"), ".messagelist", before=Szene.take_over),
    Bild("feld", "kim", _klar("felder"), ".felder > fieldset:first-of-type"),
    Bild("vergleich", "kim", _klar("vergleiche"), ".karte:first-child"),
    Bild("zu-zeigen", "kim", _klar("felder"), ".leiste-unten"),
    Bild("freigeben", "kim", _klar("pruefen"), ".leiste-unten", before=Szene.see_all),
    Bild("veroeffentlichen", "robin", _klar("pruefen"), ".leiste-unten", before=Szene.approve),
    Bild("selbst-freigegeben", "kim", _klar("pruefen"), ".leiste-unten", before=Szene.free_again),
    Bild("verlauf", "kim", _viel("verlauf"), ".verlauf"),
]
