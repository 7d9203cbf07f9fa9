"""Nothing of the model's reaches whoever is asked to rate two fields themselves first."""

import re

import pytest
from django.urls import reverse

from assessments.desk.rahmen import desk_url
from assessments.desk.urls import urls
from assessments.models import Assessment, Beleg, Eigenurteil, Reservierung
from assessments.risiko import Risiko, having
from assessments.scale import Wert

from .am_tisch import decide, desk, look_at_all, open_evidence, said, sit_down, step
from .factories import AssessmentFactory, UserFactory, prove, tamper
from .test_eigenurteil import answer, asked

pytestmark = pytest.mark.django_db

GEHEIM = "Die Kommune verliert ihre Lieferkettennachweise."


@pytest.fixture
def assessment():
    """Asks for A4 and C1; the model's reason for A4 has words that stand nowhere else.

    All evidence is proved, so that only a hindering rating makes it one that must be shown.
    """
    made = prove(asked())
    open_evidence(made)
    feld = made.feldbewertungen.get(feld="A4")
    feld.begruendung_modell = GEHEIM
    feld.save()
    return made


def addresses(assessment) -> dict[str, str]:
    """Every GET address of the desk, by the name of its route; and what else shows assessments."""
    pk, beleg = assessment.pk, assessment.belege.filter(feldbewertung__feld="A4").get()
    feld = assessment.feldbewertungen.get(feld="A4")
    queue = reverse("admin:assessments_pruefauftrag_changelist")
    desk_pages = {
        "pruefen": desk(assessment, beleg=beleg.pk),
        "stelle": desk_url("stelle", pk, beleg.pk, q="Nachweise"),
        "neu": desk_url("neu", pk, "feld", feld.pk, "antrag", q="Nachweise"),
        **{name: desk_url(name, pk) for name in ("felder", "vergleiche", "texte", "verlauf")},
        "eigenurteil": desk_url("eigenurteil", pk),
        "unterschiede": desk_url("unterschiede", pk),
        "alle_unterschiede": desk_url("alle_unterschiede", pk),
        "mein_name": desk_url("mein_name"),
        "hilfe": reverse("admin:assessments_pruefauftrag_hilfe"),
    }
    others = {
        "pruefen ohne Beleg": desk(assessment),
        "alle Belege": desk(assessment, belege="alle"),
        "Übersicht": reverse("admin:index"),
        "Warteschlange": queue,
        **{f"Warteschlange {risiko}": f"{queue}?risiko={risiko.value}" for risiko in Risiko},
        "Bewertungen": reverse("admin:assessments_assessment_changelist"),
        "Bewertung": reverse("admin:assessments_assessment_change", args=[pk]),
        "Prüfauftrag": reverse("admin:assessments_pruefauftrag_change", args=[pk]),
        "Lauf": reverse("admin:assessments_lauf_change", args=[assessment.lauf_id]),
        "Antrag": reverse("admin:parlamente_antrag_change", args=[assessment.antrag_id]),
    }
    return desk_pages | others


# Answer to POST only, or show nothing but a page of a document.
NO_PAGE = {
    *("entscheiden", "aendern", "reservieren", "uebernehmen", "schritt", "seite"),
    *("berichtigen", "neu_bewerten"),
}


def test_the_list_of_addresses_has_every_route_of_the_desk(assessment):
    routes = {str(url.name).removeprefix("assessments_pruefauftrag_") for url in urls()}
    assert routes - NO_PAGE <= set(addresses(assessment))


def seen(client, assessment) -> dict[str, str]:
    """The HTML of every address, redirects followed, without what differs each time."""
    pages = {}
    for name, address in addresses(assessment).items():
        response = client.get(address, follow=True)
        assert response.status_code in (200, 403, 404), (name, response.status_code)
        html = response.content.decode()
        pages[name] = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", html)
    return pages


@pytest.mark.parametrize("traits", [{"reviewer": True}, {"publisher": True}])
def test_no_page_is_other_for_another_rating_by_the_model(client, assessment, traits):
    """Whatever the model or another editor says of the asked fields, the HTML is the same."""
    sit_down(client, **traits)
    before = seen(client, assessment)
    assert GEHEIM not in "".join(before.values())
    feld = "UPDATE assessments_feldbewertung SET {} WHERE assessment_id = %s AND feld = 'A4'"
    for wert in (Wert.STARK_HEMMEND, Wert.STARK_FOERDERND, Wert.NICHT_BETROFFEN):
        tamper(feld.format(f"wert_modell = '{wert}'"), assessment.pk)
        assert seen(client, assessment) == before, wert
    tamper(feld.format("begruendung_modell = 'Etwas ganz anderes'"), assessment.pk)
    tamper(feld.format("wert_redaktion = 'pp', begruendung_redaktion = 'Neu'"), assessment.pk)
    assessment.events.create(
        verb="change", von="hemmend", nach="fördernd", by=UserFactory(), note="Feld A4: Wert"
    )
    after = seen(client, assessment)
    # The number of the newest event stands in forms that the person may not send yet anyway.
    strip = re.compile(r'name="gesehen" value="\d+"')
    assert {n: strip.sub("", h) for n, h in after.items()} == {
        n: strip.sub("", h) for n, h in before.items()
    }


def test_after_one_answer_still_nothing_is_shown(client, assessment):
    person = sit_down(client, approver=True)
    Eigenurteil.record(assessment, "C1", Wert.FOERDERND, by=person)
    before = seen(client, assessment)
    assert GEHEIM not in "".join(before.values())
    tamper(
        "UPDATE assessments_feldbewertung SET wert_modell = 'pp' WHERE assessment_id = %s "
        "AND feld IN ('A4', 'C1')",
        assessment.pk,
    )
    assert seen(client, assessment) == before


def test_after_both_answers_everything_is_shown(client, assessment):
    person = sit_down(client, approver=True)
    answer(assessment, person)
    pages = seen(client, assessment)
    for name in ("pruefen", "felder", "Bewertung", "eigenurteil"):
        assert GEHEIM in pages[name], name


def test_a_returned_draft_keeps_it_back_too(client, assessment):
    assessment.return_to_draft(by=None, note="Noch einmal.")
    sit_down(client, approver=True)
    address = reverse("admin:assessments_assessment_change", args=[assessment.pk])
    html = client.get(address).content.decode()
    assert GEHEIM not in html
    assert "Gesamtwert" not in html  # with 23 fields it would tell the two others
    differences = client.get(desk_url("alle_unterschiede", assessment.pk))
    assert differences["Location"] == address


@pytest.mark.parametrize("name", ["unterschiede", "alle_unterschiede"])
def test_no_other_draft_of_the_motion_tells_by_its_differences(client, assessment, name):
    """Another run on the same text, of which nothing is asked, is compared with the older one."""
    later = prove(AssessmentFactory(antrag=assessment.antrag, in_review=True))
    person = sit_down(client, approver=True)
    address = desk_url(name, later.pk)
    word = "verliert"  # of GEHEIM: what differs is shown word by word
    assert word not in client.get(address).content.decode()
    answer(assessment, person)
    assert word in client.get(address).content.decode()


@pytest.mark.parametrize("page", ["pruefauftrag", "assessment"])
def test_no_list_can_be_asked_for_the_models_words(client, assessment, page):
    """As a filter in the address: letter by letter."""
    sit_down(client, approver=True)
    address = reverse(f"admin:assessments_{page}_changelist")
    for lookup in ("zusammenfassung_modell__startswith", "zusammenfassung_redaktion__regex"):
        response = client.get(address, {lookup: "Das Land"})
        assert response.status_code == 400, lookup


def test_who_may_only_look_or_publish_is_not_asked(client, assessment):
    person = UserFactory(may=["publish_assessment"])
    client.force_login(person)
    assert GEHEIM in client.get(desk_url("felder", assessment.pk)).content.decode()
    assert client.get(desk_url("eigenurteil", assessment.pk)).status_code == 403


def test_the_asked_fields_give_no_reason_to_look_closely(client, assessment):
    queue = Assessment.objects.to_review()
    assert not having(queue, Risiko.NEGATIV).exists()  # though the model calls A4 hindering
    assessment.feldbewertungen.filter(feld="B5").update(wert_redaktion=Wert.HEMMEND)
    assert having(queue, Risiko.NEGATIV).exists()


# --- Answering ----------------------------------------------------------------------------------


def post(client, assessment, feld, wert):
    form = {"feld": feld, "wert": wert}
    return client.post(desk_url("eigenurteil", assessment.pk), form, follow=True)


def test_every_page_of_the_desk_leads_to_the_questions_first(client, assessment):
    sit_down(client)
    response = client.get(desk(assessment), follow=True)
    assert response.redirect_chain[-1][0] == desk_url("eigenurteil", assessment.pk)
    html = response.content.decode()
    assert "Zuerst Ihr eigenes Urteil" in html
    assert [frage.zelle.code for frage in response.context["fragen"]] == ["A4", "C1"]
    for frage in response.context["fragen"]:
        assert frage.zelle.klartitel in html
        assert frage.zelle.leitfrage in html
    assert "leiste-unten" not in html
    assert 'class="reiter"' not in html


def test_loading_again_asks_the_same(client, assessment):
    sit_down(client)
    first, second = (
        client.get(desk_url("eigenurteil", assessment.pk)).context["fragen"] for _ in range(2)
    )
    assert first == second


def test_the_answers_lead_to_both_values_side_by_side(client, assessment):
    person = sit_down(client)
    assert "steht fest: hemmend" in said(post(client, assessment, "A4", "m"))
    response = post(client, assessment, "C1", "n")
    html = " ".join(response.content.decode().split())
    assert "stimmt nicht überein" in html
    assert "stimmt überein" in html
    assert "stark hemmend" in html
    assert assessment.eigenurteile.filter(by=person).count() == 2
    assert not assessment.events.filter(by=person).exists()


def test_one_press_sets_ones_own_value_and_one_takes_it_back(client, assessment):
    answer(assessment, sit_down(client), Wert.HEMMEND)
    feld = assessment.feldbewertungen.get(feld="A4")
    address = desk_url("aendern", assessment.pk, "feld", feld.pk)
    form = {"wert": "m", "zuvor": "mm", "zurueck": "eigenurteil"}
    response = client.post(address, form)
    assert response.url == desk_url("eigenurteil", assessment.pk)
    feld.refresh_from_db()
    assert (feld.wert_modell, feld.wert_redaktion) == ("mm", "m")
    client.post(address, {"wert": "mm", "zuvor": "m", "zurueck": "eigenurteil"})
    feld.refresh_from_db()
    assert feld.wert_redaktion == ""


def test_a_second_tab_hears_what_the_first_said(client, assessment):
    sit_down(client)
    post(client, assessment, "A4", "m")
    assert "steht schon fest: hemmend. Es gilt der erste." in said(
        post(client, assessment, "A4", "pp")
    )
    assert assessment.eigenurteile.get().wert == "m"


@pytest.mark.parametrize(("feld", "wert"), [("B5", "p"), ("A4", "zz"), ("", ""), ("A4", "")])
def test_a_forged_answer_is_a_message(client, assessment, feld, wert):
    sit_down(client)
    assert said(post(client, assessment, feld, wert))
    assert not Eigenurteil.objects.exists()


def test_only_a_form_answers(client, assessment):
    sit_down(client)
    assert client.put(desk_url("eigenurteil", assessment.pk)).status_code == 405


def test_where_nothing_is_asked_the_page_leads_to_the_desk(client):
    assessment = asked()
    tamper("UPDATE assessments_assessment SET eigenurteil_felder = '{}' WHERE id = %s",
           assessment.pk)  # fmt: skip
    sit_down(client)
    response = client.get(desk_url("eigenurteil", assessment.pk))
    assert response.url == desk(assessment)


def test_the_pages_of_the_motion_can_be_turned(client, assessment):
    sit_down(client)
    address = desk_url("eigenurteil", assessment.pk)
    assert "Für Aufträge bis 100.000 Euro" in client.get(address).content.decode()
    assert client.get(address, {"seite": "99"}).status_code == 404


# --- What is refused before ---------------------------------------------------------------------


def test_every_post_of_the_desk_is_refused_first(client, assessment):
    sit_down(client, publisher=True)
    beleg = assessment.belege.offen().get()
    feld = assessment.feldbewertungen.get(feld="A4")
    events = assessment.events.count()
    for verb in ("annehmen", "erweitern", "verwerfen"):
        assert "zuerst selbst" in said(decide(client, beleg, verb))
    for address, form in [
        (desk_url("aendern", assessment.pk, "feld", feld.pk), {"wert": "p", "zuvor": "o"}),
        (desk_url("felder", assessment.pk), {"A4-wert": "p", "A4-wert-zuvor": "o"}),
        (desk_url("neu", assessment.pk, "feld", feld.pk, "antrag"), {"wortlaut": "Nachweise"}),
        (desk_url("stelle", assessment.pk, beleg.pk), {"wortlaut": "Nachweise"}),
    ]:
        html = client.post(address, form, follow=True).content.decode()
        assert "Bitte bewerten Sie zuerst selbst." in html, address
        assert GEHEIM not in html
    for verb in ("freigeben", "ablehnen", "zurueck"):
        assert "zuerst selbst" in said(step(client, assessment, verb, note="Darum."))
    assert assessment.events.count() == events
    assert beleg.zustand == Beleg.Zustand.OFFEN


def test_the_lease_can_be_taken_before(client, assessment):
    person = sit_down(client)
    client.post(desk_url("reservieren", assessment.pk))
    assert Reservierung.objects.get().person == person


def test_the_way_leads_through_the_questions_to_approval(client):
    assessment = asked()
    sit_down(client, approver=True)
    post(client, assessment, "A4", "m")
    post(client, assessment, "C1", "n")
    look_at_all(client, assessment)
    step(client, assessment, "freigeben")
    assert assessment.status == Assessment.Status.APPROVED


# --- The start page -----------------------------------------------------------------------------


def test_the_start_page_shows_how_often_people_agree(client, assessment):
    sit_down(client)
    index = reverse("admin:index")
    assert "Eigenes Urteil vor dem des Modells" not in client.get(index).content.decode()
    answer(assessment, UserFactory(), Wert.HEMMEND)
    html = client.get(index).content.decode()
    assert "Eigenes Urteil vor dem des Modells" in html
    (row,) = client.get(index).context["eigenurteile"]
    assert (row.modell, row.n, row.gleich, row.nah) == ("muster-1", 2, 0, 1)
