"""The JSON API: what it says, what it never says, and how it fails."""

import json

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from assessments.addresses import antrag_address, version_address
from assessments.models import Beleg
from citations.models import Dokument
from tests.assessments.factories import ANTRAGSTEXT, AssessmentFactory, advance
from tests.assessments.seiten import correction_of, published
from tests.citations.factories import PruefungFactory
from tests.parlamente.factories import AntragFactory, ParlamentFactory, ParteiFactory

pytestmark = pytest.mark.django_db
API = "/api/v1"


@pytest.fixture(autouse=True)
def fresh_throttle():
    cache.clear()
    yield
    cache.clear()


def get(client, path: str, status: int = 200, **query) -> dict:
    response = client.get(API + path, query)
    assert response.status_code == status, response.content
    return response.json()


def path_of(assessment, *, version: bool = False) -> str:
    address = version_address(assessment) if version else antrag_address(assessment.antrag)
    return f"/assessments{address.rstrip('/')}"


def motion(**fields):
    return AntragFactory(mit_text=ANTRAGSTEXT, **fields)


# --- Content -------------------------------------------------------------------------------------


def test_every_answer_carries_licence_attribution_and_the_ai_mark(client):
    assessment = published()
    zitat = assessment.belege.first().zitat_id
    paths = ["/assessments", path_of(assessment), f"/zitate/{zitat}", "/parlamente", "/status"]
    for path in paths:
        answer = get(client, path)
        assert answer["license"] == "CC-BY-4.0"
        assert "GWÖ-Antragsprüfer" in answer["attribution"]
        assert isinstance(answer["ai_generated"], bool)


def test_an_assessment_says_whether_a_model_drafted_it(client):
    assert get(client, path_of(published()))["ai_generated"] is True


def test_an_assessment_by_editors_alone_is_not_ai_generated(client):
    assessment = AssessmentFactory()
    assessment.feldbewertungen.update(wert_modell="", wert_redaktion="n")
    type(assessment).objects.filter(pk=assessment.pk).update(
        zusammenfassung_modell="", zusammenfassung_redaktion="Von Menschen."
    )
    assessment.refresh_from_db()
    advance(assessment, "published")
    answer = get(client, path_of(assessment))
    assert answer["ai_generated"] is False
    assert answer["assessment"]["overall"]["value"] is None


def test_values_are_numbers_and_words_are_english(client):
    content = get(client, path_of(published()))["assessment"]
    assert content["overall"] == {
        "value": 5.6,
        "fields_affected": 4,
        "lowest": -2,
        "highest": 2,
        "formula_version": 1,
    }
    fields = {field["code"]: field for field in content["fields"]}
    assert len(fields) == 25
    assert fields["A4"]["rating"] == -2
    assert fields["A1"] == fields["A1"] | {"affected": False, "rating": None}
    assert fields["D5"] == fields["D5"] | {"affected": True, "rating": 0}
    rated, missing = content["comparisons"]
    assert (rated["result"], rated["score"], rated["role"]) == ("rated", 8, "governing")
    assert (missing["result"], missing["score"]) == ("programme_missing", None)
    assert content["type"] == "motion"
    assert content["date"] == "2016-10-12"


def test_quotes_come_with_grade_state_and_page(client):
    content = get(client, path_of(published()))["assessment"]
    quote = content["comparisons"][0]["evidence"][1]
    assert quote["side"] == "programme"
    assert quote["grade"] == "verbatim"
    assert quote["state"] == "proved"
    assert quote["source"] == "UFER, Wahlprogramm 2016"
    assert quote["pages"] == ["1"]


def test_a_quote_has_its_place_and_its_check(client):
    assessment = published()
    zitat = assessment.belege.get(seite=Beleg.Seite.PROGRAMM).zitat
    quote = get(client, f"/zitate/{zitat.pk}")["quote"]
    assert quote["text"] == zitat.text
    assert quote["spans"] == zitat.spans
    assert quote["boxes"][0]["page"] == 1
    assert quote["document_sha256"] == zitat.extraktion.dokument.sha256
    assert quote["last_check"]["result"] == "proved"
    assert quote["used_in"][0]["url"].endswith(antrag_address(assessment.antrag))


@pytest.fixture
def zusage():
    return published().belege.get(seite=Beleg.Seite.PROGRAMM).zitat


def place(client, zitat):
    return get(client, f"/zitate/{zitat.pk}")["quote"]["place"]


def test_a_quote_comes_with_what_its_page_shows(client, settings, zusage):
    settings.SITE_URL = ""
    found = place(client, zusage)
    assert (found["certainty"], found["display"]) == ("exact", "page")
    assert [picture["width"] for picture in found["pictures"]] == [620, 1240]
    for address in (*[picture["url"] for picture in found["pictures"]], found["marked_pdf"]):
        assert client.get(address).status_code == 200
    (page,) = found["page_texts"]
    (start, ende), *_ = zusage.spans
    words = page["text"][start - page["start"] : ende - page["start"]]
    assert " ".join(words.split()) == zusage.text
    assert zusage.text in found["context"]


@pytest.mark.parametrize(
    ("anzeige", "display"), [("ausschnitt", "excerpt"), ("verweis", "reference")]
)
def test_no_more_of_a_document_is_told_than_may_be_shown(client, zusage, anzeige, display):
    Dokument.objects.filter(pk=zusage.extraktion.dokument_id).update(anzeige=anzeige)
    found = place(client, zusage)
    assert found["display"] == display
    assert found["page_texts"] == []
    assert found["marked_pdf"] is None
    assert all("/ausschnitt-" in picture["url"] for picture in found["pictures"])
    assert bool(found["pictures"]) == bool(found["context"]) == (anzeige == "ausschnitt")
    whole = zusage.extraktion.seiten.get(index=1).text
    assert whole not in client.get(f"{API}/zitate/{zusage.pk}").content.decode()


def test_a_place_that_is_doubted_or_gone_says_so(client, zusage):
    PruefungFactory(zitat=zusage, widerlegt=True)
    assert place(client, zusage)["certainty"] == "approximate"
    PruefungFactory(zitat=zusage, widerlegt=True, gegenstand="datei")
    found = place(client, zusage)
    assert (found["certainty"], found["pictures"], found["page_texts"]) == ("gone", [], [])


def test_places_of_a_document_lead_to_each_other(client, settings):
    settings.SITE_URL = ""
    assessment = published()
    first, second = sorted({b.zitat_id for b in assessment.belege.filter(seite="antrag")})
    following = get(client, f"/zitate/{first}")["quote"]["place"]["next"]
    assert following == f"{API}/zitate/{second}"
    assert client.get(following).json()["quote"]["place"]["previous"] == f"{API}/zitate/{first}"


def test_versions_are_separate_and_lead_to_each_other(client):
    first = published()
    correction_of(first)
    newest = get(client, path_of(first))["assessment"]
    assert (newest["version"], newest["corrects_version"]) == (2, 1)
    old = get(client, path_of(first, version=True))["assessment"]
    assert (old["version"], old["status"]) == (1, "superseded")
    assert [version["version"] for version in old["versions"]] == [2, 1]


def test_addresses_in_answers_lead_somewhere(client, settings):
    settings.SITE_URL = ""
    published()
    (item,) = get(client, "/assessments")["items"]
    assert client.get(item["url"]).status_code == 200
    assert client.get(item["api_url"]).status_code == 200


def test_the_list_is_paged(client):
    for _ in range(3):
        published()
    answer = get(client, "/assessments", page=2, page_size=2)
    assert (answer["count"], len(answer["items"]), answer["page"]) == (3, 1, 2)


def test_filters_find_what_the_list_finds(client):
    ufer = ParteiFactory(kuerzel="UFER")
    hit = published(
        antrag=motion(
            titel="Hitzeschutz", einbringende=[ufer], parlament=ParlamentFactory(code="ML")
        ),
        themen=["Klima"],
    )
    published(antrag=motion(titel="Anderes"))
    for query in (
        {"parliament": "ml"},
        {"party": "UFER"},
        {"topic": "Klima"},
        {"q": "hitze"},
        {"field": "A4", "q": "Hitzeschutz"},
        {"published_since": "2000-01-01T00:00:00Z", "party": "UFER"},
    ):
        items = get(client, "/assessments", **query)["items"]
        assert [item["title"] for item in items] == [hit.antrag.titel], query
    assert get(client, "/assessments", field="A1")["items"] == []
    assert get(client, "/assessments", published_since="2999-01-01T00:00:00Z")["items"] == []


def test_parliaments_come_with_their_number_of_assessments(client):
    published(antrag=motion(parlament=ParlamentFactory(code="ML", muster=True)))
    ParlamentFactory(code="SE")
    items = {item["code"]: item for item in get(client, "/parlamente")["items"]}
    assert items["ml"]["published_assessments"] == 1
    assert items["ml"]["invented"] is True
    assert items["se"] == items["se"] | {"published_assessments": 0, "url": None}


def test_the_status_counts_what_is_public_only(client):
    published()
    AssessmentFactory(in_review=True)
    AssessmentFactory(withdrawn=True)
    answer = get(client, "/status")
    assert answer["database"] == "ok"
    assert answer["published_assessments"] == 1
    assert answer["withdrawn_assessments"] == 1
    assert answer["published_quotes"] == 3
    assert answer["quotes_under_review"] == 0
    text = json.dumps(answer).casefold()
    for word in ("secret", "password", "postgres", "in_review"):
        assert word not in text


# --- Failing -------------------------------------------------------------------------------------


def test_a_withdrawn_version_answers_gone_with_the_reason(client):
    assessment = AssessmentFactory(withdrawn=True)
    answer = get(client, path_of(assessment), status=410)
    assert answer["reason"] == "Überholte Fassung."
    assert answer["license"] == "CC-BY-4.0"


@pytest.mark.parametrize(
    "path",
    [
        "/assessments/xx/7/1",
        "/assessments/xx/7/1/v1",
        "/zitate/0",
        f"/zitate/{10**30}",
        f"/assessments/xx/{10**30}/1",
        "/nothing",
    ],
)
def test_what_does_not_exist_is_not_found(client, path):
    assert client.get(API + path).status_code == 404


def test_drafts_answer_as_if_they_did_not_exist(client):
    draft = AssessmentFactory(in_review=True)
    assert get(client, path_of(draft), status=404) == get(client, "/assessments/xx/7/1", status=404)
    get(client, f"/zitate/{draft.belege.first().zitat_id}", status=404)
    assert get(client, "/assessments")["count"] == 0
    assert get(client, "/assessments", q="Land")["count"] == 0


@pytest.mark.parametrize(
    "query",
    [
        {"page": 0},
        {"page": "x"},
        {"page": 10**9},
        {"page_size": 5000},
        {"field": "<script>"},
        {"q": "x" * 10_000},
        {"published_since": "gestern"},
        {"published_since": "2026-01-01T00:00:00"},
    ],
)
def test_a_wrong_parameter_is_named_and_not_repeated(client, query):
    answer = get(client, "/assessments", status=422, **query)
    assert answer["detail"][0]["loc"][-1] == next(iter(query))
    assert "<script>" not in json.dumps(answer)


@pytest.mark.parametrize("value", ["a\x00b", "%", "' OR 1=1 --", "\u202e"])
def test_hostile_parameters_find_nothing(client, value):
    published()
    for name in ("q", "party", "topic"):
        assert get(client, "/assessments", **{name: value})["count"] == 0


def test_too_many_requests_are_turned_away(client):
    answers = [client.get(f"{API}/parlamente") for _ in range(121)]
    assert answers[0].status_code == 200
    assert answers[-1].status_code == 429
    assert answers[-1].json()["detail"] == "Too many requests."


@pytest.mark.parametrize("method", ["post", "put", "delete", "patch"])
def test_the_api_is_read_only(client, method):
    response = getattr(client, method)(f"{API}/assessments")
    assert (response.status_code, response["Allow"]) == (405, "GET, HEAD")
    assert response.json()["detail"] == "Read only: GET and HEAD."


@pytest.mark.parametrize("path", ["/assessments", "/parlamente", "/status", "/openapi.json", "/"])
def test_head_is_answered_like_get_without_a_body(client, path):
    head, get = client.head(API + path), client.get(API + path)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["Content-Type"] == get.headers["Content-Type"]
    assert head.headers.get("ETag") == get.headers.get("ETag")


def test_head_of_what_is_not_there_says_so(client):
    assert client.head(f"{API}/zitate/1").status_code == 404


@pytest.mark.parametrize(
    "path",
    ["/api/", "/api/v2/", "/api/v1/x", "/api/v1/zitate/x", "/api/v1/status/", "/api/v1/docs/"],
)
@pytest.mark.parametrize("method", ["get", "post"])
def test_an_unknown_address_answers_in_json(path, method):
    client = Client(enforce_csrf_checks=True)
    response = getattr(client, method)(path)
    assert (response.status_code, response["Content-Type"].split(";")[0]) == (
        404,
        "application/json",
    )
    assert response.json()["detail"]


@pytest.mark.parametrize(("path", "target"), [("/api", "/api/"), ("/api/v1", "/api/v1/")])
def test_an_address_without_its_slash_is_redirected(client, path, target):
    assert client.get(path).url == target


# --- Description ---------------------------------------------------------------------------------


def test_the_openapi_document_describes_answers_and_errors(client):
    schema = client.get(f"{API}/openapi.json").json()
    detail = schema["paths"][f"{API}/assessments/{{parliament}}/{{term}}/{{number}}"]["get"]
    assert set(detail["responses"]) == {"200", "404", "410", "422", "429"}
    parameters = schema["paths"][f"{API}/assessments"]["get"]["parameters"]
    assert {"parliament", "party", "topic", "field", "q", "page"} <= {p["name"] for p in parameters}


def test_the_description_is_a_page_without_scripts(client):
    html = client.get(reverse("api-hilfe")).content.decode()
    assert "GET /api/v1/assessments" in html
    assert "<script" not in html


def test_answers_can_be_cached_and_set_no_cookie(client):
    response = client.get(f"{API}/parlamente")
    assert "public" in response.headers["Cache-Control"]
    assert not response.cookies
    etag = response.headers["ETag"]
    again = client.get(f"{API}/parlamente", headers={"if-none-match": etag})
    assert again.status_code == 304


def test_queries_do_not_grow_with_the_list(client, django_assert_num_queries):
    published()
    with django_assert_num_queries(4):
        get(client, "/assessments")
    for _ in range(3):
        published()
    with django_assert_num_queries(4):
        get(client, "/assessments")
