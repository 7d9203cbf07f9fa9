"""What stands on the start page of the admin: what waits and why, and how good the drafts are."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from assessments.desk.rahmen import ANY, liste
from assessments.models import Assessment, Eigenurteil
from assessments.risiko import count_risks
from assessments.statistik import recent_bilanzen
from assessments.zweifel import pruefbericht
from meldungen.schlange import OffeneMeldungen, may_look


@dataclass(frozen=True)
class Zahl:
    anzahl: int
    wort: str
    url: str


NOTHING: dict[str, Any] = {
    "zahlen": [],
    "gruende": [],
    "pruefbericht": None,
    "eigenurteile": [],
    "bilanzen": None,
}


def uebersicht(request: HttpRequest) -> dict[str, Any]:
    """For the template; of assessments and of reports only what this person may look at."""
    may_look_at_assessments = any(request.user.has_perm(permission) for permission in ANY)
    context = _assessments() if may_look_at_assessments else NOTHING
    hinweise = _hinweise() if may_look(request.user) else []
    return {**context, "zahlen": [*context["zahlen"], *hinweise]}


def _assessments() -> dict[str, Any]:
    return {
        "zahlen": _zahlen(),
        "gruende": _gruende(),
        "pruefbericht": pruefbericht(),
        "eigenurteile": Eigenurteil.objects.agreement(),
        "bilanzen": recent_bilanzen(),
    }


def _zahlen() -> list[Zahl]:
    """What waits in the queue."""
    queue = Assessment.objects.to_review()
    address = reverse("admin:assessments_pruefauftrag_changelist")
    return [
        Zahl(queue.count(), "in der Warteschlange", address),
        Zahl(queue.with_open_evidence().count(), "mit offenen Belegen", f"{address}?zustand=offen"),
        Zahl(
            queue.ready_to_approve().count(), "bereit zur Freigabe", f"{address}?zustand=freigabe"
        ),
        Zahl(
            queue.ready_to_publish().count(),
            "warten auf Veröffentlichung",
            f"{address}?zustand=wartet",
        ),
    ]


def _gruende() -> list[Zahl]:
    """How many of the queue have each reason for a close look."""
    counts = count_risks(Assessment.objects.to_review())
    return [Zahl(number, risiko.label, liste(risiko)) for risiko, number in counts.items()]


def _hinweise() -> list[Zahl]:
    """How many reports of readers wait; they stand above the queue."""
    address = reverse("admin:assessments_pruefauftrag_changelist")
    number = OffeneMeldungen.count()
    words = "offener Hinweis" if number == 1 else "offene Hinweise"
    return [Zahl(number, f"{words} aus der Leserschaft", address)]
