"""Accounts are made by a link that somebody passes on: once, for a while, and recorded."""

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group, Permission
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from konten import einladungen, sperre
from konten.models import Anmeldeversuch, Einladung, Kontoereignis
from konten.rechte import NichtErlaubt
from konten.zugang import change_access

from .factories import HERE, THERE, account, is_in, logged_in, password_step

pytestmark = pytest.mark.django_db
NEW = "ein ganz neues Kennwort"
Zustand, Art = Einladung.Zustand, Kontoereignis.Art


def group(name):
    return Group.objects.get(name=name)


def invited(by, username="neue.person", *groups_):
    return einladungen.invite(username, by=by, groups=[group(g) for g in groups_ or ("Redaktion",)])


def redeem(secret, *, password=NEW, address=HERE, client=None):
    given = {"code": secret, "new_password1": password, "new_password2": password}
    return (client or Client()).post(reverse("admin:einladung"), given, REMOTE_ADDR=address)


def is_refused(response):
    return response.status_code == 200 and "Dieser Link gilt nicht" in response.content.decode()


def is_redeemed(response):
    return response.status_code == 302 and response.url == reverse("admin:login")


@pytest.fixture
def run_out(settings):
    """An invitation that is over when it begins."""

    def _run_out(by, username):
        settings.EINLADUNG_STUNDEN, hours = 0, settings.EINLADUNG_STUNDEN
        _, secret = invited(by, username)
        settings.EINLADUNG_STUNDEN = hours
        return secret

    return _run_out


# --- Inviting ----------------------------------------------------------------------------------


def invite_by_form(person, username="neue.person", groups=("Redaktion",), **more):
    given = {"username": username, "groups": [group(name).pk for name in groups], **more}
    return logged_in(person).post(reverse("admin:konten_einladung_add"), given)


def link_in(response):
    (link,) = re.findall(r'<code class="geheim">([^<]+)</code>', response.content.decode())
    return link


def test_the_whole_way_from_the_form_to_the_desk(leitung):
    shown = invite_by_form(leitung, first_name="Neue", last_name="Person")
    address, secret = link_in(shown).split("#")
    assert address == "http://testserver" + reverse("admin:einladung")
    client = Client()
    named = client.post(reverse("admin:einladung"), {"code": secret}).content.decode()
    assert "neue.person" in named
    assert is_redeemed(redeem(secret, client=client))
    assert is_in(password_step("neue.person", password=NEW))
    konto = get_user_model().objects.get(username="neue.person")
    assert konto.get_full_name() == "Neue Person"
    assert (konto.is_staff, konto.is_superuser) == (True, False)
    assert [g.name for g in konto.groups.all()] == ["Redaktion"]
    events = konto.ereignisse.order_by("pk").values_list("art", "durch")
    assert list(events) == [(Art.EINGELADEN, leitung.pk), (Art.EINGELOEST, None)]


def test_the_link_is_shown_once_and_only_its_hash_is_stored(leitung):
    secret = link_in(invite_by_form(leitung)).split("#")[1]
    assert secret not in str(Einladung.objects.values()) + str(Kontoereignis.objects.values())
    client = logged_in(leitung)
    for url in ("changelist", "change"):
        pk = [Einladung.objects.get().pk] if url == "change" else []
        html = client.get(reverse(f"admin:konten_einladung_{url}", args=pk)).content.decode()
        assert secret not in html
        assert "neue.person" in html


def test_nobody_can_log_in_before_the_link_is_redeemed(leitung):
    konto, _ = invited(leitung)
    assert not konto.has_usable_password()
    for guess in ("", "!", konto.password, NEW):
        assert not is_in(password_step("neue.person", password=guess))


@pytest.mark.parametrize("name", ["Redaktion", "Freigabe"])
def test_only_the_leitung_invites(name):
    person = account("andere", name)
    assert invite_by_form(person).status_code == 403
    assert logged_in(person).get(reverse("admin:konten_einladung_add")).status_code == 403
    assert not get_user_model().objects.filter(username="neue.person").exists()


def test_nobody_invites_into_a_group_that_may_more(leitung):
    """By form and by verb; also where the inviter has most of its permissions."""
    above = Group.objects.create(name="Technik")
    above.permissions.set([*group("Leitung").permissions.all(), permission("delete_group")])
    response = invite_by_form(leitung, groups=("Redaktion", "Technik"))
    assert response.context["form"].errors["groups"]
    with pytest.raises(NichtErlaubt):
        einladungen.invite("neue.person", by=leitung, groups=[above])
    assert not get_user_model().objects.filter(username="neue.person").exists()
    half = account("halbe")
    half.user_permissions.set([permission("invite"), permission("view_einladung")])
    with pytest.raises(NichtErlaubt):
        einladungen.invite("neue.person", by=half, groups=[group("Redaktion")])


def permission(codename):
    return Permission.objects.get(codename=codename)


def test_an_invitation_makes_no_superuser(leitung):
    invite_by_form(leitung, is_superuser="on", user_permissions=[permission("delete_group").pk])
    konto = get_user_model().objects.get(username="neue.person")
    assert not konto.is_superuser
    assert not konto.user_permissions.exists()


def test_names_that_differ_in_capitals_or_width_only_are_one(leitung):
    account("anna")
    for name in ("Anna", "\uff21NNA"):  # a wide A, which is stored as a plain one
        assert invite_by_form(leitung, name).context["form"].errors["username"]


def test_an_invitation_needs_a_group(leitung):
    assert invite_by_form(leitung, groups=()).context["form"].errors["groups"]


# --- Redeeming ---------------------------------------------------------------------------------


def test_a_link_is_used_once(leitung):
    konto, secret = invited(leitung)
    assert is_redeemed(redeem(secret))
    assert is_refused(redeem(secret, password="noch ein anderes Kennwort"))
    assert get_user_model().objects.get(pk=konto.pk).check_password(NEW)


def test_a_link_ends_with_its_time(leitung, settings, run_out):
    settings.EINLADUNG_STUNDEN = 5
    invited(leitung)
    einladung = Einladung.objects.get()
    assert einladung.gueltig_bis - einladung.ausgestellt_am == timedelta(hours=5)
    assert is_refused(redeem(run_out(leitung, "zu.spaet")))
    assert Einladung.objects.get(konto__username="zu.spaet").zustand == Zustand.ABGELAUFEN


def test_a_revoked_link_ends_at_once(leitung):
    _, secret = invited(leitung)
    url = reverse("admin:konten_einladung_widerrufen", args=[Einladung.objects.get().pk])
    assert logged_in(leitung).get(url).status_code == 405
    logged_in(leitung).post(url)
    assert Einladung.objects.get().zustand == Zustand.WIDERRUFEN
    assert is_refused(redeem(secret))
    assert Kontoereignis.objects.filter(art=Art.WIDERRUFEN, durch=leitung).count() == 1


def test_a_new_link_ends_the_old_one(leitung):
    konto, old = invited(leitung)
    response = logged_in(leitung).post(reverse("admin:konten_konto_link", args=[konto.pk]))
    new = link_in(response).split("#")[1]
    assert is_refused(redeem(old))
    assert is_redeemed(redeem(new))


def test_every_refusal_has_the_same_words(leitung, run_out):
    """Unknown, used, run out, revoked, of a closed account, of somebody who left."""
    _, used = invited(leitung, "eins")
    redeem(used)
    late = run_out(leitung, "zwei")
    _, revoked = invited(leitung, "drei")
    einladungen.revoke(Einladung.objects.get(konto__username="drei"), by=leitung)
    closed_konto, closed = invited(leitung, "vier")
    get_user_model().objects.filter(pk=closed_konto.pk).update(is_active=False)
    gone = account("gegangen", "Leitung")
    _, of_gone = invited(gone, "fuenf")
    get_user_model().objects.filter(pk=gone.pk).update(is_active=False)
    pages = set()
    for number, secret in enumerate(("x" * 43, used, late, revoked, closed, of_gone)):
        response = redeem(secret, address=f"192.0.2.{number}")
        assert is_refused(response)
        pages.add(re.sub(r'value="[^"]*"', "", response.content.decode()))
    assert len(pages) == 1


def test_opening_the_link_changes_nothing(leitung, django_assert_num_queries):
    """A preview in a messenger opens it, and sends nothing that stands behind the #."""
    _, secret = invited(leitung)
    client = Client()
    with django_assert_num_queries(0):
        response = client.get(reverse("admin:einladung"))
    assert "sessionid" not in client.cookies
    assert response.status_code == 200
    assert is_redeemed(redeem(secret))


def test_the_pages_are_stored_nowhere_and_tell_no_other_site(leitung):
    konto, secret = invited(leitung)
    boss = logged_in(leitung)
    for response in (
        Client().get(reverse("admin:einladung")),
        Client().post(reverse("admin:einladung"), {"code": secret}),
        invite_by_form(leitung, "andere.person"),
        boss.post(reverse("admin:konten_konto_link", args=[konto.pk])),
    ):
        assert response.status_code == 200
        assert "no-store" in response["Cache-Control"]
        assert response["Referrer-Policy"] == "same-origin"


def test_the_secret_stands_in_no_address_that_a_server_logs(leitung, caplog):
    link = link_in(invite_by_form(leitung))
    _, secret = link.split("#")
    client = Client()
    client.post(reverse("admin:einladung"), {"code": secret})
    response = redeem(secret, client=client)
    assert secret not in response.url
    assert secret not in caplog.text


def test_the_password_must_be_a_good_one(leitung):
    konto, secret = invited(leitung)
    for bad in ("kurz", "1qaz2wsx3edc", "neue.person1"):
        response = redeem(secret, password=bad)
        assert response.context["form"].errors
    assert not get_user_model().objects.get(pk=konto.pk).has_usable_password()
    assert is_redeemed(redeem(secret))


def test_guessing_links_gets_slow_for_whoever_guesses(leitung):
    _, secret = invited(leitung)
    for number in range(sperre.FREE):
        assert is_refused(redeem(f"geraten-{number}"))
    assert "Der nächste geht ab" in redeem(secret).content.decode()
    assert is_redeemed(redeem(secret, address=THERE))
    assert not [row for row in Anmeldeversuch.objects.values() if "geraten" in str(row)]


def test_guessing_links_locks_nobody_out_of_the_log_in():
    account("redaktion")
    for number in range(sperre.FREE):
        redeem(f"geraten-{number}")
    assert is_in(password_step())


@pytest.mark.django_db(transaction=True)
def test_of_two_at_once_one_sets_the_password():
    call_command("setup_groups", verbosity=0)
    konto, secret = invited(account("leitung", "Leitung"))
    einladung = einladungen.find(secret)

    def take(password):
        try:
            return einladungen.redeem(einladung, password)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        outcome = dict(zip("ab", pool.map(take, ("Kennwort a", "Kennwort b")), strict=True))
    assert sorted(outcome.values()) == [False, True]
    (winner,) = [letter for letter, took in outcome.items() if took]
    assert get_user_model().objects.get(pk=konto.pk).check_password(f"Kennwort {winner}")


@pytest.mark.django_db(transaction=True)
def test_two_who_do_something_to_each_other_at_once_do_not_wait_for_each_other():
    """The record of each names both accounts."""
    call_command("setup_groups", verbosity=0)
    one, other = account("eine", "Leitung"), account("andere", "Leitung")

    def other_way_round():
        try:
            return einladungen.issue_link(one, by=other)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool, transaction.atomic():
        einladungen.locked(other)
        assert pool.submit(other_way_round).result(timeout=20)
        assert einladungen.issue_link(other, by=one)


# --- A forgotten password ----------------------------------------------------------------------


def test_a_link_for_a_forgotten_password_ends_every_session(leitung):
    person = account("redaktion", "Redaktion")
    session = password_step()
    assert is_in(session)
    secret = einladungen.issue_link(person, by=leitung)
    assert Einladung.objects.get().zweck == Einladung.Zweck.PASSWORT
    assert is_in(session)  # nothing happens before it is redeemed
    assert is_redeemed(redeem(secret))
    assert not is_in(session)
    assert is_in(password_step(password=NEW))


@pytest.mark.parametrize("who", ["superuser", "above", "self"])
def test_nobody_gets_a_link_to_an_account_that_may_more(leitung, who):
    above = account("technik", "Leitung")
    above.user_permissions.add(permission("delete_group"))
    target = {
        "superuser": account("root", is_superuser=True),
        "above": above,
        "self": leitung,
    }[who]
    client = logged_in(leitung)
    response = client.post(reverse("admin:konten_konto_link", args=[target.pk]))
    assert response.status_code == 302
    assert not Einladung.objects.exists()


def test_a_closed_account_with_many_rights_does_not_look_harmless(leitung):
    """Django says of an inactive account that it has no permissions at all."""
    above = account("technik", is_active=False)
    above.user_permissions.add(permission("delete_group"))
    with pytest.raises(NichtErlaubt):
        change_access(above, by=leitung, groups=[], is_active=True)


def test_links_end_where_groups_or_access_change(leitung):
    person, other = account("redaktion", "Redaktion"), account("zweite", "Leitung")
    secret = einladungen.issue_link(person, by=other)
    change_access(other, by=leitung, groups=[group("Redaktion")], is_active=True)
    assert is_refused(redeem(secret))
    secret = einladungen.issue_link(person, by=leitung)
    change_access(person, by=leitung, groups=[group("Freigabe")], is_active=True)
    assert is_refused(redeem(secret))


# --- What the database keeps -------------------------------------------------------------------


def refused_by_the_database(action):
    with pytest.raises(IntegrityError), transaction.atomic():
        action()


def test_what_was_issued_and_done_cannot_be_changed(leitung):
    konto, secret = invited(leitung)
    links, events = Einladung.objects.all(), Kontoereignis.objects.all()
    later = timezone.now() + timedelta(days=9)
    refused_by_the_database(lambda: links.update(gueltig_bis=later))
    refused_by_the_database(lambda: links.update(pruefsumme="0" * 64))
    refused_by_the_database(lambda: links._raw_delete(links.db))
    refused_by_the_database(lambda: links.update(eingeloest_am=later))
    refused_by_the_database(lambda: events.update(durch=konto))
    refused_by_the_database(lambda: events._raw_delete(events.db))
    redeem(secret)
    refused_by_the_database(lambda: links.update(eingeloest_am=None))
    refused_by_the_database(lambda: links.update(widerrufen_am=timezone.now()))


def test_an_account_has_one_open_link(leitung):
    konto, _ = invited(leitung)
    refused_by_the_database(lambda: einladungen._issue(konto, by=leitung))


# --- The list ----------------------------------------------------------------------------------


def test_the_list_finds_each_state(leitung, run_out):
    invited(leitung, "offen")
    redeem(invited(leitung, "eingeloest")[1])
    invited(leitung, "widerrufen")
    einladungen.revoke(Einladung.objects.get(konto__username="widerrufen"), by=leitung)
    run_out(leitung, "abgelaufen")
    run_out(leitung, "ersetzt")
    einladungen.issue_link(get_user_model().objects.get(username="ersetzt"), by=leitung)
    client = logged_in(leitung)
    found = {}
    for zustand in Zustand:
        url = reverse("admin:konten_einladung_changelist")
        rows = client.get(url, {"zustand": zustand}).context["cl"].queryset
        found[zustand.value] = sorted(row.konto.username for row in rows)
        assert {row.zustand for row in rows} == {zustand}
    assert found == {
        "offen": ["ersetzt", "offen"],
        "eingeloest": ["eingeloest"],
        "abgelaufen": ["abgelaufen", "ersetzt"],
        "widerrufen": ["widerrufen"],
    }
