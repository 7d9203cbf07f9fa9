"""Ratings, comparisons and texts on the desk: the model's values stay, changes are recorded."""

import pytest

from assessments.desk.editing import change
from assessments.desk.rahmen import desk_url
from assessments.models import InvalidTransition, Vergleich
from assessments.scale import Wert
from tests.parlamente.factories import AntragFactory

from .am_tisch import HALBSATZ, decide, desk, open_evidence, said, sit_down
from .factories import (
    ANTRAGSTEXT,
    RATED,
    AssessmentFactory,
    LaufFactory,
    UserFactory,
    approve,
    tamper,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def assessment():
    return AssessmentFactory(in_review=True)


@pytest.fixture
def person():
    return UserFactory(reviewer=True)


def save(client, part, teil, **values):
    """Sends a form of the page as it is now, or as `zuvor` says that it was."""
    address = desk_url("aendern", part.assessment_id, teil, part.pk)
    shown = getattr(part, next(iter(values)))
    zuvor = "" if shown is None else str(shown)
    response = client.post(address, {"zuvor": zuvor} | values, follow=True)
    part.refresh_from_db()
    return response


def fields_form(assessment, **changed):
    """What the form of all fields sends: each value as it was shown, and as it is now."""
    data = {}
    for feld in assessment.feldbewertungen.all():
        for name in ("wert", "begruendung"):
            data[f"{feld.feld}-{name}-zuvor"] = data[f"{feld.feld}-{name}"] = (
                getattr(feld, name) or ""
            )
    return data | {key.replace("_", "-"): value for key, value in changed.items()}


def test_a_changed_rating_stands_beside_that_of_the_model(client, assessment):
    person = sit_down(client)
    feld = assessment.feldbewertungen.get(feld="D1")
    save(client, feld, "feld", wert="p")
    assert (feld.wert, feld.wert_modell, feld.is_changed) == ("p", "pp", True)
    event = assessment.events.get(verb="change")
    assert (event.von, event.nach, event.by) == ("stark fördernd", "fördernd", person)
    assert event.note == "Feld D1: Wert der Redaktion"


def test_the_models_own_value_is_no_change(assessment, person):
    feld = assessment.feldbewertungen.get(feld="D1")
    change(feld, {"wert": "p"}, by=person)
    change(feld, {"wert": "pp"}, by=person)
    assert feld.wert_redaktion == ""
    assert not feld.is_changed


def test_saving_without_a_change_leaves_no_trace(assessment, person):
    feld = assessment.feldbewertungen.get(feld="D1")
    assert change(feld, {"begruendung": f" {feld.begruendung}\r\n"}, by=person) == []
    assert not assessment.events.filter(verb="change").exists()


@pytest.mark.parametrize("wert", ["xx", "+++", "9"])
def test_a_value_that_does_not_exist_is_refused(client, assessment, wert):
    sit_down(client)
    feld = assessment.feldbewertungen.get(feld="D1")
    save(client, feld, "feld", wert=wert)
    assert feld.wert == Wert.STARK_FOERDERND


def test_a_score_says_that_the_comparison_is_rated(client, assessment):
    sit_down(client)
    vergleich = assessment.vergleiche.get(programmtyp="wahlprogramm")
    save(client, vergleich, "vergleich", ergebnis=Vergleich.Ergebnis.OHNE_BELEG)
    assert vergleich.score is None
    save(client, vergleich, "vergleich", score="3")
    assert (vergleich.score, vergleich.score_modell) == (3, 8)
    assert vergleich.ergebnis == Vergleich.Ergebnis.BEWERTET


@pytest.mark.parametrize("score", ["11", "-1", "drei", ""])
def test_a_score_outside_the_scale_is_refused(client, assessment, score):
    sit_down(client)
    vergleich = assessment.vergleiche.get(programmtyp="wahlprogramm")
    save(client, vergleich, "vergleich", score=score)
    assert vergleich.score == 8


def test_without_a_programme_there_is_no_score(client, assessment):
    sit_down(client)
    vergleich = assessment.vergleiche.get(programmtyp="grundsatzprogramm")
    response = save(client, vergleich, "vergleich", score="5")
    assert "Ohne Programm gibt es keinen Wert." in said(response)
    assert vergleich.ergebnis == Vergleich.Ergebnis.KEIN_PROGRAMM


def test_a_rated_comparison_needs_a_number(assessment, person):
    vergleich = assessment.vergleiche.get(programmtyp="wahlprogramm")
    vergleich.ergebnis_modell, vergleich.score_modell = Vergleich.Ergebnis.UNBEWERTET, None
    vergleich.save()
    with pytest.raises(InvalidTransition, match="0 bis 10"):
        change(vergleich, {"ergebnis": Vergleich.Ergebnis.BEWERTET}, by=person)


def test_texts_are_changed_in_place_and_shown_escaped(client, assessment):
    sit_down(client)
    address = desk_url("aendern", assessment.pk, "bewertung", assessment.pk)
    new = "<b>Neu</b> geschrieben"
    response = client.post(
        address,
        {"zusammenfassung": new, "zuvor": assessment.zusammenfassung, "zurueck": "texte"},
        follow=True,
    )
    assessment.refresh_from_db()
    assert (assessment.zusammenfassung, assessment.zusammenfassung_modell != new) == (new, True)
    assert "&lt;b&gt;Neu&lt;/b&gt; geschrieben" in response.content.decode()


def test_only_named_values_can_be_changed(client, assessment, person):
    sit_down(client)
    feld = assessment.feldbewertungen.get(feld="D1")
    save(client, feld, "feld", wert_modell="mm", feld="A1", assessment="1")
    assert (feld.wert_modell, feld.feld) == ("pp", "D1")
    with pytest.raises(InvalidTransition):
        change(feld, {"score": 3}, by=person)


def test_a_part_of_another_assessment_is_not_found(client, assessment):
    sit_down(client)
    foreign = AssessmentFactory(in_review=True).feldbewertungen.get(feld="D1")
    address = desk_url("aendern", assessment.pk, "feld", foreign.pk)
    assert client.post(address, {"wert": "mm"}).status_code == 404
    foreign.refresh_from_db()
    assert foreign.wert == Wert.STARK_FOERDERND


@pytest.mark.parametrize("stand", ["approved", "published"])
def test_nothing_changes_behind_an_approval(person, stand):
    assessment = AssessmentFactory(stand=stand)
    with pytest.raises(InvalidTransition, match="Das geht nicht mehr"):
        change(assessment.feldbewertungen.first(), {"wert": "m"}, by=person)


def test_all_fields_are_saved_in_one_go(client, assessment):
    sit_down(client)
    assessment.feldbewertungen.filter(feld__startswith="C").update(wert_modell="")
    form = fields_form(assessment, C1_wert="o", C2_wert="n", C2_begruendung="Nicht berührt.")
    response = client.post(desk_url("felder", assessment.pk), form, follow=True)
    assert "3 Änderungen gespeichert." in said(response)
    assert assessment.feldbewertungen.get(feld="C2").begruendung == "Nicht berührt."
    assert len(response.context["tisch"].unbewertete) == 3


REST = "Alle übrigen nicht betroffen"


def test_all_that_is_still_empty_becomes_not_affected_in_one_go(client, assessment):
    person = sit_down(client)
    assessment.feldbewertungen.filter(feld__startswith="C").update(wert_modell="")
    assert REST in client.get(desk_url("felder", assessment.pk)).content.decode()
    form = fields_form(assessment, C1_wert="pp", uebrige="n")
    response = client.post(desk_url("felder", assessment.pk), form, follow=True)
    assert "5 Änderungen gespeichert." in said(response)
    werte = assessment.werte()
    assert [werte[f"C{n}"] for n in range(1, 6)] == ["pp", "n", "n", "n", "n"]
    assert werte["D1"] == RATED["D1"]
    events = assessment.events.filter(verb="change", nach="nicht betroffen", by=person)
    assert [event.note[:7] for event in events.order_by("pk")] == [
        f"Feld C{n}" for n in (2, 3, 4, 5)
    ]
    assert REST not in response.content.decode()


def test_a_rating_that_arrived_meanwhile_is_not_overwritten(client, assessment, person):
    sit_down(client)
    assessment.feldbewertungen.filter(feld__in=["C1", "C2"]).update(wert_modell="")
    form = fields_form(assessment, uebrige="n")
    change(assessment.feldbewertungen.get(feld="C1"), {"wert": "m"}, by=person)
    client.post(desk_url("felder", assessment.pk), form)
    assert (assessment.werte()["C1"], assessment.werte()["C2"]) == ("m", "n")


def test_the_rest_is_set_by_reviewers_and_before_approval_only(client, assessment):
    form = {"uebrige": "n"}
    assessment.feldbewertungen.filter(feld="C1").update(wert_modell="")
    sit_down(client, may=["view_assessment"])
    assert REST not in client.get(desk_url("felder", assessment.pk)).content.decode()
    assert client.post(desk_url("felder", assessment.pk), form).status_code == 403
    assessment.feldbewertungen.filter(feld="C1").update(wert_modell="n")
    approve(assessment, by=sit_down(client, approver=True))
    c1 = assessment.feldbewertungen.get(feld="C1").pk
    tamper("UPDATE assessments_feldbewertung SET wert_modell = '' WHERE id = %s", c1)
    assert REST not in client.get(desk_url("felder", assessment.pk)).content.decode()
    response = client.post(desk_url("felder", assessment.pk), form, follow=True)
    assert "Die Bewertung ist freigegeben" in said(response)
    assert assessment.werte()["C1"] is None


def test_a_stale_form_does_not_undo_what_somebody_else_changed(client, assessment, person):
    sit_down(client)
    old = fields_form(assessment, D1_begruendung="Zu kurz gedacht.", D1_wert="m", D5_wert="p")
    change(assessment.feldbewertungen.get(feld="D1"), {"begruendung": "Anders."}, by=person)
    response = client.post(desk_url("felder", assessment.pk), old, follow=True)
    assert "Feld D1: Begründung" in said(response)
    assert "„Zu kurz gedacht.“" in said(response)  # nobody has to type it again
    assert assessment.feldbewertungen.get(feld="D1").begruendung == "Anders."
    werte = {feld.feld: feld.wert for feld in assessment.feldbewertungen.all()}
    assert (werte["D1"], werte["D5"]) == ("m", "p")


@pytest.mark.parametrize(
    ("teil", "name", "new", "mine"),
    [
        ("feld", "wert", "o", "m"),
        ("feld", "begruendung", "Anders.", "Meine Begründung."),
        ("vergleich", "score", 5, "3"),
        ("vergleich", "ergebnis", "ohne_beleg", "nichts_gefunden"),
        ("vorschlag", "wortlaut", "Neu.", "Meiner."),
        ("bewertung", "zusammenfassung", "Neu.", "Meine."),
    ],
)
def test_of_two_who_change_the_same_the_second_is_asked(
    client, assessment, person, teil, name, new, mine
):
    sit_down(client)
    part = {
        "feld": assessment.feldbewertungen.get(feld="D1"),
        "vergleich": assessment.vergleiche.get(programmtyp="wahlprogramm"),
        "vorschlag": assessment.verbesserungen.first(),
        "bewertung": assessment,
    }[teil]
    page = {"feld": "felder", "vergleich": "vergleiche"}.get(teil, "texte")
    shown = getattr(part, name)
    assert f'value="{shown}"' in client.get(desk_url(page, assessment.pk)).content.decode()
    change(part, {name: new}, by=person)
    address = desk_url("aendern", assessment.pk, teil, part.pk)
    response = client.post(address, {name: mine, "zuvor": shown, "zurueck": page}, follow=True)
    part.refresh_from_db()
    assert getattr(part, name) == new
    assert f"„{mine}“" in said(response)
    client.post(address, {name: mine, "zuvor": new})
    part.refresh_from_db()
    assert str(getattr(part, name)) == mine


def test_two_who_want_the_same_do_not_disagree(assessment, person):
    feld = assessment.feldbewertungen.get(feld="D1")
    change(feld, {"wert": "o"}, by=person)
    assert change(feld, {"wert": "o"}, by=person, gezeigt={"wert": "pp"}) == []


@pytest.mark.parametrize("page", ["felder", "vergleiche", "texte", "verlauf"])
def test_each_page_of_the_desk_opens(client, assessment, page, django_assert_max_num_queries):
    sit_down(client)
    client.get(desk_url(page, assessment.pk))
    with django_assert_max_num_queries(22):
        assert client.get(desk_url(page, assessment.pk)).status_code == 200


def test_a_saved_text_of_a_comparison_leads_back_to_its_card(client, assessment):
    sit_down(client)
    vergleich = assessment.vergleiche.get(programmtyp="grundsatzprogramm")  # without a value's form
    html = client.get(desk_url("vergleiche", assessment.pk)).content.decode()
    assert f'name="anker" value="v{vergleich.pk}"' in html
    assert f'id="v{vergleich.pk}"' in html


def test_the_record_is_in_words(client):
    assessment = AssessmentFactory(approved=True)
    sit_down(client)
    html = client.get(desk_url("verlauf", assessment.pk)).content.decode()
    assert "zur Prüfung gegeben" in html
    assert "freigegeben" in html


def test_the_record_names_the_evidence_that_an_event_is_about(client, assessment):
    sit_down(client)
    beleg = open_evidence(assessment, HALBSATZ)
    decide(client, beleg, "annehmen")
    html = client.get(desk_url("verlauf", assessment.pk)).content.decode()
    assert "Beleg angenommen" in html
    assert f'{desk(assessment, beleg=beleg.pk)}">D1, Antrag S.\xa01</a>: „{HALBSATZ}“' in html


@pytest.mark.parametrize("modell", ["muster-1", ""])
def test_a_run_without_a_model_has_made_no_proposals(client, modell):
    lauf = {"antrag": AntragFactory(mit_text=ANTRAGSTEXT)}
    lauf["lauf"] = LaufFactory(fassung=lauf["antrag"].fassung, modell=modell)
    assessment = AssessmentFactory(in_review=True, **lauf)
    assessment.feldbewertungen.update(wert_modell="", begruendung_modell="")
    assessment.vergleiche.update(score_modell=None, ergebnis_modell="unbewertet")
    open_evidence(assessment, None)
    sit_down(client)
    pages = (desk_url(page, assessment.pk) for page in ("pruefen", "felder", "vergleiche"))
    html = "".join(client.get(page).content.decode() for page in pages)
    assert ("Vorschlag des Modells" in html) is bool(modell)
    assessment.vergleiche.update(ergebnis_modell="nichts_gefunden")
    html = client.get(desk_url("vergleiche", assessment.pk)).content.decode()
    assert ("Ergebnis der Suche: Gesucht, nichts" in html) is not bool(modell)


def test_a_nul_character_in_a_form_is_a_bad_request_and_stores_nothing(client, assessment):
    sit_down(client)
    address = desk_url("aendern", assessment.pk, "bewertung", assessment.pk)
    before = assessment.zusammenfassung
    form = {"zusammenfassung": "Neu\x00", "zuvor": before}
    response = client.post(address, form)
    assert response.status_code == 400
    assert "Gespeichert wurde nichts" in response.content.decode()
    assessment.refresh_from_db()
    assert assessment.zusammenfassung == before
