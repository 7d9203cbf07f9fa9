"""Evidence that an editor adds: found in the motion or in that party's programmes, then decided."""

import pytest

from assessments.desk.rahmen import desk_url
from assessments.models import Beleg
from assessments.vermerk import zitatzahlen

from .am_tisch import SATZ, decide, desk, open_evidence, said, sit_down
from .factories import (
    AUFTRAG,
    ZUSAGE,
    AssessmentFactory,
    UserFactory,
    approve,
    cannot_read,
    place_zitat,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def assessment():
    return AssessmentFactory(in_review=True)


@pytest.fixture
def feld(assessment):
    """A rated field with one quote."""
    return assessment.feldbewertungen.get(feld="D5")


@pytest.fixture
def vergleich(assessment):
    return assessment.vergleiche.get(programmtyp="wahlprogramm")


def address(part, seite="antrag", **query):
    teil = "feld" if hasattr(part, "feld") else "vergleich"
    return desk_url("neu", part.assessment_id, teil, part.pk, seite, **query)


def add(client, part, words, seite="antrag"):
    """Searches for `words` and puts the first sentence found on the desk."""
    hits = client.get(address(part, seite, q=words)).context["treffer"]
    found = next(satz for satz in hits[0].saetze if satz.gefunden)
    form = {"lesung": hits[0].lesung.pk, "satz": found.schluessel}
    return client.post(address(part, seite), form, follow=True)


def newest(assessment):
    return assessment.belege.latest("pk")


def test_a_field_gets_a_passage_of_the_motion_that_is_then_accepted(client, assessment, feld):
    person = sit_down(client)
    page = add(client, feld, "Lieferkette").content.decode()
    beleg = newest(assessment)
    assert (beleg.feldbewertung, beleg.seite, beleg.nr) == (feld, "antrag", 2)
    assert (beleg.zustand, beleg.vorschlag.text) == (Beleg.Zustand.OFFEN, AUFTRAG)
    assert "Von der Redaktion ergänzt" in page
    assert 'class="mk"' in page
    decide(client, beleg, "annehmen")
    assert (beleg.zustand, beleg.zitat.text) == (Beleg.Zustand.ANGENOMMEN, AUFTRAG)
    assert beleg.herkunft == Beleg.Herkunft.REDAKTION
    verlauf = client.get(desk_url("verlauf", assessment.pk)).content.decode()
    assert f"<b>Beleg ergänzt</b> von {person}<br>" in verlauf
    events = beleg.events.order_by("pk").values_list("verb", "von", "nach", "by")
    assert list(events) == [
        ("add", "", "offen", person.pk),
        ("accept", "offen", "angenommen", person.pk),
    ]


def test_a_comparison_gets_words_of_that_partys_programme(client, assessment, vergleich):
    sit_down(client)
    vergleich.belege.all().delete()
    add(client, vergleich, "jedes Jahr Geld", seite="programm")
    decide(client, newest(assessment), "annehmen")
    assert [beleg.zitat.text for beleg in vergleich.belege.filter(seite="programm")] == [ZUSAGE]
    assert not assessment.vergleiche.without_source().exists()


def test_a_comparison_gets_words_of_the_motion(client, assessment, vergleich):
    sit_down(client)
    add(client, vergleich, "Lieferkette")
    assert (newest(assessment).vergleich, newest(assessment).seite) == (vergleich, "antrag")


def test_typed_words_are_placed_by_the_server(client, assessment, feld):
    sit_down(client)
    client.post(address(feld), {"wortlaut": f"„{AUFTRAG}“"})
    assert newest(assessment).vorschlag.text == AUFTRAG


def test_the_second_engine_is_asked_as_for_any_evidence(client, assessment, feld, monkeypatch):
    sit_down(client)
    add(client, feld, "Lieferkette")
    cannot_read(monkeypatch)
    decide(client, newest(assessment), "annehmen")
    assert newest(assessment).zustand == Beleg.Zustand.OFFEN


def test_added_evidence_is_open_until_somebody_decides(client, assessment, feld):
    sit_down(client)
    page = add(client, feld, "Lieferkette").content.decode()
    assert "1 Beleg ist offen" in page
    decide(client, newest(assessment), "verwerfen")
    assert "1 Beleg ist offen" not in client.get(desk(assessment)).content.decode()


@pytest.mark.parametrize("state", ["accepted", "open"])
def test_the_same_place_is_not_added_twice(client, assessment, feld, state):
    sit_down(client)
    words = "jährlich bis zum 30. Juni" if state == "accepted" else "Lieferkette"
    if state == "open":
        add(client, feld, words)
    before = assessment.belege.count()
    assert "schon ein Beleg" in said(add(client, feld, words))
    assert assessment.belege.count() == before


def test_a_dropped_place_can_be_added_again(client, assessment):
    sit_down(client)
    decide(client, open_evidence(assessment, SATZ, feld="B1"), "verwerfen")
    add(client, assessment.feldbewertungen.get(feld="B1"), "jährlich bis zum 30. Juni")
    assert newest(assessment).zustand == Beleg.Zustand.OFFEN


def test_a_document_that_may_not_speak_here_cannot_be_chosen(client, assessment, feld, vergleich):
    sit_down(client)
    before = assessment.belege.count()
    foreign = vergleich.programm.dokument.lesung
    response = client.post(address(feld), {"lesung": foreign.pk, "satz": "0-40"}, follow=True)
    assert "darf dieser Beleg nicht zitieren" in said(response)
    assert assessment.belege.count() == before


def test_a_field_quotes_no_programme_and_another_assessment_is_not_here(client, assessment, feld):
    sit_down(client)
    assert client.get(address(feld, "programm")).status_code == 404
    foreign = AssessmentFactory(in_review=True).feldbewertungen.get(feld="D5")
    mixed = desk_url("neu", assessment.pk, "feld", foreign.pk, "antrag")
    assert client.get(mixed).status_code == 404


def test_only_reviewers_add(client, assessment, feld):
    sit_down(client, may=["view_assessment"])
    assert client.get(address(feld)).status_code == 403
    assert client.post(address(feld), {"wortlaut": AUFTRAG}).status_code == 403


def test_nothing_is_added_after_approval(client, assessment, feld):
    approve(assessment, by=sit_down(client, approver=True))
    before = assessment.belege.count()
    response = client.post(address(feld), {"wortlaut": AUFTRAG}, follow=True)
    assert "Die Bewertung ist freigegeben" in said(response)
    assert assessment.belege.count() == before
    assert "im Antrag suchen" not in client.get(desk_url("felder", assessment.pk)).content.decode()


def test_fields_and_comparisons_lead_to_their_evidence_and_to_the_search(
    client, assessment, feld, vergleich
):
    sit_down(client)
    felder = client.get(desk_url("felder", assessment.pk)).content.decode()
    assert f'href="{address(feld)}"' in felder
    assert f'href="{desk(assessment, beleg=feld.belege.get().pk)}"' in felder
    vergleiche = client.get(desk_url("vergleiche", assessment.pk)).content.decode()
    assert f'href="{address(vergleich, "programm")}"' in vergleiche
    assert vergleiche.count("Beleg im Programm suchen") == 1  # none where no programme is there


def test_another_place_for_the_model_s_quote_adds_nothing_in_the_record():
    assessment = AssessmentFactory(in_review=True)
    beleg = open_evidence(assessment, None, wortlaut_modell="Das Land soll Nachweise aussetzen.")
    proposed = zitatzahlen(list(assessment.belege.all()), []).vorgeschlagen
    beleg.propose(place_zitat(AUFTRAG, assessment.fassung.dokument), by=UserFactory(reviewer=True))
    zahlen = zitatzahlen(list(assessment.belege.all()), [])
    assert (zahlen.vorgeschlagen, zahlen.ergaenzt) == (proposed, 0)
