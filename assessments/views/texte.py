"""Pages that explain: method, data, imprint, privacy, accessibility, corrections."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from assessments.addresses import antrag_address
from assessments.korrekturen import korrekturen
from assessments.matrix import load_matrix
from assessments.models import Assessment

from .caching import public_page


@public_page
def methodik(request: HttpRequest) -> HttpResponse:
    context = {"bereich": "methodik", "matrix": load_matrix(), "vier_augen": settings.VIER_AUGEN}
    return render(request, "assessments/methodik.html", context)


@public_page
def korrekturen_liste(request: HttpRequest) -> HttpResponse:
    context = {"bereich": "korrekturen", "korrekturen": korrekturen()}
    return render(request, "assessments/korrekturen.html", context)


@public_page
def daten(request: HttpRequest) -> HttpResponse:
    return render(request, "assessments/daten.html", {"bereich": "daten"})


@public_page
def impressum(request: HttpRequest) -> HttpResponse:
    """§ 5 DDG and § 18 (2) MStV; production does not start without these settings."""
    context = {
        "name": settings.IMPRESSUM_NAME,
        "anschrift": settings.IMPRESSUM_ANSCHRIFT,
        "verantwortlich": settings.IMPRESSUM_VERANTWORTLICH,
    }
    return render(request, "assessments/impressum.html", context)


@public_page
def datenschutz(request: HttpRequest) -> HttpResponse:
    context = {
        "name": settings.IMPRESSUM_NAME,
        "anschrift": settings.IMPRESSUM_ANSCHRIFT,
        "text_tage": settings.MELDUNG_TEXT_TAGE,
    }
    return render(request, "assessments/datenschutz.html", context)


@public_page
def barrierefreiheit(request: HttpRequest) -> HttpResponse:
    return render(request, "assessments/barrierefreiheit.html")


@public_page
def robots(request: HttpRequest) -> HttpResponse:
    """The desk, the search and forms are not for crawlers; every published page is."""
    lines = [
        "User-agent: *",
        "Disallow: /redaktion/",
        "Disallow: /*?",
        "Disallow: /*/melden/",
        f"Sitemap: {settings.SITE_URL}{reverse('sitemap')}",
    ]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


@public_page
def sitemap(request: HttpRequest) -> HttpResponse:
    published = Assessment.objects.public().select_related(
        "antrag__parlament", "antrag__wahlperiode"
    )
    pages = [
        (settings.SITE_URL + antrag_address(assessment.antrag), assessment.published_at)
        for assessment in published.order_by("-published_at")
    ]
    context = {"pages": pages, "start": settings.SITE_URL + reverse("liste")}
    return render(request, "assessments/sitemap.xml", context, content_type="application/xml")
