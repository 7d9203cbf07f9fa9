"""What differs from the version before, and what the editors changed in what the model said."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe

from assessments.models import Assessment
from assessments.unterschiede import Inhalt, between, by_editors

from .rahmen import ANY, asked_first, from_queue, owes_eigenurteil, page, require
from .tisch import open_tisch


@require_safe
@from_queue(*ANY)
def am_tisch(request: HttpRequest, auftrag: Assessment) -> HttpResponse:
    tisch = open_tisch(auftrag, request.user)
    context = _context(auftrag, tisch.vorgaenger, request.user)
    return page(request, tisch, "unterschiede", context)


@require_safe
def unterschiede(request: HttpRequest, pk: int) -> HttpResponse:
    """The same for an assessment in any state."""
    require(request, *ANY)
    rows = Assessment.objects.select_related(
        "antrag__parlament", "antrag__wahlperiode", "fassung", "lauf", "corrects"
    )
    assessment = get_object_or_404(rows, pk=pk)
    if owes_eigenurteil(assessment, request.user):
        return asked_first(request, assessment)
    context = {
        **admin.site.each_context(request),
        "title": f"Unterschiede: {assessment}",
        "opts": Assessment._meta,
        "bewertung": assessment,
        **_context(assessment, assessment.vorgaenger(), request.user),
    }
    return TemplateResponse(request, "assessments/desk/alle_unterschiede.html", context)


def _context(assessment: Assessment, before: Assessment | None, person: Any) -> dict[str, Any]:
    other = before or _beside(assessment, person)
    inhalt = Inhalt.load(assessment)
    return {
        "vergleich_mit": other,
        "fassungen": between(Inhalt.load(other), inhalt) if other else None,
        "redaktion": by_editors(inhalt),
    }


def _beside(assessment: Assessment, person: Any) -> Assessment | None:
    """Without a version before: the older draft of the same motion that also waits.

    None of which this person is to rate fields first: it would be read off the differences.
    """
    rows = Assessment.objects.filter(antrag=assessment.antrag_id, status__in=Assessment.OPEN)
    older = rows.filter(pk__lt=assessment.pk).order_by("-pk")
    return next((one for one in older if not owes_eigenurteil(one, person)), None)
