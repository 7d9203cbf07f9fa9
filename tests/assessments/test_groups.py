"""What each group of the editors may do (manage.py setup_groups)."""

import pytest
from django.contrib.auth.models import Group
from django.core.management import call_command
from django.urls import reverse

from parlamente.models import Antrag
from programme.models import Programm
from tests.parlamente.factories import AntragFactory, ParteiFactory
from tests.programme.factories import ChunkFactory

from .factories import AssessmentFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def member(client):
    """Logs a member of this group in."""
    call_command("setup_groups", verbosity=0)

    def log_in(group):
        person = UserFactory()
        person.groups.add(Group.objects.get(name=group))
        client.force_login(person)
        return client

    return log_in


def delete(client, row):
    url = reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_delete", args=[row.pk])
    return client.post(url, {"post": "yes"})


def test_leitung_deletes_what_nothing_refers_to(member):
    client = member("Leitung")
    antrag = AntragFactory(einbringende=[ParteiFactory()], mit_text=True)
    programm = ChunkFactory().programm
    assert delete(client, programm).status_code == 302
    assert delete(client, antrag).status_code == 302
    assert not Programm.objects.filter(pk=programm.pk).exists()
    assert not Antrag.objects.filter(pk=antrag.pk).exists()


def test_what_an_assessment_refers_to_stays(member):
    client = member("Leitung")
    assessment = AssessmentFactory()
    programm = assessment.vergleiche.exclude(programm=None).get().programm
    for row in (programm, assessment.antrag):
        delete(client, row)
        assert type(row).objects.filter(pk=row.pk).exists()


@pytest.mark.parametrize("group", ["Redaktion", "Freigabe"])
def test_nobody_else_deletes(member, group):
    client = member(group)
    for row in (AntragFactory(), ChunkFactory().programm):
        assert delete(client, row).status_code == 403
