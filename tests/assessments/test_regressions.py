"""What went wrong in the first system, by name (docs/adr/0001)."""

import pytest

from assessments.evidence import Anfrage, AusAntrag, AusProgramm, to_evidence
from assessments.models import Beleg
from assessments.pruefgang import verify
from assessments.schemas import ModellZitat
from programme.models import Programm
from tests.citations.factories import DokumentFactory, make_pdf
from tests.parlamente.factories import AntragFactory, ParlamentFactory, ParteiFactory

from .factories import ZUSAGE, AssessmentFactory, ProgrammFactory

pytestmark = pytest.mark.django_db

WAHL = Programm.Typ.WAHLPROGRAMM
LANG = "Auf dieser Seite steht etwas anderes, das mit der Sache nichts zu tun hat."


@pytest.fixture
def ufer():
    return ParteiFactory(kuerzel="UFER", name="Liste Ufer")


@pytest.fixture
def antrag():
    return AntragFactory(mit_text="Der Landtag wolle beschließen, das Geld offenzulegen.")


def programm_with(partei, parlament, *pages):
    return ProgrammFactory(parteien=[partei], parlament=parlament, dokument=DokumentFactory(*pages))


def evidence(antrag, partei, programm, text, quelle):
    regel = AusProgramm(antrag.fassung, partei, WAHL, (programm,))
    zitat = ModellZitat(text=text, quelle=quelle, url="")
    kandidaten = list(Programm.objects.select_related("parlament").prefetch_related("parteien"))
    (beleg,) = to_evidence([Anfrage(zitat, regel)], kandidaten)
    return beleg


def test_a_label_that_says_only_a_page_names_no_programme(antrag, ufer):
    """With bare labels a model invented "FDP NRW 2022, S. 75" for a motion of another Land."""
    programm = programm_with(ufer, antrag.parlament, ZUSAGE)
    beleg = evidence(antrag, ufer, programm, ZUSAGE, "S. 75")
    assert beleg.zustand == Beleg.Zustand.ANGENOMMEN
    assert beleg.quelle_programm is None
    assert beleg.quelle_stimmt is False
    assert beleg.zitat.seite == 1


def test_a_real_text_under_a_wrong_page_is_bound_to_the_right_one(antrag, ufer):
    """Brandenburg 8/673: the text of page 27 was labelled page 4."""
    programm = programm_with(
        ufer, antrag.parlament, *[f"{LANG} Seite {n}." for n in range(26)], ZUSAGE
    )
    label = f"{programm.label}, S. 4"
    beleg = evidence(antrag, ufer, programm, ZUSAGE, label)
    assert beleg.zitat.seite == 27
    assert beleg.quelle_programm == programm
    assert beleg.quelle_stimmt is False
    assert "S. 27" in beleg.erklaerung
    assert "S. 4" in beleg.erklaerung


def test_the_same_number_in_another_land_is_another_motion(client):
    """Class 14: a Drucksache number matched in the wrong Land."""
    here = AssessmentFactory(published=True)
    elsewhere = AntragFactory(
        parlament=ParlamentFactory(code="SE", land="Seenland"),
        nummer=here.antrag.nummer,
        mit_text="Ein ganz anderer Antrag über den Bau von Radwegen am See.",
    )
    assert here.antrag.drucksache == elsewhere.drucksache
    words = "Ein ganz anderer Antrag über den Bau von Radwegen am See."
    zitat = ModellZitat(text=words, quelle="Antrag, S. 1", url="")
    (beleg,) = to_evidence([Anfrage(zitat, AusAntrag(here.fassung))], [])
    assert beleg.zustand == Beleg.Zustand.OFFEN
    assert beleg.grund == Beleg.Grund.ANDERES_PROGRAMM


def test_a_swapped_programme_file_is_found_out():
    """Class 8: a mirror served another year's programme under the right name."""
    assessment = AssessmentFactory(published=True)
    beleg = assessment.belege.get(seite=Beleg.Seite.PROGRAMM)
    path = beleg.zitat.extraktion.dokument.file.path
    with open(path, "wb") as stored:
        stored.write(make_pdf(f"Ein anderes Jahr.\n\n{ZUSAGE}"))
    (failure,) = verify(published=True).failures
    assert failure["beleg"] == beleg.pk


def test_a_true_quote_with_a_moved_comma_does_not_vanish(antrag, ufer):
    """A comma set differently made true quotes disappear without a trace."""
    programm = programm_with(ufer, antrag.parlament, ZUSAGE)
    moved = ZUSAGE.replace("offen, wofür", "offen wofür,")
    beleg = evidence(antrag, ufer, programm, moved, programm.label)
    assert beleg.zustand == Beleg.Zustand.ANGENOMMEN
    assert beleg.zitat.text == ZUSAGE


def test_the_right_words_of_another_party_are_a_finding_not_evidence(antrag, ufer):
    """The first system matched against the passages of all parties."""
    werk = ParteiFactory(kuerzel="WERKBANK", name="Forum Werkbank")
    own = programm_with(ufer, antrag.parlament, LANG)
    programm_with(werk, antrag.parlament, ZUSAGE)
    beleg = evidence(antrag, ufer, own, ZUSAGE, own.label)
    assert (beleg.zustand, beleg.grund) == (
        Beleg.Zustand.OFFEN,
        Beleg.Grund.ANDERES_PROGRAMM,
    )
    assert "WERKBANK" in beleg.erklaerung
    assert beleg.vorschlag is None
