"""The steps of the whole assessment, each one verb of the model behind one permission."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.views.decorators.http import require_POST

from assessments.models import Assessment, InvalidTransition
from assessments.risiko import by_risk

from .rahmen import (
    APPROVE,
    PUBLISH,
    REVIEW,
    desk_url,
    kept_note,
    queue,
    require,
    small_int,
    take_if_free,
)

QuerySource = Callable[[], Any]


def _drafts() -> Any:
    return Assessment.objects.filter(status=Assessment.Status.DRAFT)


# Verb of the address: permission, where the assessment must lie, the domain verb, what to say.
SCHRITTE: dict[str, tuple[str, QuerySource, Callable[..., None], str]] = {
    "einreichen": (REVIEW, _drafts, Assessment.submit, "liegt in der Warteschlange"),
    "freigeben": (APPROVE, queue, Assessment.approve, "ist freigegeben"),
    "ablehnen": (APPROVE, queue, Assessment.reject, "ist abgelehnt"),
    "zurueck": (APPROVE, queue, Assessment.return_to_draft, "ist wieder ein Entwurf"),
    "veroeffentlichen": (PUBLISH, queue, Assessment.publish, "ist veröffentlicht"),
    "zurueckziehen": (
        PUBLISH,
        Assessment.objects.readable,
        Assessment.withdraw,
        "ist zurückgezogen",
    ),
}


@require_POST
def schritt(request: HttpRequest, pk: int, verb: str) -> HttpResponse:
    """One verb of the whole assessment, then on to the next one of the queue."""
    if verb not in SCHRITTE:
        raise Http404
    permission, source, move, done = SCHRITTE[verb]
    require(request, permission)
    assessment = source().filter(pk=pk).first()
    if assessment is None:
        return _not_now(request, pk)
    seen = small_int(request.POST.get("gesehen", ""))
    try:
        with transaction.atomic():
            assessment.require_as_seen(seen or 0)
            move(assessment, by=request.user, note=request.POST.get("note", "").strip())
    except InvalidTransition as error:
        messages.error(request, kept_note(str(error), request))
        return HttpResponseRedirect(page_of(assessment))
    messages.success(request, f"{assessment} {done}.")
    return HttpResponseRedirect(_after_step(assessment, verb, request.user))


def _not_now(request: HttpRequest, pk: int) -> HttpResponse:
    """Somebody was faster, or the same button was pressed twice."""
    assessment = get_object_or_404(Assessment, pk=pk)
    label = assessment.get_status_display()
    messages.error(request, f"Das geht nicht mehr: {assessment} ist {label}.")
    return HttpResponseRedirect(page_of(assessment))


def page_of(assessment: Assessment) -> str:
    if Assessment.objects.to_review().filter(pk=assessment.pk).exists():
        return desk_url("pruefen", assessment.pk)
    return reverse("admin:assessments_assessment_change", args=[assessment.pk])


def _after_step(assessment: Assessment, verb: str, person: Any) -> str:
    """The next by risk that nobody else has leased; opened by this step, it is leased by it."""
    if verb in ("einreichen", "zurueckziehen"):
        return page_of(assessment)
    free = Assessment.objects.to_review().free_for(person)
    waiting = by_risk(free.exclude(pk=assessment.pk))
    alike = {
        "veroeffentlichen": Assessment.Status.APPROVED,
    }.get(verb, Assessment.Status.IN_REVIEW)
    following = waiting.filter(status=alike).first() or waiting.first()
    if following:
        if person.has_perm(REVIEW):
            take_if_free(following, person)
        return desk_url("pruefen", following.pk)
    return reverse("admin:assessments_pruefauftrag_changelist")
