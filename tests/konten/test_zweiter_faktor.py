"""With the second factor on, a password alone opens nothing, and nobody can shut others out."""

import re
from datetime import timedelta
from io import StringIO

import pytest
from django.conf import settings as current
from django.contrib import admin
from django.contrib.auth.models import AnonymousUser, Permission
from django.contrib.sessions.backends.db import SessionStore
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, reverse
from django.utils import timezone
from django_otp.middleware import OTPMiddleware
from django_otp.plugins.otp_static.models import StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from konten import einladungen, sperre, zweiter_faktor
from konten.models import Anmeldeversuch, Kontoereignis
from konten.rechte import NichtErlaubt
from tests.gwoe.test_settings import load, production

from .factories import (
    PASSWORD,
    THERE,
    account,
    code_of,
    code_step,
    is_in,
    logged_in,
    password_step,
    with_device,
    wrong,
)

pytestmark = pytest.mark.django_db
Art = Kontoereignis.Art


@pytest.fixture(autouse=True)
def on(settings, db):
    settings.ZWEITER_FAKTOR = True
    call_command("setup_groups", verbosity=0)


@pytest.fixture
def person():
    return account("redaktion", "Redaktion")


@pytest.fixture
def device(person):
    return with_device(person)[0]


def verified(person):
    """Logged in with both factors."""
    device = TOTPDevice.objects.filter(user=person).first() or with_device(person)[0]
    client = password_step(person.username)
    assert code_step(client, code_of(device)).status_code == 302
    return client


def set_up_step(client, *, step=0):
    """Reads the key as the page shows it, and types the code that belongs to it."""
    html = client.get(reverse("admin:zweiter_faktor_einrichten")).content.decode()
    key = client.session[zweiter_faktor.NEW_KEY]
    device = TOTPDevice(key=key)
    assert zweiter_faktor.key_for_typing(device) in html
    url = reverse("admin:zweiter_faktor_einrichten")
    return device, client.post(url, {"code": code_of(device, step=step)})


def says(response, words):
    return response.status_code == 200 and words in response.content.decode()


# --- Settings ----------------------------------------------------------------------------------


def test_production_turns_it_on_and_the_environment_can_turn_it_off():
    assert '"ZWEITER_FAKTOR": "True"' in production().stdout
    assert '"ZWEITER_FAKTOR": "False"' in production(ZWEITER_FAKTOR="0").stdout


@pytest.mark.parametrize("module", ["base", "test"])
def test_it_is_off_elsewhere(module):
    assert '"ZWEITER_FAKTOR": "False"' in load(f"gwoe.settings.{module}", {}).stdout


def test_off_a_password_is_enough_and_no_page_speaks_of_it(person, settings):
    settings.ZWEITER_FAKTOR = False
    client = password_step()
    assert is_in(client)
    assert "Zweiter Faktor" not in client.get(reverse("admin:index")).content.decode()
    assert client.get(reverse("admin:zweiter_faktor_geraet")).status_code == 404


# --- What a password alone opens -----------------------------------------------------------------

# The log-in itself, its second step, and the way to the first password.
BEFORE = {
    *("login", "logout", "einladung", "zweiter_faktor", "zweiter_faktor_einrichten"),
}


def addresses():
    """Every address of the admin, found by walking its resolver."""

    def below(patterns, prefix):
        for pattern in patterns:
            if isinstance(pattern, URLPattern):
                yield pattern, [*prefix, pattern]
            else:
                yield from below(pattern.url_patterns, [*prefix, pattern])

    for pattern, chain in below(admin.site.urls[0], []):
        route = "".join(str(part.pattern) for part in chain)
        yield pattern.name, "/redaktion/" + plain(route)


def plain(route):
    """With something in each place that takes an argument."""
    route = re.sub(r"\(\?P<app_label>([^)|]+)[^)]*\)", r"\1", route)
    route = re.sub(r"\(\?P<url>[^)]*\)", "irgendwas", route)
    route = re.sub(r"<int:\w+>|<path:\w+>", "1", route)
    return re.sub(r"<\w+:\w+>|<\w+>", "x", route).replace("^", "").replace("$", "")


def test_the_walk_finds_the_desk_and_the_lists():
    found = dict(addresses())
    assert len(found) > 60
    assert {"index", "assessments_pruefauftrag_changelist", "konten_konto_link"} <= found.keys()
    assert found.keys() >= BEFORE
    assert not [url for url in found.values() if set("<>()?") & set(url)]


@pytest.mark.parametrize("way", ["password", "session from before"])
@pytest.mark.parametrize("rights", ["leitung", "superuser"])
def test_no_address_of_the_admin_opens_by_the_password_alone(rights, way):
    root = {"is_superuser": rights == "superuser"}
    person = account("redaktion", "Leitung", **root)
    with_device(person)
    client = password_step() if way == "password" else logged_in(person)
    for name, url in addresses():
        if name in BEFORE:
            continue
        for response in (client.get(url), client.post(url)):
            assert response.status_code in (302, 404, 405), (name, url, response.status_code)
            if response.status_code == 302:
                assert response.url.startswith(reverse("admin:login")), (name, url)


def test_the_same_addresses_open_with_both(person, device):
    """So that the test above does not pass by closed doors alone."""
    boss = account("boss", "Leitung", is_superuser=True)
    client = verified(boss)
    opened = [url for name, url in addresses() if client.get(url).status_code == 200]
    assert len(opened) > 20


def test_who_has_given_the_password_only_is_nobody(person, device):
    client = password_step()
    assert client.answer.url == reverse("admin:zweiter_faktor")
    assert "_auth_user_id" not in client.session
    html = client.get(reverse("admin:login")).content.decode()
    assert "nicht autorisiert" not in html


def test_a_session_from_before_is_asked_again_without_a_riddle(person, device):
    html = logged_in(person).get(reverse("admin:login")).content.decode()
    assert "nicht autorisiert" not in html
    assert 'name="password"' in html


# --- Logging in --------------------------------------------------------------------------------


def test_password_and_code_lead_to_where_one_wanted(person, device):
    wanted = reverse("admin:assessments_pruefauftrag_changelist")
    client = password_step(next=wanted)
    response = code_step(client, code_of(device))
    assert response.url == wanted
    assert is_in(client)


@pytest.mark.parametrize("wanted", ["dorthin", "?seite=2", "admin:index"])
def test_an_address_that_names_no_path_is_no_error(person, device, wanted):
    assert code_step(password_step(next=wanted), code_of(device)).status_code == 302


def test_the_way_leads_to_no_other_site(person, device):
    client = password_step(next="https://boese.example/")
    assert code_step(client, code_of(device)).url == reverse("admin:index")


def test_the_session_gets_a_new_key_at_each_step(person, device):
    client = Client()
    client.get(reverse("admin:login"))
    session = client.session
    session["geplant"] = "ja"
    session.save()
    client.cookies["sessionid"] = planted = session.session_key
    password_step(client=client)
    after_password = client.session.session_key
    assert "geplant" not in client.session
    code_step(client, code_of(device))
    after_code = client.session.session_key
    assert len({planted, after_password, after_code}) == 3
    assert not client.session.exists(planted)
    assert not client.session.exists(after_password)
    assert zweiter_faktor.PENDING not in client.session


def test_a_code_is_taken_once(person, device):
    code = code_of(device)
    assert code_step(password_step(), code).status_code == 302
    again = password_step()
    assert says(code_step(again, code), "Der Code passt nicht")
    assert not is_in(again)


def test_a_code_of_somebody_else_is_not_taken(person, device):
    other, _ = with_device(account("andere"))
    client = password_step()
    code_step(client, code_of(other))
    assert not is_in(client)


def test_the_code_page_is_for_who_has_given_the_right_password(person, device):
    for client in (Client(), password_step(password="falsch")):
        response = code_step(client, code_of(device))
        assert response.url == reverse("admin:login")
        assert not is_in(client)


def test_the_right_password_is_forgotten_after_ten_minutes(person, device, monkeypatch):
    client = password_step()
    monkeypatch.setattr(zweiter_faktor, "PENDING_SECONDS", -1)
    assert code_step(client, code_of(device)).url == reverse("admin:login")
    assert not is_in(client)


@pytest.mark.parametrize("meanwhile", ["password", "closed", "no editor"])
def test_the_first_step_does_not_outlive_a_change(person, device, meanwhile):
    client = password_step()
    if meanwhile == "password":
        person.set_password("ein anderes Kennwort")
    elif meanwhile == "closed":
        person.is_active = False
    else:
        person.is_staff = False
    person.save()
    code_step(client, code_of(device))
    assert not is_in(client)


def test_the_pages_are_not_stored(person, device):
    client = password_step()
    for url in ("admin:zweiter_faktor", "admin:zweiter_faktor_einrichten"):
        response = client.get(reverse(url))
        assert "no-store" in response["Cache-Control"]


# --- Wrong codes -------------------------------------------------------------------------------


def no_throttle(device):
    """As if the moment were over for which the device itself takes nothing."""
    TOTPDevice.objects.filter(pk=device.pk).update(throttling_failure_count=0)


def miss(device, *, times, address=None):
    client = password_step(**({"address": address} if address else {}))
    for _ in range(times):
        no_throttle(device)
        answer = code_step(client, wrong(code_of(device)))
    return client, answer


def test_wrong_codes_count_and_the_right_password_does_not_forgive_them(person, device):
    """Else who has the password could try for ever, four codes at a time."""
    for _ in range(sperre.FREE):
        miss(device, times=1)
    no_throttle(device)
    client = password_step()
    assert says(code_step(client, code_of(device)), "Der nächste geht ab")
    assert not is_in(client)
    rows = Anmeldeversuch.objects.filter(schritt="code", konto=person)
    assert [row.erfolg for row in rows] == [False] * sperre.FREE


def test_from_elsewhere_the_owner_still_gets_in(person, device):
    miss(device, times=sperre.FREE)
    no_throttle(device)
    elsewhere = password_step(address=THERE)
    assert code_step(elsewhere, code_of(device)).status_code == 302
    assert is_in(elsewhere)


def test_without_the_password_nobody_can_hold_up_the_device(person, device):
    for client in (Client(), password_step(password="falsch")):
        for _ in range(3):
            code_step(client, "000000")
    device.refresh_from_db()
    assert device.throttling_failure_count == 0
    assert not Anmeldeversuch.objects.filter(schritt="code").exists()


def test_after_a_wrong_code_the_device_takes_none_for_a_moment(person, device):
    """Whatever the address: many addresses together get no more tries (1, 2, 4 … seconds)."""
    client = password_step()
    code_step(client, wrong(code_of(device)))
    elsewhere = password_step(address=THERE)
    assert says(code_step(elsewhere, code_of(device)), "kurz keinen an")
    assert Anmeldeversuch.objects.filter(schritt="code").count() == 1  # not tried, not counted


def test_a_wrong_recovery_code_does_not_hold_up_the_app(person, device):
    client = password_step()
    assert says(code_step(client, "aaaaa-aaaaa"), "Der Code passt nicht")
    assert code_step(client, code_of(device)).status_code == 302


# --- Setting up --------------------------------------------------------------------------------


def test_who_has_no_device_is_led_to_set_it_up(person):
    client = password_step()
    response = client.get(client.answer.url)
    assert response.url == reverse("admin:zweiter_faktor_einrichten")
    device, shown = set_up_step(client)
    codes = shown.context["codes"]
    assert len(codes) == zweiter_faktor.CODES
    assert all(code in shown.content.decode() for code in codes)
    assert is_in(client)
    assert Kontoereignis.objects.get(konto=person).art == Art.FAKTOR
    again = password_step()
    assert says(code_step(again, code_of(device)), "Der Code passt nicht")  # used for the set-up


def test_nothing_is_stored_before_the_first_right_code(person):
    client = password_step()
    client.get(reverse("admin:zweiter_faktor_einrichten"))
    url = reverse("admin:zweiter_faktor_einrichten")
    assert says(client.post(url, {"code": "000000"}), "Der Code passt nicht")
    assert not TOTPDevice.objects.exists()
    assert not is_in(client)


def test_a_password_alone_puts_away_no_device(person):
    """Two open set-ups of one account: the first one counts."""
    first, second = password_step(), password_step()
    set_up_step(first)
    device = TOTPDevice.objects.get()
    _, response = set_up_step(second)
    assert says(response, "Der Code passt nicht")
    assert TOTPDevice.objects.get() == device
    assert not is_in(second)


def test_the_picture_needs_neither_styles_nor_scripts(person):
    client = password_step()
    html = client.get(reverse("admin:zweiter_faktor_einrichten")).content.decode()
    picture = html[html.index('<svg width="') :].split("</svg>")[0]
    assert picture.count("<path") == 2
    assert "style" not in picture
    assert "data:" not in picture


def test_the_key_is_what_the_app_would_read(person):
    device = TOTPDevice(user=person, name="App")
    assert device.config_url.startswith("otpauth://totp/GW%C3%96-Antragspr%C3%BCfer%3Aredaktion?")
    assert zweiter_faktor.key_for_typing(device).replace(" ", "") in device.config_url
    assert current.OTP_TOTP_ISSUER == current.SITE_NAME


def test_an_account_has_one_device(person, device):
    with pytest.raises(IntegrityError), transaction.atomic():
        TOTPDevice.objects.create(user=person, name="zweites", confirmed=True)


# --- Recovery codes and another device ---------------------------------------------------------


def test_a_recovery_code_logs_in_once_and_is_recorded(person):
    _, codes = with_device(person)
    client = password_step()
    assert code_step(client, codes[0].upper().replace("-", " ")).status_code == 302
    assert "es bleiben 9" in client.get(reverse("admin:index")).content.decode()
    assert Kontoereignis.objects.filter(konto=person, art=Art.NOTFALL).count() == 1
    again = password_step()
    code_step(again, codes[0])
    assert not is_in(again)


def test_recovery_codes_are_stored_as_hashes(person):
    _, codes = with_device(person)
    stored = set(StaticToken.objects.values_list("token", flat=True))
    assert len(stored) == len(codes)
    assert not stored & {code.replace("-", "") for code in codes}


def test_another_device_asks_for_the_password_and_ends_the_old_one(person, device):
    client = verified(person)
    url = reverse("admin:zweiter_faktor_geraet")
    assert says(client.post(url, {"passwort": "falsch"}), "stimmt nicht")
    assert client.get(reverse("admin:zweiter_faktor_einrichten")).url == reverse("admin:login")
    assert client.post(url, {"passwort": PASSWORD}).status_code == 302
    assert TOTPDevice.objects.get() == device  # until the new one has shown that it works
    _, shown = set_up_step(client)
    assert shown.context["codes"]
    assert TOTPDevice.objects.get() != device
    assert StaticToken.objects.count() == zweiter_faktor.CODES
    assert is_in(client)


# --- A lost device -----------------------------------------------------------------------------


@pytest.fixture
def leitung():
    return account("leitung", "Leitung")


def reset_by_form(by, konto):
    return verified(by).post(reverse("admin:konten_konto_faktor", args=[konto.pk]))


def test_leitung_resets_the_factor_of_somebody_else(leitung, person, device):
    session = verified(person)
    reset_by_form(leitung, person)
    assert not TOTPDevice.objects.filter(user=person).exists()
    assert not is_in(session)
    event = Kontoereignis.objects.get(konto=person)
    assert (event.art, event.durch) == (Art.ZURUECKGESETZT, leitung)
    client = password_step()
    set_up_step(client)
    assert is_in(client)


def test_nobody_resets_their_own_or_that_of_who_may_more(leitung):
    root = account("root", is_superuser=True)
    with_device(root)
    client = verified(leitung)
    for target in (leitung, root):
        client.post(reverse("admin:konten_konto_faktor", args=[target.pk]))
        assert TOTPDevice.objects.filter(user=target).exists()
    assert not Kontoereignis.objects.filter(art=Art.ZURUECKGESETZT).exists()


def test_resetting_is_a_permission_of_its_own(person, device):
    half = account("halbe", "Redaktion")
    half.user_permissions.set(Permission.objects.filter(codename__in=["invite", "view_konto"]))
    assert reset_by_form(half, person).status_code == 403
    assert TOTPDevice.objects.filter(user=person).exists()


def test_resetting_is_no_get(leitung, person, device):
    url = reverse("admin:konten_konto_faktor", args=[person.pk])
    assert verified(leitung).get(url).status_code == 405


def test_one_person_cannot_give_away_the_password_and_take_off_the_factor(leitung, person, device):
    """Else one of the Leitung could be two people."""
    einladungen.issue_link(person, by=leitung)
    with pytest.raises(NichtErlaubt):
        zweiter_faktor.reset(person, by=leitung)
    other = account("zweite.leitung", "Leitung")
    assert zweiter_faktor.reset(person, by=other)
    with pytest.raises(NichtErlaubt):
        einladungen.issue_link(person, by=other)


def test_after_a_month_one_person_may_do_both(leitung, person, device):
    long_ago = timezone.now() - einladungen.GETRENNT - timedelta(days=1)
    Kontoereignis.objects.create(konto=person, art=Art.LINK, durch=leitung, zeitpunkt=long_ago)
    assert zweiter_faktor.reset(person, by=leitung)


def test_a_new_password_by_link_does_not_take_off_the_factor(leitung, person, device):
    secret = einladungen.issue_link(person, by=leitung)
    einladungen.redeem(einladungen.find(secret), "ein ganz neues Kennwort")
    client = password_step(password="ein ganz neues Kennwort")
    assert not is_in(client)
    assert says(client.get(client.answer.url), "Code")
    assert TOTPDevice.objects.filter(user=person).exists()


def test_the_operator_resets_a_lost_one_at_the_command_line():
    root = account("root", is_superuser=True)
    with_device(root)
    out = StringIO()
    call_command("reset_zweiter_faktor", "root", stdout=out)
    assert "Zurückgesetzt" in out.getvalue()
    event = Kontoereignis.objects.get(konto=root)
    assert (event.art, event.durch) == (Art.ZURUECKGESETZT, None)
    for name in ("root", "niemand"):
        with pytest.raises(CommandError):
            call_command("reset_zweiter_faktor", name, stdout=out)


# --- Everybody else ----------------------------------------------------------------------------


@pytest.mark.parametrize("url", ["/", "/methodik/", "/api/v1/status", "/robots.txt"])
def test_visitors_are_not_touched(url, settings):
    """No query, no cookie, no Vary on account of it."""

    def seen(on):
        settings.ZWEITER_FAKTOR = on
        client = Client()
        with CaptureQueriesContext(connection) as queries:
            response = client.get(url)
        return response.status_code, len(queries), dict(client.cookies), response.get("Vary")

    seen(True)  # what a process asks once
    status, queries, cookies, vary = seen(True)
    assert (status, queries, cookies, vary) == seen(False)
    assert cookies == {}
    assert "Cookie" not in (vary or "")


def test_the_middleware_asks_nothing_for_visitors(rf, django_assert_num_queries):
    request = rf.get("/")
    request.user, request.session = AnonymousUser(), SessionStore()
    with django_assert_num_queries(0):
        OTPMiddleware(lambda r: r.user.is_authenticated)(request)
