"""Reporting an error as a reader: the way in, and everything that must not get through."""

import re
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from django_q.models import Schedule

from assessments.addresses import antrag_address, version_address, zitat_address
from meldungen.eingang import forget_addresses
from meldungen.models import MAX_TEXT, Einsendung, Meldung
from meldungen.tasks import forget
from meldungen.ziel import Ziel, danke_address, melden_address
from tests.assessments.factories import AssessmentFactory, UserFactory
from tests.assessments.seiten import correction_of, published, read, words

from .factories import TEXT, MeldungFactory, cited, ticket

pytestmark = pytest.mark.django_db


@pytest.fixture
def assessment():
    return published()


@pytest.fixture
def send(client, assessment, monkeypatch):
    """Sends the form of the assessment as a browser does, a minute after it was opened."""

    def _send(*, ziel=None, headers=None, address=None, **fields):
        ziel = ziel or Ziel(assessment)
        form = {"art": "begruendung", "text": TEXT, "website": ""}
        form |= {"schein": ticket(ziel, monkeypatch)} | fields
        body = "&".join(f"{name}={_quoted(value)}" for name, value in form.items())
        return client.post(
            ziel.adresse,
            body,
            content_type="application/x-www-form-urlencoded",
            headers=headers or {},
            REMOTE_ADDR=address or "198.51.100.7",
        )

    return _send


def _quoted(value: str) -> str:
    return "".join(f"%{byte:02X}" for byte in str(value).encode("utf-8", "surrogatepass"))


def refused(response, sentence: str, status: int = 422) -> str:
    """Nothing is stored, the page says why, and what was typed is still there."""
    assert response.status_code == status
    html = response.content.decode()
    assert sentence in words(html)
    assert Meldung.objects.count() == 0
    return html


# --- The whole way -------------------------------------------------------------------------------


def test_from_the_assessment_to_the_queue(client, assessment, monkeypatch):
    page = read(client, antrag_address(assessment.antrag))
    address = re.search(r'rel="nofollow" href="([^"]+)"', page)[1]
    assert address == melden_address(assessment)
    form = read(client, address)
    assert "Jährlich über die Wirkung berichten" in form
    assert "Fassung 1 vom" in form
    # The ticket of the page itself counts once somebody had the time to write.
    schein = re.search(r'name="schein" value="([^"]+)"', form)[1]
    later = timezone.now().timestamp() + 30
    monkeypatch.setattr("django.core.signing.time.time", lambda: later)
    data = {"art": "angabe", "text": TEXT, "website": "", "schein": schein}
    body = "&".join(f"{name}={_quoted(value)}" for name, value in data.items())
    response = client.post(address, body, content_type="application/x-www-form-urlencoded")
    assert response.status_code == 303
    assert response.url == danke_address(assessment)
    meldung = Meldung.objects.get()
    assert (meldung.assessment, meldung.zitat, meldung.art) == (assessment, None, "angabe")
    assert (meldung.text, meldung.status) == (TEXT, "offen")
    assert [event.verb for event in meldung.ereignisse.all()] == ["receive"]
    assert "angekommen" in read(client, response.url)


def test_from_a_quote_with_its_words_and_page(client, assessment, send):
    zitat = cited(assessment)
    page = read(client, zitat_address(zitat))
    ziel = Ziel(assessment, zitat)
    assert f'href="{ziel.adresse}"' in page
    form = words(read(client, ziel.adresse))
    assert zitat.text in form
    assert f"Drs. {assessment.antrag.drucksache}, S. 1 {zitat.text}" in form
    assert send(ziel=ziel, art="stelle").status_code == 303
    assert Meldung.objects.get().zitat == zitat


def test_a_version_that_was_replaced_can_be_reported(client, assessment, send):
    correction_of(assessment)
    assert send().status_code == 303
    assert Meldung.objects.get().assessment == assessment


def test_the_answer_and_the_thanks_name_no_number(client, assessment, send):
    response = send()
    assert response.content == b""
    assert re.fullmatch(version_address(assessment) + "melden/danke/", response.url)


# --- What cannot be reported ---------------------------------------------------------------------


@pytest.mark.parametrize("stand", ["draft", "in_review", "approved", "withdrawn"])
def test_what_cannot_be_read_answers_as_what_does_not_exist(client, stand):
    assessment = AssessmentFactory(stand=stand)
    zitat = cited(assessment)
    base = antrag_address(assessment.antrag)
    version = f"{base}v{assessment.version or 1}/melden/"
    for address in (version, f"{version}?zitat={zitat.pk}", f"{version}danke/"):
        found = client.get(address)
        unknown = client.get(address.replace(base, "/bw/16/99999/"))
        assert (found.status_code, unknown.status_code) == (404, 404)
        assert found.content == unknown.content
    data = {"art": "anderes", "text": TEXT}
    assert client.post(version, data).status_code == 404


@pytest.mark.parametrize("number", ["0", "-1", "abc", "9" * 30, "1e3", "", "²"])
def test_a_quote_that_the_version_does_not_cite_is_unknown(client, assessment, number):
    read(client, melden_address(assessment), status=404, zitat=number)


def test_the_quote_of_another_assessment_is_unknown(client, assessment):
    draft = AssessmentFactory()
    other = cited(draft)
    assert other != cited(assessment)
    read(client, melden_address(assessment), status=404, zitat=other.pk)


def test_a_ticket_counts_for_its_target_only(assessment, send, monkeypatch):
    other = ticket(Ziel(assessment, cited(assessment)), monkeypatch)
    refused(send(schein=other), "passt nicht zu dieser Seite")


def test_a_withdrawal_at_the_last_moment_is_an_unknown_page(assessment, send, monkeypatch):
    """Between finding the target and storing the report."""
    original = AssessmentFactory._meta.model.withdraw

    def withdraw_first(*args, **kwargs):
        original(assessment, by=UserFactory(publisher=True), note="Überholt.")
        return real(*args, **kwargs)

    from meldungen import views

    real = views.receive
    monkeypatch.setattr(views, "receive", withdraw_first)
    assert send().status_code == 404
    assert Meldung.objects.count() == 0


# --- Spam ----------------------------------------------------------------------------------------


def test_a_form_sent_at_once_is_refused_and_keeps_the_text(assessment, send, monkeypatch):
    html = refused(
        send(schein=ticket(Ziel(assessment), monkeypatch, age=1)), "schneller, als man schreiben"
    )
    assert "alle zwei Jahre" in html
    assert re.search(r'value="begruendung"[^>]* checked', html)


def test_a_form_that_lay_open_too_long_is_refused_and_can_be_sent_again(
    client, assessment, send, monkeypatch
):
    old = ticket(Ziel(assessment), monkeypatch, age=13 * 3600)
    html = refused(send(schein=old), "lag zu lange offen")
    assert "alle zwei Jahre" in html
    fresh = re.search(r'name="schein" value="([^"]+)"', html)[1]
    assert fresh != old


@pytest.mark.parametrize("schein", ["", "erfunden", "1/:abc:def", "\u0000"])
def test_without_a_ticket_of_ours_nothing_is_taken(send, schein):
    refused(send(schein=schein), "passt nicht zu dieser Seite")


@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"origin": "https://boese.example"},
        {"origin": "null"},
        {"origin": "http://["},
    ],
)
def test_another_site_cannot_send_the_form_of_its_visitors(send, headers):
    refused(send(headers=headers), "kam nicht von dieser Seite")


def test_our_own_page_can(send):
    headers = {"sec-fetch-site": "same-origin", "origin": "http://testserver"}
    assert send(headers=headers).status_code == 303


def test_whoever_fills_in_the_trap_is_told_so(send):
    html = refused(send(website="https://werbung.example"), "muss leer bleiben")
    assert "alle zwei Jahre" in html


def test_the_same_text_is_taken_once(assessment, send):
    assert send().status_code == 303
    again = send(text=f"  {TEXT.upper().replace('.', ' !')}\r\n", address="203.0.113.9")
    assert again.status_code == 422
    assert "liegt uns zu dieser Bewertung schon vor" in words(again.content.decode())
    assert Meldung.objects.count() == 1


def test_one_address_has_a_limit_and_others_go_on(settings, assessment, send):
    settings.MELDUNGEN_JE_ADRESSE = 2
    for number in range(2):
        assert send(text=f"{TEXT} Nummer {number}").status_code == 303
    response = send(text=f"{TEXT} Nummer 3")
    assert response.status_code == 429
    assert 23 * 3600 < int(response["Retry-After"]) <= 24 * 3600
    assert "Nummer 3" in response.content.decode()
    assert send(text=f"{TEXT} Nummer 4", address="203.0.113.9").status_code == 303


def test_all_of_one_ipv6_network_are_one_address(settings, send):
    settings.MELDUNGEN_JE_ADRESSE = 1
    assert send(address="2001:db8:1:2::1").status_code == 303
    assert send(text=TEXT * 2, address="2001:db8:1:2::ffff").status_code == 429
    assert send(text=TEXT * 2, address="2001:db8:1:3::1").status_code == 303


def test_all_together_have_a_limit(settings, send):
    settings.MELDUNGEN_JE_TAG = 2
    for number in range(2):
        assert send(text=f"{TEXT} {number}", address=f"203.0.113.{number}").status_code == 303
    assert send(text=f"{TEXT} 3", address="203.0.113.3").status_code == 429


def test_a_limit_ends_after_a_day(settings, send):
    settings.MELDUNGEN_JE_ADRESSE = 1
    assert send().status_code == 303
    Einsendung.objects.update(am=timezone.now() - timedelta(hours=25))
    assert send(text=TEXT * 2).status_code == 303


@pytest.mark.parametrize(("hours", "wait"), [(23.5, "in einer Stunde"), (22.5, "in 2 Stunden")])
def test_the_page_says_how_long_to_wait(settings, send, hours, wait):
    settings.MELDUNGEN_JE_ADRESSE = 1
    send()
    Einsendung.objects.update(am=timezone.now() - timedelta(hours=hours))
    response = send(text=TEXT * 2)
    assert response.status_code == 429
    assert f"Der nächste geht {wait}." in response.content.decode()


def test_a_limit_of_none_takes_nothing(settings, send):
    settings.MELDUNGEN_JE_TAG = 0
    refused(send(), "zu viele Hinweise", status=429)


# --- What is typed -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"text": ""}, "Bitte beschreiben Sie den Fehler"),
        ({"text": "   \n "}, "Bitte beschreiben Sie den Fehler"),
        ({"text": "?!?! 1234567890"}, "in einem Satz"),
        ({"text": "\u200b" * 40}, "in einem Satz"),
        ({"text": f"Dreht die Richtung um: \u202egpj.exe {TEXT}"}, "U+202E"),
        ({"text": f"{TEXT}\u0000"}, "U+0000"),
        ({"text": "x" * (MAX_TEXT + 1)}, f"Möglich sind {MAX_TEXT}"),
        ({"art": ""}, "was nicht stimmt"),
        ({"art": "erfunden"}, "erfunden"),
    ],
)
def test_what_is_no_report_is_refused_with_a_sentence(send, fields, sentence):
    response = send(**fields)
    refused(response, sentence)


def test_the_longest_text_is_taken_with_the_line_ends_of_browsers(send):
    line = "Zeile mit Worten\n"
    text = (line * (MAX_TEXT // len(line))).strip()
    assert send(text=text.replace("\n", "\r\n")).status_code == 303
    assert Meldung.objects.get().text == text


def test_a_body_without_end_is_not_read(client, assessment, send):
    html = refused(send(text="x" * 60_000), "zu viel Text", status=413)
    assert "xxxx" not in html


def test_files_are_not_read(client, assessment):
    response = client.post(melden_address(assessment), {"text": TEXT})  # multipart
    assert response.status_code == 415
    assert "nicht das Formular dieser Seite" in response.content.decode()


def test_hostile_text_is_only_shown_to_who_typed_it(send):
    html = refused(send(text="<script>alert(1)</script> und mehr", art=""), "was nicht stimmt")
    assert "<script" not in html
    assert "&lt;script&gt;" in html


# --- Manners -------------------------------------------------------------------------------------


def test_neither_form_nor_thanks_set_a_cookie_or_are_kept(client, assessment, send):
    responses = [
        client.get(melden_address(assessment)),
        client.get(danke_address(assessment)),
        send(text=""),
        send(),
    ]
    for response in responses:
        assert not response.cookies
        assert "Cookie" not in response.headers.get("Vary", "")
        assert "no-store" in response.headers["Cache-Control"]
        assert response.headers["X-Robots-Tag"] == "noindex"


def test_it_works_where_django_enforces_its_own_token(assessment, monkeypatch):
    strict = Client(enforce_csrf_checks=True)
    body = f"art=anderes&text={_quoted(TEXT)}&schein={ticket(Ziel(assessment), monkeypatch)}"
    response = strict.post(
        melden_address(assessment), body, content_type="application/x-www-form-urlencoded"
    )
    assert response.status_code == 303


def test_a_form_touches_no_session(client, assessment, send):
    client.force_login(UserFactory(publisher=True))
    with CaptureQueriesContext(connection) as queries:
        client.get(melden_address(assessment))
        send()
    assert not [query for query in queries if "django_session" in query["sql"]]


@pytest.mark.parametrize("method", ["put", "delete", "patch"])
def test_the_form_knows_no_other_method(client, assessment, method):
    assert getattr(client, method)(melden_address(assessment)).status_code == 405
    assert client.post(danke_address(assessment)).status_code == 405
    assert client.post(version_address(assessment)).status_code == 405


def test_crawlers_are_sent_away(client, assessment):
    assert "Disallow: /*/melden/" in read(client, "/robots.txt")
    assert "melden" not in read(client, "/sitemap.xml")
    assert 'name="robots" content="noindex"' in read(client, melden_address(assessment))


# --- What is kept --------------------------------------------------------------------------------


def test_no_address_is_stored_only_a_keyed_sum(settings, assessment, send):
    send(address="198.51.100.77")
    (first,) = Einsendung.objects.values_list("adresse", flat=True)
    with connection.cursor() as cursor:
        cursor.execute("SELECT row_to_json(e)::text FROM meldungen_einsendung e")
        assert "198.51" not in cursor.fetchone()[0]
        cursor.execute("SELECT row_to_json(m)::text FROM meldungen_meldung m")
        assert "198.51" not in cursor.fetchone()[0]
    settings.SECRET_KEY = "another"
    send(text=TEXT * 2, address="198.51.100.77")
    assert Einsendung.objects.exclude(adresse=first).count() == 1


def test_the_night_deletes_what_no_limit_counts(assessment):
    MeldungFactory(assessment=assessment)
    assert forget_addresses() == 0
    Einsendung.objects.update(am=timezone.now() - timedelta(hours=25))
    assert forget() == "1 Adressen und 0 Texte gelöscht"
    assert not Einsendung.objects.exists()


def test_the_night_is_scheduled():
    call_command("setup_schedules")
    schedule = Schedule.objects.get(name="forget_reports")
    assert schedule.func == "meldungen.tasks.forget"
    assert schedule.schedule_type == Schedule.DAILY


def test_the_desk_says_nothing_of_senders(admin_client):
    assert "insendung" not in admin_client.get(reverse("admin:index")).content.decode()
