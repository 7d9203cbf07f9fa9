"""An anonymous visitor opens everything there is, and finds nothing of what is not published.

Every text of the unpublished assessments, of whatever field, holds a marker word; people's names
and what editors wrote too. The columns are read from the models, so a new one is marked as well.
"""

import json
import re
from collections import deque
from itertools import product
from urllib.parse import urlencode

import pytest
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from assessments.addresses import antrag_address, version_address, zitat_address
from assessments.models import (
    Assessment,
    Beleg,
    Feldbewertung,
    Lauf,
    Reservierung,
    ReviewEvent,
    Uebernahme,
    Verbesserung,
    Vergleich,
)
from citations.models import Dokument
from parlamente.models import Antrag, Urheber

from .factories import AssessmentFactory, UserFactory, place_zitat, show_all, tamper
from .seiten import antrag_with, correction_of, published

pytestmark = pytest.mark.django_db

# The word that must never be seen, and one that is only ever beside it, to search for.
MARKER, BESIDE = "geheimnis", "Quittenbaum"
STATES = ("draft", "in_review", "approved", "rejected")
# Shorter columns hold codes; these hold names of files that are opened.
SHORTEST = 20
CODES = {"matrix_version", "sha256", "file", "nummer"}


def mark(rows) -> None:
    """Writes the marker into every column of text, past all triggers."""
    for column in rows.model._meta.concrete_fields:
        for pk in rows.values_list("pk", flat=True):
            text = f"{MARKER} {BESIDE} {pk}"
            if isinstance(column, ArrayField):
                if (column.base_field.max_length or SHORTEST) < SHORTEST:
                    continue
                write(column, pk, [text])
            elif is_free_text(column):
                write(column, pk, text[: column.max_length or 200])


def is_free_text(column) -> bool:
    if not isinstance(column, models.CharField | models.TextField):
        return False
    is_long = column.max_length is None or column.max_length >= SHORTEST
    return is_long and not column.choices and not column.unique and column.name not in CODES


def write(column, pk, value) -> None:
    meta = column.model._meta
    tamper(
        f"UPDATE {meta.db_table} SET {column.column} = %s WHERE {meta.pk.column} = %s",  # noqa: S608
        *(value, pk),
    )


def mark_all(assessment: Assessment, *, motion: bool = True) -> None:
    one = {"assessment": assessment}
    for model in (Feldbewertung, Vergleich, Verbesserung, Beleg, ReviewEvent, Uebernahme):
        mark(model.objects.filter(**one))
    mark(Assessment.objects.filter(pk=assessment.pk))
    mark(Lauf.objects.filter(pk=assessment.lauf_id))
    if motion:
        mark(Antrag.objects.filter(pk=assessment.antrag_id))
        mark(Urheber.objects.filter(antrag=assessment.antrag_id))
        mark(Dokument.objects.filter(pk=assessment.fassung.dokument_id))


def person(name: str, **traits):
    return UserFactory(username=f"{MARKER}-{name}", last_name=MARKER, **traits)


def in_state(state: str, **fields) -> Assessment:
    """By its verbs and by people whose names are marked."""
    assessment = AssessmentFactory(**fields)
    people = [person(f"{state}-{n}-{assessment.pk}", publisher=True) for n in range(3)]
    if state == "draft":
        return assessment
    assessment.submit(by=people[0], note=MARKER)
    if state == "rejected":
        assessment.reject(by=people[0], note=MARKER)
        return assessment
    if state == "approved":
        show_all(assessment, people[0])
        assessment.approve(by=people[0], note=MARKER)
    Reservierung.take(assessment, by=people[1])
    Reservierung.take_over(assessment, by=people[2])
    return assessment


@pytest.fixture
def secrets() -> list[Assessment]:
    found = []
    for state in STATES:
        antrag = antrag_with(f"Dieser Satz ist ein {MARKER} über den {BESIDE} im {state}.")
        assessment = in_state(state, antrag=antrag)
        mark_all(assessment)
        zitat = place_zitat(f"Dieser Satz ist ein {MARKER}", antrag.fassung.dokument)
        tamper(
            "UPDATE assessments_beleg SET zitat_id = %s WHERE assessment_id = %s AND seite = %s "
            "AND zustand = 'angenommen'",
            *(zitat.pk, assessment.pk, "antrag"),
        )
        found.append(assessment)
    return found


@pytest.fixture
def corrections(public) -> list[Assessment]:
    """Not yet published versions of motions that are public."""
    found = [in_state(state, antrag=public.antrag) for state in STATES]
    for assessment in found:
        mark_all(assessment, motion=False)
    return found


@pytest.fixture
def public() -> Assessment:
    correction_of(published())
    AssessmentFactory(withdrawn=True)
    return published()


# --- What a visitor opens ------------------------------------------------------------------------

LINKS = (
    r'(?:href|src|action|content|poster|data-[a-z-]+)="([^"#]*)',
    r"<loc>([^<]*)</loc>",
    r'"(?:https?://[^/"]+)?(/[^"\s]*)"',
)


def links(address: str, text: str) -> set[str]:
    """Also those in srcset, in a feed and in JSON; only of this site."""
    found = {link for pattern in LINKS for link in re.findall(pattern, text)}
    for srcset in re.findall(r'srcset="([^"]*)"', text):
        found |= {part.split()[0] for part in srcset.split(",") if part.split()}
    return {local for link in found if (local := _local(address, link.replace("&amp;", "&")))}


def _local(address: str, link: str) -> str:
    link = re.sub(r"^https?://(127\.0\.0\.1:8000|testserver)", "", link)
    if link.startswith("?"):
        return address.split("?")[0] + link
    return link if link.startswith("/") and not link.startswith(("//", "/static/")) else ""


def crawl(client, *starts: str) -> dict[str, bytes]:
    """Everything within reach, with its headers: an image's, a feed's and a 404's too."""
    seen: dict[str, bytes] = {}
    queue = deque(starts)
    while queue:
        address = queue.popleft()
        if address in seen:
            continue
        assert len(seen) < 1500, "the crawl does not end"
        response = client.get(address)
        assert response.status_code < 500, address
        head = f"{address}\n{dict(response.headers)}".encode()
        seen[address] = head + b"\n" + response.content
        if re.search("text|json|xml", response["Content-Type"]):
            queue.extend(links(address, response.content.decode()))
    return seen


def operations(client) -> list[str]:
    """Every GET of the interface's own description."""
    schema = json.loads(client.get("/api/v1/openapi.json").content)
    return [path for path, methods in schema["paths"].items() if "get" in methods]


def without_parameters() -> list[str]:
    """Every public address of the code that needs no parameter: also a new feed."""
    found = []

    def walk(patterns, prefix=""):
        for one in patterns:
            route = prefix + str(one.pattern)
            if isinstance(one, URLResolver) and not route.startswith("redaktion"):
                walk(one.url_patterns, route)
            elif isinstance(one, URLPattern) and not re.search(r"[<(\\^]", route):
                found.append(f"/{route}")

    walk(get_resolver().url_patterns)
    return found


def guesses(assessment: Assessment) -> list[str]:
    """Every address that one who knows how ours are made could try."""
    motion, pk = antrag_address(assessment.antrag), assessment.pk
    found = [motion, motion.rstrip("/"), motion.upper()]
    found += [f"{motion}v{n}/" for n in (0, 1, 2, 3, 4, 5, pk)]
    found += [f"/api/v1/assessments{motion}v{n}" for n in (0, 1, 2, 3, pk)]
    found += [f"/api/v1/assessments{motion.rstrip('/')}", f"/api/v1/assessments/{pk}"]
    found += [f"/dokument/{assessment.fassung.dokument.sha256}.pdf"]
    for zitat in {beleg.zitat for beleg in assessment.belege.all() if beleg.zitat}:
        page = zitat_address(zitat)
        found += [page, f"{page}seite.pdf", f"/api/v1/zitate/{zitat.pk}"]
        found += [f"{page}seite-{n}-{b}.webp" for n, b in product((0, 1, 2), (620, 1240, 2480))]
        found += [f"{page}ausschnitt-{n}.webp" for n in (0, 1, 2)]
    return found


def searches() -> list[str]:
    code = Assessment.objects.first().antrag.parlament.code.lower()
    queries = [{"q": BESIDE}, {"thema": BESIDE}, {"partei": BESIDE}, {"parlament": code}]
    queries += [{"q": BESIDE, "seite": 2}, {"feld": "E1"}, {"topic": BESIDE}, {"party": BESIDE}]
    queries += [{"parliament": code}, {"published_since": "2001-01-01T00:00:00Z"}, {"page": 2}]
    return [
        f"{address}?{urlencode(query)}"
        for address, query in product(["/", "/api/v1/assessments", "/api/v1/parliaments"], queries)
    ]


def leaking(pages: dict[str, bytes]) -> list[str]:
    """Where the marker stands, but in an address that somebody guessed."""
    return [
        address
        for address, content in pages.items()
        if MARKER.encode() in content.lower().replace(address.lower().encode(), b"")
    ]


def test_nothing_unpublished_is_found_by_links_searches_or_guesses(
    client, public, secrets, corrections
):
    starts = ["/", "/sitemap.xml", "/robots.txt", "/favicon.ico", "/feed/", "/rss.xml"]
    starts += without_parameters() + operations(client) + searches()
    starts += [address for one in (*secrets, *corrections) for address in guesses(one)]
    pages = crawl(client, *starts)
    kinds = ["/zitat/", "/api/v1/zitate/", "/api/v1/assessments/", "/dokument/"]
    for kind in kinds:
        assert any(a.startswith(kind) and b"'Content-Type'" in b for a, b in pages.items()), kind
    assert any(address.endswith(".webp") for address in pages)
    assert leaking(pages) == []


def test_what_is_unpublished_cannot_be_told_from_what_never_was(client, public, secrets):
    never = client.get("/bw/16/99999/")
    for assessment in secrets:
        for address in guesses(assessment):
            response = client.get(address)
            assert response.status_code in (301, 404), address
        page = client.get(antrag_address(assessment.antrag))
        assert (page.status_code, page.content) == (404, never.content)
        assert page.headers.get("Cache-Control") == never.headers.get("Cache-Control")


def test_a_draft_changes_no_page_and_no_etag(client, public):
    addresses = ["/", "/sitemap.xml", "/korrekturen/", "/api/v1/assessments"]
    addresses += [antrag_address(public.antrag), version_address(public)]
    addresses += [zitat_address(public.belege.exclude(zitat=None).first().zitat)]
    before = {address: client.get(address) for address in addresses}
    for state in STATES:
        mark_all(in_state(state, antrag=public.antrag), motion=False)
        mark_all(in_state(state))
    for address, first in before.items():
        etag = first.headers.get("ETag")
        again = client.get(address)
        assert (again.content, again.headers.get("ETag")) == (first.content, etag), address
        if etag:
            answer = client.get(address, headers={"if-none-match": etag})
            assert (answer.status_code, answer.content) == (304, b""), address
        for condition in ("*", '"guessed"', f'W/"{MARKER}"'):
            answer = client.get(address, headers={"if-none-match": condition})
            assert MARKER.encode() not in answer.content.lower()


def test_error_pages_say_nothing(client, secrets, monkeypatch):
    client.raise_request_exception = False
    draft = secrets[0]

    def broken(*args, **kwargs):
        raise RuntimeError(str(draft.antrag.titel) + MARKER)

    monkeypatch.setattr("assessments.views.bewertung.find_antrag", broken)
    addresses = [antrag_address(draft.antrag), f"/api/v1/assessments{draft.antrag_id}"]
    answers = [client.get(address) for address in addresses]
    assert answers[0].status_code == 500
    answers += [client.post(reverse("liste")), client.get("/?q=a%00b"), client.get("/%00/")]
    for answer in answers:
        assert MARKER.encode() not in answer.content.lower()


def test_a_withdrawn_version_shows_its_reason_and_nothing_it_said(client):
    assessment = AssessmentFactory(published=True)
    assessment.withdraw(by=assessment.published_by, note="Sie nennt einen falschen Namen.")
    for model in (Feldbewertung, Vergleich, Verbesserung, Beleg):
        mark(model.objects.filter(assessment=assessment))
    mark(Assessment.objects.filter(pk=assessment.pk))
    pages = crawl(client, "/", "/sitemap.xml", *guesses(assessment))
    gone = client.get(antrag_address(assessment.antrag))
    assert gone.status_code == 410
    assert "einen falschen Namen" in gone.content.decode()
    assert leaking(pages) == []
