"""The page of one motion's assessment, and of each version of it."""

from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.shortcuts import render
from django.urls import reverse

from assessments.addresses import antrag_address, find_antrag, parlament_address, version_address
from assessments.models import Assessment
from assessments.presentation import Bewertungsseite, load_for_page
from assessments.public import READABLE, downloadable_dokumente
from parlamente.models import Antrag

from .caching import public_page

Status = Assessment.Status


@public_page
def bewertung(request: HttpRequest, code: str, wahlperiode: int, nummer: str) -> HttpResponse:
    """The published version; 410 where the newest one is withdrawn."""
    antrag = _antrag_or_404(code, wahlperiode, nummer)
    if request.path != antrag_address(antrag):
        return HttpResponsePermanentRedirect(antrag_address(antrag))
    assessment = _versions(antrag).filter(status=Status.PUBLISHED).first()
    return _page(request, assessment or _newest_or_404(antrag))


@public_page
def bewertung_fassung(
    request: HttpRequest, code: str, wahlperiode: int, nummer: str, version: int
) -> HttpResponse:
    """One numbered version, as it was published."""
    antrag = _antrag_or_404(code, wahlperiode, nummer)
    assessment = _versions(antrag).filter(version=version).first()
    if assessment is None:
        raise Http404
    if request.path != version_address(assessment):
        return HttpResponsePermanentRedirect(version_address(assessment))
    return _page(request, assessment)


def _antrag_or_404(code: str, wahlperiode: int, nummer: str) -> Antrag:
    """404 for a motion that nobody knows and for one whose assessment is not public alike."""
    try:
        return find_antrag(code, wahlperiode, nummer)
    except Antrag.DoesNotExist as error:
        raise Http404 from error


def _versions(antrag: Antrag) -> Any:
    """What has an address, the newest first."""
    reachable = Assessment.objects.reachable().filter(antrag=antrag)
    return load_for_page(reachable).order_by("-version")


def _newest_or_404(antrag: Antrag) -> Assessment:
    newest = _versions(antrag).first()
    if newest is None:
        raise Http404
    return newest


def _page(request: HttpRequest, assessment: Assessment) -> HttpResponse:
    if assessment.status not in READABLE:
        return _gone(request, assessment)
    return render(request, "assessments/bewertung.html", _context(assessment))


def _gone(request: HttpRequest, assessment: Assessment) -> HttpResponse:
    event = assessment.events.filter(nach=Status.WITHDRAWN).order_by("-am").first()
    antrag = assessment.antrag
    context = {
        "antrag": antrag,
        "assessment": assessment,
        "event": event,
        "gueltige": Assessment.objects.public().filter(antrag=antrag).first(),
        "gueltige_adresse": antrag_address(antrag),
    }
    return render(request, "410.html", context, status=410)


def _context(assessment: Assessment) -> dict[str, Any]:
    seite, antrag = Bewertungsseite(assessment), assessment.antrag
    return {
        "seite": seite,
        "a": assessment,
        "antrag": antrag,
        "waage": seite.waage,
        "wo": "im Bund" if antrag.parlament.code == "BUND" else "im Land",
        "parlament_adresse": parlament_address(antrag.parlament.code),
        "ist_ersetzt": assessment.status == Status.SUPERSEDED,
        "neueste_adresse": version_address(seite.neueste),
        "kanonisch": settings.SITE_URL + antrag_address(antrag),
        "dauerhaft": settings.SITE_URL + seite.adresse,
        "datei_adresse": _file_address(assessment),
        "json_adresse": f"/api/v1/assessments{seite.adresse}".rstrip("/"),
        "versionen": [{"assessment": v, "adresse": version_address(v)} for v in seite.versionen],
    }


def _file_address(assessment: Assessment) -> str:
    dokument = assessment.fassung.dokument
    allowed = downloadable_dokumente().filter(pk=dokument.pk).exists()
    return reverse("dokument", args=[dokument.sha256]) if allowed else ""
