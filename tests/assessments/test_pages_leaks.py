"""Nothing that is not published is anywhere, and nothing published can do harm."""

import re
from collections import deque

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from assessments.addresses import antrag_address, zitat_address
from assessments.models import Assessment, Feldbewertung
from tests.citations.factories import PruefungFactory
from tests.parlamente.factories import AntragFactory

from .factories import AssessmentFactory, BelegFactory, UserFactory, advance, place_zitat
from .seiten import antrag_with, correction_of, published, read

pytestmark = pytest.mark.django_db
GEHEIM = "Dieser Satz ist noch geheim und steht in keiner veroeffentlichten Bewertung."
HOSTILE = '<script>alert(1)</script><img src=x onerror=alert(2)> "javascript:alert(3)" \u202egpj'


def secret(status: str, **fields) -> Assessment:
    """An assessment in that state whose every text and quote can be recognised."""
    antrag = antrag_with(f"{GEHEIM} {status}.", titel=f"GEHEIM {status}")
    assessment = AssessmentFactory(
        antrag=antrag,
        zusammenfassung_modell=f"GEHEIM {status}",
        themen=["GEHEIM"],
        **fields,
    )
    zitat = place_zitat(f"{GEHEIM} {status}", antrag.fassung.dokument)
    BelegFactory(owner_row=assessment.feldbewertungen.get(feld="E1"), zitat=zitat)
    if status == "rejected":
        assessment.submit()
        assessment.reject(by=UserFactory(approver=True), note="GEHEIM")
    else:
        advance(assessment, status)
    return assessment


@pytest.fixture
def secrets():
    return [secret(status) for status in ("draft", "in_review", "approved", "rejected")]


def crawl(client, *starts: str) -> dict[str, str]:
    """Every page that an anonymous visitor reaches by links, forms' choices and the sitemap."""
    seen: dict[str, str] = {}
    queue = deque(starts)
    while queue:
        address = queue.popleft()
        if address in seen or len(seen) > 300 or address.startswith("/static/"):
            continue
        response = client.get(address)
        seen[address] = response.content.decode("utf-8", errors="replace")
        found = re.findall(r'(?:href|src)="(/[^"#]*|\?[^"#]*)', seen[address])
        found += re.findall(r"<loc>https?://[^/]+(/[^<]*)</loc>", seen[address])
        found += re.findall(r'"(?:api_)?url": "https?://[^/"]+(/[^"]*)"', seen[address])
        for link in found:
            link = link.replace("&amp;", "&")
            queue.append(address.split("?")[0] + link if link.startswith("?") else link)
    return seen


def test_nothing_unpublished_is_reachable_by_any_link(client, secrets):
    published()
    correction_of(published())
    pages = crawl(
        client, "/", "/sitemap.xml", "/robots.txt", "/api/v1/assessments", "/api/v1/status"
    )
    assert any(address.startswith("/zitat/") for address in pages)
    assert any(address.startswith("/api/v1/zitate/") for address in pages)
    assert {address for address, html in pages.items() if "geheim" in html.casefold()} == set()


def test_nothing_unpublished_is_reachable_by_guessing(client, secrets):
    published()
    for assessment in secrets:
        quotes = [beleg.zitat for beleg in assessment.belege.all() if beleg.zitat]
        zitat = next(quote for quote in quotes if "geheim" in quote.text)
        address = antrag_address(assessment.antrag)
        guesses = [
            address,
            f"{address}v1/",
            f"{address}v{assessment.pk}/",
            f"/api/v1/assessments{address.rstrip('/')}",
            f"/api/v1/assessments{address}v1",
            f"/api/v1/zitate/{zitat.pk}",
            zitat_address(zitat),
            f"{zitat_address(zitat)}seite.pdf",
            f"{zitat_address(zitat)}seite-1-1240.webp",
            f"{zitat_address(zitat)}ausschnitt-1.webp",
            f"/dokument/{assessment.fassung.dokument.sha256}.pdf",
        ]
        assert {client.get(guess).status_code for guess in guesses} == {404}


@pytest.mark.parametrize("query", [{"q": "GEHEIM"}, {"q": "geheim Satz"}, {"thema": "GEHEIM"}])
def test_search_does_not_find_what_is_not_published(client, secrets, query):
    published()
    html = read(client, "/", **query)
    assert "GEHEIM draft" not in html
    assert html.count('class="eintrag"') == (1 if "thema" in query else 0)


def test_an_editor_sees_no_more_on_the_public_pages(client, secrets):
    client.force_login(UserFactory(publisher=True))
    read(client, antrag_address(secrets[0].antrag), status=404)


def test_a_quote_shared_with_a_draft_leads_only_to_what_is_published(client):
    """The same words of the same document, cited by a published version and by a draft."""
    first = published()
    draft = AssessmentFactory(antrag=first.antrag)
    zitat = first.belege.filter(feldbewertung__feld="B5").get().zitat
    assert draft.belege.filter(zitat=zitat).exists()
    html = read(client, zitat_address(zitat))
    assert html.count("Verwendet in:") == first.belege.filter(zitat=zitat).count()


# --- Hostile texts -------------------------------------------------------------------------------


@pytest.fixture
def hostile():
    antrag = antrag_with("Harmlos.", titel=HOSTILE)
    assessment = AssessmentFactory(
        antrag=antrag, zusammenfassung_modell=HOSTILE, themen=[HOSTILE[:40]]
    )
    Feldbewertung.objects.filter(assessment=assessment).update(begruendung_modell=HOSTILE)
    assessment.vergleiche.update(begruendung_modell=HOSTILE, durchsucht=HOSTILE)
    assessment.verbesserungen.update(
        wortlaut_modell=HOSTILE, titel_modell=HOSTILE, begruendung_modell=HOSTILE
    )
    advance(assessment, "published")
    return assessment


def test_hostile_texts_are_only_shown(client, hostile):
    for address, html in crawl(client, "/").items():
        if address.startswith("/api/") or address.endswith((".pdf", ".webp")):
            continue
        assert "<script" not in html, address
        assert "<img src=x" not in html, address
        assert not re.search(r'href="\s*javascript:', html), address


def test_a_hostile_document_is_only_shown(client):
    sentence = "<script>alert(1)</script> ist ein Satz dieses boesen Antrags, der zitiert wird."
    antrag = antrag_with(sentence)
    assessment = AssessmentFactory(antrag=antrag)
    zitat = place_zitat(sentence, antrag.fassung.dokument)
    BelegFactory(owner_row=assessment.feldbewertungen.get(feld="E1"), zitat=zitat)
    advance(assessment, "published")
    html = read(client, zitat_address(zitat))
    assert "<script" not in html
    assert "&lt;script&gt;" in html or "script&gt;" in html


# --- Manners -------------------------------------------------------------------------------------

PAGES = ["liste", "methodik", "korrekturen", "daten", "impressum", "datenschutz", "robots"]


@pytest.mark.parametrize("name", [*PAGES, "barrierefreiheit", "sitemap", "api-hilfe"])
def test_no_page_sets_a_cookie_or_varies_by_one(client, name):
    response = client.get(reverse(name))
    assert response.status_code == 200
    assert not response.cookies
    assert "Cookie" not in response.headers.get("Vary", "")
    assert "public" in response.headers["Cache-Control"]


def test_an_assessment_sets_no_cookie(client):
    assessment = published()
    for address in (
        antrag_address(assessment.antrag),
        zitat_address(assessment.belege.first().zitat),
    ):
        response = client.get(address)
        assert not response.cookies
        assert "Cookie" not in response.headers.get("Vary", "")


def test_the_policy_allows_nothing_inline(client):
    policy = client.get("/").headers["Content-Security-Policy"]
    assert "unsafe" not in policy
    html = read(client, antrag_address(published().antrag))
    assert " style=" not in html
    assert "<style" not in html
    assert "<script" not in html


@pytest.mark.parametrize("method", ["post", "put", "delete", "patch"])
def test_public_pages_can_only_be_read(client, method):
    assert getattr(client, method)("/").status_code == 405


def test_an_unchanged_page_is_not_sent_twice(client):
    address = antrag_address(published().antrag)
    etag = client.get(address).headers["ETag"]
    assert client.get(address, headers={"if-none-match": etag}).status_code == 304


def test_a_changed_check_changes_the_page(client):
    assessment = published()
    address = antrag_address(assessment.antrag)
    etag = client.get(address).headers["ETag"]
    zitat = assessment.belege.first().zitat
    PruefungFactory(zitat=zitat, widerlegt=True)
    assert client.get(address, headers={"if-none-match": etag}).status_code == 200


def test_reading_writes_nothing(client):
    assessment = published()
    with CaptureQueriesContext(connection) as queries:
        read(client, "/", q="Land")
        read(client, antrag_address(assessment.antrag))
        read(client, zitat_address(assessment.belege.first().zitat))
    assert {query["sql"].split()[0] for query in queries} == {"SELECT"}


def test_a_motion_without_assessment_stays_unknown(client):
    read(client, antrag_address(AntragFactory()), status=404)
