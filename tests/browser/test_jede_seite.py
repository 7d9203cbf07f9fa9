"""Every page of the site and of the admin: accessible, narrow, with its policy, and by itself."""

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.urls import reverse
from django.utils import timezone
from django_q.models import Failure, OrmQ, Schedule, Success

from assessments.addresses import antrag_address
from assessments.models import Reservierung
from konten import einladungen
from konten.models import Anmeldeversuch
from programme.models import EinbettungsModell
from tests.assessments.am_tisch import desk, open_evidence, open_programme_evidence
from tests.assessments.factories import ZUSAGE, AssessmentFactory, UserFactory
from tests.assessments.seiten import correction_of, published
from tests.meldungen.factories import MeldungFactory
from tests.programme.factories import ModellAufrufFactory

from .blick import Blick
from .seitenliste import pages, row_of

pytestmark = [
    pytest.mark.browser,
    pytest.mark.ausdauer,
    pytest.mark.django_db(transaction=True),
]


class Szene:
    """One row at least of everything that has a page."""

    def __init__(self) -> None:
        self.offen = AssessmentFactory(in_review=True)
        self.beleg = open_evidence(self.offen, feld="B5")
        open_programme_evidence(self.offen, ZUSAGE)
        self.fremd = AssessmentFactory(in_review=True)
        open_evidence(self.fremd)
        Reservierung.take(self.fremd, by=UserFactory(reviewer=True))
        self.freigegeben = AssessmentFactory(approved=True)
        self.entschieden = AssessmentFactory(in_review=True)
        self.zurueckgezogen = AssessmentFactory(withdrawn=True)
        self.erste = published()
        self.neue = correction_of(self.erste)
        self.zitat = self.neue.belege.exclude(zitat=None).first().zitat
        self.programm = self.neue.vergleiche.exclude(programm=None).get().programm
        MeldungFactory(assessment=self.neue, zitat=self.zitat)
        fill_the_lists()

    def argument(self, route: str, name: str) -> object:
        """What an address takes, by the route's name and its own."""
        if name in ("object_id", "id"):
            return row_of(route)
        known = ARGUMENTS.get((route, name)) or ARGUMENTS.get(name)
        assert known, f"{route}: say in ARGUMENTS what a page takes as {name}"
        return known(self)


def fill_the_lists() -> None:
    now = timezone.now()
    times = {"started": now, "stopped": now}
    Group.objects.create(name="Redaktion")
    leitung = get_user_model().objects.create_superuser("leitung")
    einladungen.invite("eingeladen", by=leitung, groups=[])
    Anmeldeversuch.objects.create(kennung="0" * 64, adresse="192.0.2.1", erfolg=True, zeitpunkt=now)
    ModellAufrufFactory()
    EinbettungsModell.objects.create(name="neues-modell", dims=384, rolle="ruht")
    Schedule.objects.create(name="nachts", func="citations.verification.verify")
    for model, key in ((Success, "a"), (Failure, "b")):
        model.objects.create(
            id=key, name=key, func="assessments.tasks.run_lauf", success=model is Success, **times
        )
    OrmQ.objects.create(key="gwoe", payload="", lock=now)


ARGUMENTS = {
    ("admin:app_list", "app_label"): lambda s: "assessments",
    ("admin:programme_programm_bestaetigen", "pk"): lambda s: s.programm.pk,
    ("admin:programme_programm_seite", "pk"): lambda s: s.programm.pk,
    ("admin:assessments_pruefauftrag_schritt", "verb"): lambda s: "freigeben",
    ("zitat", "pk"): lambda s: s.zitat.pk,
    ("zitat-pdf", "pk"): lambda s: s.zitat.pk,
    ("zitat-seite", "pk"): lambda s: s.zitat.pk,
    ("zitat-ausschnitt", "pk"): lambda s: s.zitat.pk,
    # Of the desk, where nothing else is said.
    "pk": lambda s: s.offen.pk,
    "beleg": lambda s: s.beleg.pk,
    "verb": lambda s: "annehmen",
    "teil": lambda s: "feld",
    "teil_pk": lambda s: s.beleg.feldbewertung_id,
    "seite": lambda s: "antrag",
    "dokument": lambda s: s.offen.fassung.dokument_id,
    "index": lambda s: 1,
    "breite": lambda s: 620,
    # Of the public pages and the interface.
    "sha256": lambda s: s.neue.fassung.dokument.sha256,
    "code": lambda s: s.neue.antrag.parlament.code.lower(),
    "parliament": lambda s: s.neue.antrag.parlament.code,
    "wahlperiode": lambda s: s.neue.antrag.wahlperiode.nummer,
    "term": lambda s: s.neue.antrag.wahlperiode.nummer,
    "nummer": lambda s: s.neue.antrag.nummer,
    "number": lambda s: s.neue.antrag.nummer,
    "version": lambda s: 1,
    "zitat_id": lambda s: s.zitat.pk,
}


@pytest.fixture
def szene():
    return Szene()


def more_states(szene) -> list[str]:
    """Pages of the list in another state, and those of what is not there."""
    stelle = reverse("admin:assessments_pruefauftrag_stelle", args=[szene.offen.pk, szene.beleg.pk])
    return [
        desk(szene.fremd),
        desk(szene.freigegeben),
        desk(szene.entschieden),
        desk(szene.offen, belege="alle", ansicht="ganz", beleg=szene.beleg.pk),
        f"{stelle}?q=Lieferkette",
        reverse("admin:assessments_pruefauftrag_changelist") + "?q=gibtesnicht",
        reverse("admin:assessments_assessment_change", args=[szene.neue.pk]),
        "/?q=gibtesnicht&feld=A1",
        antrag_address(szene.zurueckgezogen.antrag),
        "/nicht-da/",
        "/redaktion/nicht-da/",
    ]


def test_every_page_of_the_admin(signed_in, admin_client, szene):
    addresses = pages(admin_client, szene.argument)
    assert len(addresses) > 50
    blick = Blick(signed_in())
    for address in addresses + more_states(szene):
        blick.look(address)
    blick.require_nothing()


def test_every_page_for_everybody(open_page, client, szene):
    addresses = pages(client, szene.argument)
    assert len(addresses) > 12
    blick = Blick(open_page())
    for address in addresses:
        blick.look(address)
    blick.require_nothing()
