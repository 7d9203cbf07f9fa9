"""The way into the desk."""

import pytest
from django.urls import reverse

from tests.assessments.factories import UserFactory

pytestmark = pytest.mark.django_db
PASSWORD = "ein langes Kennwort"


def refusal(client, name, password):
    response = client.post(reverse("admin:login"), {"username": name, "password": password})
    assert response.status_code == 200
    return list(response.context["form"].non_field_errors())


def test_every_refused_login_gets_the_same_plain_sentence(client):
    for name, fields in {"redaktion": {}, "gast": {"visitor": True}}.items():
        person = UserFactory(username=name, **fields)
        person.set_password(PASSWORD)
        person.save()
    refusals = [
        refusal(client, "redaktion", "falsch"),
        refusal(client, "gast", PASSWORD),
        refusal(client, "niemand", PASSWORD),
    ]
    assert refusals[0] == refusals[1] == refusals[2]
    assert "nicht zur Redaktion" in refusals[0][0]
    assert "Staff" not in refusals[0][0]
    login = {"username": "redaktion", "password": PASSWORD}
    assert client.post(reverse("admin:login"), login).status_code == 302


def test_the_desk_has_an_icon_and_no_list_that_stays_empty(admin_client):
    html = admin_client.get(reverse("admin:index")).content.decode()
    assert 'rel="icon"' in html
    assert "Neueste Aktionen" not in html
