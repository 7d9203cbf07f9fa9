"""The lease on an assessment: taken, prolonged and taken over by POST only (docs/adr/0024)."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.formats import date_format
from django.views.decorators.http import require_POST

from assessments.models import Assessment, InvalidTransition, Reservierung, Uebernahme

from .rahmen import REVIEW, desk_url, from_queue, has_work, reservierung_of, small_int


@require_POST
@from_queue(REVIEW, after_eigenurteil=False)
def reservieren(request: HttpRequest, auftrag: Assessment) -> HttpResponse:
    """Takes the lease or prolongs it; the script of the desk asks for the line alone."""
    try:
        Reservierung.take(auftrag, by=request.user)
    except InvalidTransition as error:
        if "nur" not in request.POST:
            messages.error(request, str(error))
    if "nur" in request.POST:
        return _line(request, auftrag)
    return _back(request, auftrag)


@require_POST
@from_queue(REVIEW, after_eigenurteil=False)
def uebernehmen(request: HttpRequest, auftrag: Assessment) -> HttpResponse:
    try:
        Reservierung.take_over(auftrag, by=request.user)
    except InvalidTransition as error:
        messages.error(request, str(error))
    else:
        messages.success(request, "Übernommen. Die Bewertung ist jetzt für Sie reserviert.")
    return _back(request, auftrag)


def tell_of_takeovers(request: HttpRequest) -> None:
    """Says once, on whichever page comes next, that somebody took over what one had leased."""
    for notice in Uebernahme.collect(request.user):
        messages.warning(
            request,
            f"{notice.durch} hat um {_time(notice)} Uhr übernommen, was für Sie reserviert war: "
            f"{notice.assessment}. Was Sie entschieden haben, gilt.",
        )


def _time(notice: Uebernahme) -> str:
    return date_format(timezone.localtime(notice.am), "H:i")


def _line(request: HttpRequest, auftrag: Assessment) -> HttpResponse:
    context: dict[str, Any] = {
        "auftrag": auftrag,
        "reservierung": reservierung_of(auftrag),
        "darf_reservieren": has_work(auftrag, request.user),
        "darf_uebernehmen": True,
    }
    return TemplateResponse(request, "assessments/desk/_reservierung.html", context)


def _back(request: HttpRequest, auftrag: Assessment) -> HttpResponse:
    beleg = small_int(request.POST.get("beleg", ""))
    return HttpResponseRedirect(desk_url("pruefen", auftrag.pk, beleg=beleg))
