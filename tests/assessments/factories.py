"""Assessments of an invented motion, with real places in real (typeset on the spot) documents.

`AssessmentFactory()` is a draft with everything rated and placed; the traits `in_review`,
`approved`, `published` and `withdrawn` take it there by its own verbs.
"""

from datetime import date

import factory
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission
from django.db import connection
from django.db.backends.postgresql.psycopg_any import DateRange

from assessments.models import (
    Assessment,
    Beleg,
    Feldbewertung,
    Lauf,
    Sichtung,
    Verbesserung,
    Vergleich,
)
from assessments.scale import Wert
from citations import verification
from citations.ablehnung import Ablehnung
from citations.binding import keep, make_zitat
from citations.children import ChildFailed
from citations.lesetext import lesetext
from citations.models import Dokument, Zitat
from citations.placing import place
from programme.models import Programm
from tests.citations.factories import DokumentFactory, PruefungFactory
from tests.parlamente.factories import AntragFactory, ParteiFactory, RegierungFactory

FORDERUNG = "Die Landesregierung berichtet dem Landtag jährlich bis zum 30. Juni über die Wirkung."
AUFTRAG = "Für Aufträge bis 100.000 Euro entfallen die Nachweise über die Lieferkette."
ZUSAGE = "Wir legen jedes Jahr offen, wofür das Land sein Geld ausgibt."
ANTRAGSTEXT = f"Der Landtag wolle beschließen:\n\n{FORDERUNG}\n\n{AUFTRAG}"
PROGRAMMTEXT = f"Das ist unser Plan für das Land.\n\n{ZUSAGE}\n\nDas gilt für alle Behörden."
RATED = {
    "A4": Wert.STARK_HEMMEND,
    "B5": Wert.FOERDERND,
    "D1": Wert.STARK_FOERDERND,
    "D5": Wert.OHNE_WIRKUNG,
}
NEU_BEWERTET = "Neu bewertet, weil sich die Matrix geändert hat."
FELDER = [f"{row}{column}" for row in "ABCDE" for column in range(1, 6)]


REVIEWER = ["review_assessment", "submit_assessment", "correct_assessment", "add_lauf"]
APPROVER = [*REVIEWER, "approve_assessment", "reject_assessment", "return_assessment"]
PUBLISHER = [*APPROVER, "publish_assessment", "withdraw_assessment"]


class UserFactory(factory.django.DjangoModelFactory):
    """Staff by default; `reviewer`, `approver` and `publisher` may what their groups may here."""

    class Meta:
        model = get_user_model()
        skip_postgeneration_save = True

    class Params:
        reviewer = factory.Trait(may=REVIEWER)
        approver = factory.Trait(may=APPROVER)
        publisher = factory.Trait(may=PUBLISHER)
        visitor = factory.Trait(is_staff=False)

    username = factory.Sequence(lambda n: f"person{n}")
    is_staff = True
    may: list[str] = []

    @classmethod
    def _create(cls, model_class, *args, may, **kwargs):
        person = super()._create(model_class, *args, **kwargs)
        codenames = [*may, *(["view_assessment"] if may else [])]
        person.user_permissions.set(Permission.objects.filter(codename__in=codenames))
        return person


class ProgrammFactory(factory.django.DjangoModelFactory):
    """An election programme of an invented party that is valid when the tests' motions are."""

    class Meta:
        model = Programm
        skip_postgeneration_save = True
        exclude = ["seiten"]

    seiten: list[str] = []
    dokument = factory.LazyAttribute(lambda programm: DokumentFactory(*programm.seiten))
    typ = Programm.Typ.WAHLPROGRAMM
    jahr = 2016
    gueltig = DateRange(date(2016, 3, 13), date(2021, 3, 14))

    class Params:
        grundsatz = factory.Trait(typ=Programm.Typ.GRUNDSATZPROGRAMM, parlament=None)

    @factory.post_generation
    def parteien(self, create, extracted, **kwargs):
        self.parteien.set(extracted or [ParteiFactory()])


class LaufFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Lauf

    status = Lauf.Status.FERTIG
    modell = "muster-1"
    prompt_version = "1"


def place_zitat(words: str, dokument: Dokument) -> Zitat:
    """The stored place of `words`, which must stand in the document as they are."""
    platz = place(words, lesetext(dokument.lesung))
    assert platz.is_placed, platz
    return keep(make_zitat(dokument.lesung, platz.spans, platz.grad))


def tamper(statement: str, *parameters: object) -> None:
    """Past every trigger, as somebody with the keys of the database could."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(statement, parameters)
        cursor.execute("SET LOCAL session_replication_role = origin")


def cannot_read(monkeypatch) -> None:
    """From now on the second engine (the outside edge) fails on every file."""

    def broken(*args: object) -> bytes:
        raise ChildFailed(Ablehnung.ABSTURZ)

    monkeypatch.setattr(verification, "run_child", broken)


def prove(assessment: Assessment) -> Assessment:
    """As after a binding or a verification: every quote has a check, and it is proved."""
    for zitat in Zitat.objects.filter(belege__assessment=assessment).distinct():
        PruefungFactory(zitat=zitat)
    return assessment


class BelegFactory(factory.django.DjangoModelFactory):
    """Placed by default; `offen` has the model's words and the nearest place as a proposal."""

    class Meta:
        model = Beleg

    assessment = factory.LazyAttribute(lambda beleg: beleg.owner_row.assessment)
    seite = Beleg.Seite.ANTRAG
    zustand = Beleg.Zustand.ANGENOMMEN
    herkunft = Beleg.Herkunft.MODELL
    wortlaut_modell = factory.LazyAttribute(lambda beleg: beleg.zitat.text if beleg.zitat else "")
    los = 0.9  # not drawn

    class Params:
        owner_row = None
        offen = factory.Trait(
            zustand=Beleg.Zustand.OFFEN,
            zitat=None,
            grund=Beleg.Grund.WEICHT_AB,
            erklaerung="Ein Wort weicht ab.",
            wortlaut_modell="Die Landesregierung berichtet dem Landtag monatlich über die Wirkung.",
        )

    feldbewertung = factory.LazyAttribute(lambda b: _if(b.owner_row, Feldbewertung))
    vergleich = factory.LazyAttribute(lambda b: _if(b.owner_row, Vergleich))
    verbesserung = factory.LazyAttribute(lambda b: _if(b.owner_row, Verbesserung))


def _if(owner, kind):
    return owner if isinstance(owner, kind) else None


class AssessmentFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Assessment
        skip_postgeneration_save = True

    class Params:
        in_review = factory.Trait(stand="in_review")
        approved = factory.Trait(stand="approved")
        published = factory.Trait(stand="published")
        withdrawn = factory.Trait(stand="withdrawn")

    antrag = factory.SubFactory(
        AntragFactory,
        mit_text=ANTRAGSTEXT,
        titel="Jährlich über die Wirkung berichten",
    )
    fassung = factory.LazyAttribute(lambda assessment: assessment.antrag.fassung)
    lauf = factory.LazyAttribute(lambda assessment: LaufFactory(fassung=assessment.fassung))
    matrix_version = "gemeinden-2.0"
    zusammenfassung_modell = "Das Land soll jedes Jahr berichten und Nachweise aussetzen."
    themen = ["Haushalt"]
    berichtigung = factory.LazyAttribute(
        lambda assessment: NEU_BEWERTET if _is_published_already(assessment.antrag) else ""
    )

    stand = "draft"

    @classmethod
    def _create(cls, model_class, *args, stand, **kwargs):
        """Ratings, comparisons and one improvement with evidence, then the verbs up to `stand`."""
        assessment = super()._create(model_class, *args, **kwargs)
        rate_fields(assessment)
        compare_with_party(assessment)
        propose_improvement(assessment)
        advance(assessment, stand)
        return assessment


def _is_published_already(antrag) -> bool:
    return Assessment.objects.reachable().filter(antrag=antrag).exists()


def rate_fields(assessment: Assessment) -> None:
    dokument = assessment.fassung.dokument
    for feld in FELDER:
        wert = RATED.get(feld, Wert.NICHT_BETROFFEN)
        bewertung = Feldbewertung.objects.create(
            assessment=assessment,
            feld=feld,
            wert_modell=wert,
            begruendung_modell=f"So wirkt der Antrag auf {feld}." if feld in RATED else "",
        )
        if feld in RATED:
            words = AUFTRAG if feld == "A4" else FORDERUNG
            BelegFactory(owner_row=bewertung, zitat=place_zitat(words, dokument))


def compare_with_party(assessment: Assessment) -> None:
    partei = ParteiFactory(kuerzel="UFER", name="Liste Ufer")
    antrag = assessment.antrag
    if not antrag.parlament.regierungen.exists():
        RegierungFactory(parlament=antrag.parlament, parteien=[partei])
    dokument = DokumentFactory(PROGRAMMTEXT)
    programm = Programm.objects.filter(dokument=dokument).first() or ProgrammFactory(
        parteien=[partei], parlament=antrag.parlament, dokument=dokument
    )
    vergleich = Vergleich.objects.create(
        assessment=assessment,
        partei=partei,
        rolle=Vergleich.Rolle.REGIEREND,
        programmtyp=Programm.Typ.WAHLPROGRAMM,
        programm=programm,
        ergebnis_modell=Vergleich.Ergebnis.BEWERTET,
        score_modell=8,
        begruendung_modell="Der Antrag setzt ein Versprechen um.",
    )
    BelegFactory(owner_row=vergleich, zitat=place_zitat(FORDERUNG, assessment.fassung.dokument))
    BelegFactory(
        owner_row=vergleich,
        seite=Beleg.Seite.PROGRAMM,
        zitat=place_zitat(ZUSAGE, programm.dokument),
        quelle_modell=f"{programm.label}, S. 1",
    )
    Vergleich.objects.create(
        assessment=assessment,
        partei=partei,
        rolle=Vergleich.Rolle.REGIEREND,
        programmtyp=Programm.Typ.GRUNDSATZPROGRAMM,
        ergebnis_modell=Vergleich.Ergebnis.KEIN_PROGRAMM,
    )


def propose_improvement(assessment: Assessment) -> None:
    vorschlag = Verbesserung.objects.create(
        assessment=assessment,
        nr=1,
        feld="A4",
        titel_modell="Nachweise vereinfachen statt aussetzen",
        wortlaut_modell=AUFTRAG.replace("entfallen die Nachweise", "genügt eine Erklärung"),
    )
    BelegFactory(owner_row=vorschlag, zitat=place_zitat(AUFTRAG, assessment.fassung.dokument))


def approve(assessment: Assessment, *, by=None, note: str = "") -> None:
    """By somebody who may, and whom the desk has shown all evidence."""
    person = by or UserFactory(approver=True)
    show_all(assessment, person)
    assessment.approve(by=person, note=note)


def show_all(assessment: Assessment, person) -> None:
    for beleg in assessment.belege.all():
        Sichtung.record(beleg, by=person)


def advance(assessment: Assessment, target: str) -> None:
    """Takes a draft to `target` by its verbs, with two different people."""
    order = ["draft", "in_review", "approved", "published", "withdrawn"]
    steps = order[1 : order.index(target) + 1]
    if "in_review" in steps:
        assessment.submit()
    if "approved" in steps:
        approve(assessment)
    if "published" in steps:
        assessment.publish(by=UserFactory(publisher=True))
    if "withdrawn" in steps:
        assessment.withdraw(by=assessment.published_by, note="Überholte Fassung.")
