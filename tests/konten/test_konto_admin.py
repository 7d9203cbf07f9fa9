"""What the Leitung can do with accounts is no way around: neither for themselves nor for others."""

import pytest
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group, Permission, User
from django.urls import NoReverseMatch, reverse
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from konten.models import Kontoereignis

from .factories import PASSWORD, account, is_in, logged_in, password_step

pytestmark = pytest.mark.django_db


@pytest.fixture
def person():
    return account("redaktion", "Redaktion")


def change(by, konto, **given):
    given = {"is_active": "on", "groups": [g.pk for g in konto.groups.all()], **given}
    inline = {"ereignisse-TOTAL_FORMS": 0, "ereignisse-INITIAL_FORMS": 0}
    url = reverse("admin:konten_konto_change", args=[konto.pk])
    return logged_in(by).post(url, {**inline, **given})


def now(konto):
    return get_user_model().objects.get(pk=konto.pk)


def pk_of(name):
    return Group.objects.get(name=name).pk


def test_djangos_own_form_of_users_and_the_keys_of_devices_are_gone():
    assert not {User, TOTPDevice, StaticDevice} & admin.site._registry.keys()
    for name in ("auth_user_password_change", "auth_user_change", "otp_totp_totpdevice_config"):
        with pytest.raises(NoReverseMatch):
            reverse(f"admin:{name}", args=[1])


def test_leitung_changes_groups_and_names_and_it_is_recorded(leitung, person):
    given = {"first_name": "Rita", "groups": [pk_of("Freigabe")]}
    assert change(leitung, person, **given).status_code == 302
    assert now(person).first_name == "Rita"
    assert [group.name for group in person.groups.all()] == ["Freigabe"]
    event = Kontoereignis.objects.get(konto=person)
    assert (event.art, event.durch) == (Kontoereignis.Art.GEAENDERT, leitung)
    assert event.vermerk == "Zugang; Gruppen: Freigabe"


def test_a_closed_account_is_out_at_once(leitung, person):
    session = password_step()
    assert is_in(session)
    change(leitung, person, is_active="")
    assert not is_in(session)
    assert not is_in(password_step())


def test_nothing_more_can_be_sent_along(leitung, person):
    before = now(person).password
    rights = list(Permission.objects.values_list("pk", flat=True)[:5])
    change(
        leitung,
        person,
        is_superuser="on",
        password="x",
        password1=PASSWORD,
        password2=PASSWORD,
        username="anders",
        user_permissions=rights,
    )
    after = now(person)
    assert not after.is_superuser
    assert (after.password, after.username) == (before, "redaktion")
    assert not after.user_permissions.exists()


def test_nobody_changes_their_own_account(leitung):
    assert change(leitung, leitung, groups=[]).status_code == 403
    assert leitung.groups.exists()
    root = account("root", is_superuser=True)
    assert change(root, root, is_active="").status_code == 403
    assert now(root).is_active


def test_nobody_changes_an_account_that_may_more(leitung):
    root = account("root", is_superuser=True)
    assert change(leitung, root, is_active="").status_code == 403
    assert now(root).is_active


def test_nobody_gives_a_group_that_may_more(leitung, person):
    above = Group.objects.create(name="Technik")
    above.permissions.add(Permission.objects.get(codename="delete_group"))
    response = change(leitung, person, groups=[above.pk])
    assert response.context["adminform"].form.errors["groups"]
    assert [group.name for group in person.groups.all()] == ["Redaktion"]


@pytest.mark.parametrize("name", ["Redaktion", "Freigabe"])
def test_others_see_no_accounts(name, person):
    client = logged_in(account("andere", name))
    for model in ("konto", "einladung", "kontoereignis"):
        assert client.get(reverse(f"admin:konten_{model}_changelist")).status_code == 403
    for verb in ("link", "faktor"):
        url = reverse(f"admin:konten_konto_{verb}", args=[person.pk])
        assert client.post(url).status_code == 403


def test_leitung_cannot_give_groups_other_rights(leitung):
    client = logged_in(leitung)
    for url in (reverse("admin:auth_group_changelist"), reverse("admin:auth_group_add")):
        assert client.get(url).status_code == 403


def test_nobody_deletes_or_adds_accounts_by_the_admin(person):
    root = logged_in(account("root", is_superuser=True))
    assert root.post(reverse("admin:konten_konto_delete", args=[person.pk])).status_code == 403
    assert root.get(reverse("admin:konten_konto_add")).status_code == 403


def test_a_superuser_sees_what_happened_to_an_account(leitung, person):
    change(leitung, person, is_active="")
    root = logged_in(account("root", is_superuser=True))
    html = root.get(reverse("admin:konten_konto_change", args=[person.pk])).content.decode()
    assert "gesperrt; Gruppen: Redaktion" in html


def test_lists_ask_the_same_number_of_queries_however_long(leitung, django_assert_max_num_queries):
    for number in range(8):
        account(f"person-{number}", "Redaktion")
    client = logged_in(leitung)
    with django_assert_max_num_queries(12):
        client.get(reverse("admin:konten_konto_changelist"))


def test_the_list_cannot_be_asked_for_a_passwords_hash(leitung, person):
    """As a filter in the address: letter by letter."""
    client, url = logged_in(leitung), reverse("admin:konten_konto_changelist")
    for lookup in ("password", "password__startswith", "password__regex"):
        assert client.get(url, {lookup: person.password}).status_code == 400, lookup
    einladungen = reverse("admin:konten_einladung_changelist")
    assert client.get(einladungen, {"konto__password__startswith": "m"}).status_code == 400
