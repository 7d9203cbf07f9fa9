"""The steps of the whole assessment, each one verb of the model behind one permission."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.html import format_html
from django.views.decorators.http import require_POST

from assessments.addresses import readable_address
from assessments.models import Assessment, InvalidTransition
from assessments.risiko import by_risk
from assessments.tasks import enqueue_assessment

from .editing import as_text
from .rahmen import (
    APPROVE,
    CORRECT,
    PUBLISH,
    REJECT,
    RERUN,
    RETURN,
    SUBMIT,
    WITHDRAW,
    desk_url,
    has_work,
    kept_note,
    queue,
    require,
    small_int,
    take_if_free,
    typed_note,
)

QuerySource = Callable[[], Any]


def _drafts() -> Any:
    return Assessment.objects.filter(status=Assessment.Status.DRAFT)


# Verb of the address: permission, where the assessment must lie, the domain verb, what to say.
SCHRITTE: dict[str, tuple[str, QuerySource, Callable[..., None], str]] = {
    "einreichen": (SUBMIT, _drafts, Assessment.submit, "liegt in der Warteschlange"),
    "freigeben": (APPROVE, queue, Assessment.approve, "ist freigegeben"),
    "ablehnen": (REJECT, queue, Assessment.reject, "ist abgelehnt"),
    "zurueck": (RETURN, queue, Assessment.return_to_draft, "ist wieder ein Entwurf"),
    "veroeffentlichen": (PUBLISH, queue, Assessment.publish, "ist veröffentlicht"),
    "zurueckziehen": (
        WITHDRAW,
        Assessment.objects.readable,
        Assessment.withdraw,
        "ist zurückgezogen",
    ),
}


@require_POST
def berichtigen(request: HttpRequest, pk: int) -> HttpResponse:
    """A copy of a published version goes into the queue; the page of the desk opens with it."""
    require(request, CORRECT)
    assessment = get_object_or_404(Assessment, pk=pk)
    seen = small_int(request.POST.get("gesehen", ""))
    try:
        with transaction.atomic():
            assessment.require_as_seen(seen or 0)
            correction = assessment.correct(by=request.user, note=as_text(request.POST.get("note")))
    except InvalidTransition as error:
        messages.error(request, kept_note(str(error), request))
        return HttpResponseRedirect(page_of(assessment))
    take_if_free(correction, request.user)
    messages.success(
        request,
        f"Das ist eine Kopie von Fassung {assessment.version}. Öffentlich gilt weiter Fassung "
        f"{assessment.version}, bis diese hier veröffentlicht ist.",
    )
    return HttpResponseRedirect(desk_url("pruefen", correction.pk))


@require_POST
def neu_bewerten(request: HttpRequest, pk: int) -> HttpResponse:
    """A new run on the newest text of the motion; its draft will lie beside what is there."""
    require(request, RERUN)
    assessment = get_object_or_404(Assessment.objects.select_related("antrag"), pk=pk)
    try:
        with transaction.atomic():
            assessment.require_rerunnable()
            lauf = enqueue_assessment(assessment.antrag.fassung)
    except InvalidTransition as error:
        messages.warning(request, str(error))
    else:
        address = reverse("admin:assessments_lauf_change", args=[lauf.pk])
        text = format_html(
            "{} wartet. Der Entwurf liegt danach als eigene Bewertung in der Warteschlange; was "
            'veröffentlicht ist, bleibt. <a href="{}">Zum Lauf</a>',
            lauf,
            address,
        )
        messages.success(request, text)
    return HttpResponseRedirect(page_of(assessment))


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
            move(assessment, by=request.user, note=typed_note(request))
    except InvalidTransition as error:
        messages.error(request, kept_note(str(error), request))
        return HttpResponseRedirect(page_of(assessment))
    messages.success(request, _said(assessment, done))
    return HttpResponseRedirect(_after_step(assessment, verb, request.user))


def _said(assessment: Assessment, done: str) -> str:
    """What was done, with the way to readers' page of what they can read."""
    if assessment.status not in Assessment.READABLE:
        return f"{assessment} {done}."
    way = '{} {}. <a href="{}">So sehen es Leserinnen und Leser</a>'
    return format_html(way, assessment, done, readable_address(assessment))


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
        if has_work(following, person):
            take_if_free(following, person)
        return desk_url("pruefen", following.pk)
    return reverse("admin:assessments_pruefauftrag_changelist")
