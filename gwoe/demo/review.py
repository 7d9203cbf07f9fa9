"""What the editors of the demo do: two people, and one assessment taken to the public."""

import secrets
from dataclasses import dataclass

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group

from assessments.models import Assessment, Sichtung
from parlamente.models import Antrag

GROUPS = {"redaktion": "Freigabe", "leitung": "Leitung"}


@dataclass(frozen=True)
class Zugang:
    username: str
    password: str
    group: str


def create_logins() -> list[Zugang]:
    """Two editors with random passwords, new ones at every start."""
    logins = []
    for username, group in GROUPS.items():
        password = secrets.token_urlsafe(9)
        person, _ = get_user_model().objects.get_or_create(username=username)
        person.is_staff = True
        person.set_password(password)
        person.save()
        person.groups.set([Group.objects.get(name=group)])
        logins.append(Zugang(username, password, group))
    return logins


def publish_if_clean(antrag: Antrag) -> Assessment | None:
    """Approves and publishes what is in review without open evidence, by two people."""
    assessment = antrag.assessments.filter(status=Assessment.Status.IN_REVIEW).first()
    if assessment is None or assessment.belege.offen().exists():
        return None
    people = get_user_model().objects
    approver = people.get(username="redaktion")
    for beleg in assessment.belege.all():  # as if they had opened each one on the desk
        Sichtung.record(beleg, by=approver)
    assessment.approve(by=approver, note="Vorführung")
    assessment.publish(by=people.get(username="leitung"), note="Vorführung")
    return assessment
