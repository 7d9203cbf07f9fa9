"""The pictures of the editors' handbook: who looks at what, one line each.

They are taken in this order, of one scene in which the lines before have already happened. A line
names the picture, the person who looks, the page, the part of it that is shown, and what happens
first. The texts beside the pictures in docs/redaktion/ say what is to be seen.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from io import StringIO

from django.core.management import call_command
from django.db import transaction
from django.db.models import Model
from django.urls import reverse

from assessments.desk.editing import change
from assessments.desk.rahmen import desk_url
from assessments.models import Assessment, Beleg, Eigenurteil, Lauf, Reservierung
from assessments.tasks import run_lauf
from meldungen.eingang import receive
from meldungen.models import Meldung
from meldungen.schlange import bearbeiten_address
from meldungen.ziel import Ziel
from tests.assessments.am_tisch import desk
from tests.assessments.factories import UserFactory, approve, show_all, tamper

# An evening in December, seven o'clock in Germany.
JETZT = datetime(2026, 12, 1, 18, 0, tzinfo=UTC)


class Szene:
    """Two motions of the invented Land: one with every kind of wrong quote, one without any."""

    def __init__(self, musterland) -> None:
        self.kim = UserFactory(username="kim", approver=True)
        self.robin = UserFactory(username="robin", publisher=True)
        call_command("setup_groups", stdout=StringIO())
        self.mika = UserFactory(username="mika", is_superuser=True)
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
        self._at_this_hour(self.klar, "approved_at")

    def publish(self, page) -> None:
        self.klar.publish(by=self.robin)
        self._at_this_hour(self.klar, "published_at")

    def report(self, page) -> None:
        zitat = self.klar.belege.angenommen().order_by("pk").first().zitat
        text = "Das Zitat steht da, aber die Begründung sagt das Gegenteil davon."
        self.meldung = receive(
            Ziel(self.klar, zitat), art=Meldung.Art.BEGRUENDUNG, text=text, adresse="198.51.100.7"
        )
        self._at_this_hour(self.meldung, "eingegangen_am")

    def open_correction(self, page) -> None:
        page.get_by_text("Berichtigen", exact=True).first.click()

    def correct(self, page) -> None:
        self.neu = self.klar.correct(by=self.kim, note="Die Begründung zu D1 war zu knapp.")
        feld = self.neu.feldbewertungen.get(feld="D1")
        words = "Der Bericht erscheint jedes Jahr und nennt die Mittel einzeln."
        change(feld, {"wert": "pp", "begruendung": words}, by=self.kim)

    def ask_first(self, page) -> None:
        self._set(self.viel, "eigenurteil_felder", ["C3", "D1"])

    def rate_oneself(self, page) -> None:
        for feld, wert in (("C3", "n"), ("D1", "m")):
            Eigenurteil.record(self.viel, feld, wert, by=self.kim)

    def _at_this_hour(self, row: Model, field: str) -> None:
        """The database's own clock says what day it really is."""
        self._set(row, field, JETZT)

    def _set(self, row: Model, field: str, value: object) -> None:
        sql = f"UPDATE {row._meta.db_table} SET {field} = %s WHERE id = %s"  # noqa: S608
        with transaction.atomic():
            tamper(sql, value, row.pk)
        row.refresh_from_db()


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


_queue = _page("assessments_pruefauftrag_changelist")


def _desk(grund: str, **query: str) -> Callable[[Szene], str]:
    return lambda szene: desk(szene.viel, beleg=szene.beleg(grund).pk, **query)


def _klar(part: str) -> Callable[[Szene], str]:
    return lambda szene: desk_url(part, szene.klar.pk)


def _viel(part: str) -> Callable[[Szene], str]:
    return lambda szene: desk_url(part, szene.viel.pk)


def _search(szene: Szene) -> str:
    return desk_url("stelle", szene.viel.pk, szene.beleg("zahl").pk, q="Trinkbrunnen")


def _change(szene: Szene) -> str:
    return reverse("admin:assessments_assessment_change", args=[szene.klar.pk])


def _correction(szene: Szene) -> str:
    return desk_url("unterschiede", szene.neu.pk)


def _report(szene: Szene) -> str:
    return bearbeiten_address(szene.meldung)


BILDER = [
    Bild("uebersicht", "kim", _page("index"), ".zahlen"),
    Bild("warteschlange", "kim", _queue, "#changelist"),
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
    Bild("eigenurteil", "kim", _viel("eigenurteil"), ".eigenurteil", before=Szene.ask_first),
    Bild("gegenueber", "kim", _viel("eigenurteil"), ".eigenurteil", before=Szene.rate_oneself),
    Bild("berichtigen", "kim", _change, ".verben", Szene.publish, Szene.open_correction),
    Bild("unterschiede", "kim", _correction, ".unterschiede", before=Szene.correct),
    Bild("hinweise", "mika", _queue, ".offene-hinweise", before=Szene.report),
    Bild("hinweis", "mika", _report, ".hinweis"),
    Bild("einladen", "mika", _page("konten_einladung_add"), ".konto-seite"),
]
