"""The queue in the admin, the other read-only lists, and the counts on the start page."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from assessments.models import Assessment, Beleg
from tests.citations.factories import PruefungFactory
from tests.parlamente.factories import ParteiFactory

from .am_tisch import desk, open_evidence, sit_down
from .factories import AssessmentFactory, UserFactory

pytestmark = pytest.mark.django_db

QUEUE = "admin:assessments_pruefauftrag_changelist"


def listed(client, **query):
    return [row.pk for row in client.get(reverse(QUEUE), query).context["cl"].result_list]


def test_the_queue_is_what_waits_and_of_like_risk_the_oldest_first(client):
    sit_down(client)
    for stand in ("draft", "published", "withdrawn"):
        AssessmentFactory(stand=stand)
    young, old = AssessmentFactory(in_review=True), AssessmentFactory(in_review=True)
    day_before = timezone.now() - timedelta(days=1)
    Assessment.objects.filter(pk=old.pk).update(erstellt_am=day_before)
    assert listed(client) == [old.pk, young.pk]


def test_risk_comes_before_age_and_is_said_in_words(client):
    sit_down(client)
    old, risky = AssessmentFactory(in_review=True), AssessmentFactory(in_review=True)
    open_evidence(risky)
    assert listed(client) == [risky.pk, old.pk]
    assert listed(client, risiko="offen") == [risky.pk]
    assert listed(client, risiko="negativ") == [risky.pk, old.pk]
    assert listed(client, risiko="versteckt") == []
    assert listed(client, risiko="x") == [risky.pk, old.pk]
    html = client.get(reverse(QUEUE)).content.decode()
    assert "Offene Belege, Negative Bewertungen" in html
    assert "Offene Belege (1)" in html
    assert "Negative Bewertungen (2)" in html


def test_the_side_bar_of_the_desk_counts_reasons_and_names_the_next(client):
    sit_down(client)
    old, risky = AssessmentFactory(in_review=True), AssessmentFactory(in_review=True)
    open_evidence(risky)
    context = client.get(desk(old)).context
    assert [row.pk for row, _ in context["naechste"]] == [risky.pk, old.pk]
    assert [words for _, words in context["naechste"]] == [
        "1 Beleg offen, Negative Bewertungen",
        "Negative Bewertungen",
    ]
    assert [number for _, number, _ in context["gruende"]] == [1, 0, 0, 0, 2]
    assert listed(client, risiko="offen") == [risky.pk]


def test_a_row_opens_on_the_desk(client):
    sit_down(client)
    assessment = AssessmentFactory(in_review=True)
    address = reverse("admin:assessments_pruefauftrag_pruefen", args=[assessment.pk])
    assert f'href="{address}"' in client.get(reverse(QUEUE)).content.decode()
    change = reverse("admin:assessments_pruefauftrag_change", args=[assessment.pk])
    assert client.get(change).headers["Location"] == address


def test_the_filters(client):
    sit_down(client)
    ready, waiting = AssessmentFactory(in_review=True), AssessmentFactory(approved=True)
    dirty = AssessmentFactory(in_review=True)
    open_evidence(dirty, grund=Beleg.Grund.ZAHL)
    open_evidence(ready, feld="B5").drop(by=UserFactory())
    assert listed(client, zustand="offen") == [dirty.pk]
    assert listed(client, zustand="freigabe") == [ready.pk]
    assert listed(client, zustand="wartet") == [waiting.pk]
    assert listed(client, belege="ungeprueft") == [dirty.pk]
    assert listed(client, belege="verworfen") == [ready.pk]
    assert listed(client, grund="zahl") == [dirty.pk]
    assert listed(client, grund="verneinung") == []
    assert listed(client, antrag__parlament__id__exact=dirty.antrag.parlament_id) == [dirty.pk]


def test_the_filter_by_submitting_party(client):
    sit_down(client)
    ours, _ = AssessmentFactory(in_review=True), AssessmentFactory(in_review=True)
    partei = ParteiFactory(kuerzel="FLUSS")
    ours.antrag.urheber.create(roh="Fraktion FLUSS", art="fraktion").parteien.add(partei)
    assert listed(client, partei=partei.pk) == [ours.pk]
    assert listed(client, partei="x") == listed(client)


def test_the_search_knows_titles_and_numbers(client):
    sit_down(client)
    one = AssessmentFactory(in_review=True, antrag__titel="Wassercent einführen")
    other = AssessmentFactory(in_review=True)
    assert listed(client, q="Wassercent") == [one.pk]
    assert listed(client, q=other.antrag.drucksache) == [other.pk]


def test_an_empty_queue_says_so(client):
    sit_down(client)
    assert "Die Warteschlange ist leer." in client.get(reverse(QUEUE)).content.decode()
    AssessmentFactory(in_review=True)
    html = client.get(reverse(QUEUE), {"zustand": "wartet"}).content.decode()
    assert "Zu dieser Auswahl wartet nichts." in html


def test_the_number_of_queries_does_not_grow_with_the_queue(client, django_assert_max_num_queries):
    sit_down(client)
    for _ in range(3):
        open_evidence(AssessmentFactory(in_review=True))
    client.get(reverse(QUEUE))
    with django_assert_max_num_queries(13):
        client.get(reverse(QUEUE))


def test_the_start_page_counts_what_waits(client):
    sit_down(client)
    open_evidence(AssessmentFactory(in_review=True))
    AssessmentFactory(approved=True)
    zahlen = client.get(reverse("admin:index")).context["zahlen"]
    assert [zahl.anzahl for zahl in zahlen] == [2, 1, 0, 1]


def test_the_start_page_counts_the_reasons_and_leads_to_them(client):
    sit_down(client)
    open_evidence(AssessmentFactory(in_review=True))
    AssessmentFactory(approved=True)
    gruende = client.get(reverse("admin:index")).context["gruende"]
    assert [zahl.anzahl for zahl in gruende] == [1, 0, 0, 0, 2]
    response = client.get(gruende[0].url)
    assert len(response.context["cl"].result_list) == 1


def test_filters_have_their_bare_names_and_say_what_is_chosen(client):
    sit_down(client)
    AssessmentFactory(in_review=True)
    html = client.get(reverse(QUEUE), {"zustand": "freigabe"}).content.decode()
    assert "<summary>Zustand: bereit zur Freigabe</summary>" in html
    assert "<summary>Belege: Alle</summary>" in html
    assert html.count("<details data-filter-title=") == html.count("<summary>")
    assert re.findall(r'data-filter-title="(.*?)" open', html) == ["Zustand"]
    assert "Nach " not in html


def test_the_help_is_a_page_for_all_who_may_look(client):
    sit_down(client, may=["view_assessment"])
    address = reverse("admin:assessments_pruefauftrag_hilfe")
    assert "Die vier Entscheidungen" in client.get(address).content.decode()
    for page in (reverse("admin:index"), desk(AssessmentFactory(in_review=True))):
        assert f'href="{address}"' in client.get(page).content.decode()
    sit_down(client, may=[])
    assert client.get(address).status_code == 403


def test_the_start_page_tells_others_nothing_about_the_queue(client):
    sit_down(client, may=[])
    context = client.get(reverse("admin:index")).context
    assert (context["zahlen"], context["gruende"]) == ([], [])


@pytest.mark.parametrize("model", ["assessment", "zitat", "dokument", "extraktion", "pruefung"])
def test_the_other_lists_are_for_looking_only(client, admin_client, model):
    AssessmentFactory(published=True)
    PruefungFactory(zitat=Assessment.objects.get().belege.first().zitat)
    app = "assessments" if model == "assessment" else "citations"
    response = admin_client.get(reverse(f"admin:{app}_{model}_changelist"))
    row = response.context["cl"].result_list[0]
    change = reverse(f"admin:{app}_{model}_change", args=[row.pk])
    assert admin_client.get(change).status_code == 200
    assert admin_client.post(change, {}).status_code == 403
    assert admin_client.get(reverse(f"admin:{app}_{model}_add")).status_code == 403
    delete = reverse(f"admin:{app}_{model}_delete", args=[row.pk])
    assert admin_client.post(delete, {"post": "yes"}).status_code == 403


@pytest.mark.parametrize("name", ["q", "zustand", "grund", "partei", "a\x00b", "e"])
def test_a_nul_character_in_the_address_is_a_bad_request(admin_client, name):
    AssessmentFactory(in_review=True)
    for model in ("assessments_pruefauftrag", "assessments_assessment", "citations_zitat"):
        address = reverse(f"admin:{model}_changelist")
        assert admin_client.get(address, {name: "a\x00b"}).status_code == 400
