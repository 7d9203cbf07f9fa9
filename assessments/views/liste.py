"""The start page: what this is, search, and the list of published assessments."""

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.shortcuts import render

from assessments.addresses import parlament_address
from assessments.eintrag import eintrag, load_eintraege
from assessments.korrekturen import korrekturen
from assessments.public import everything_is_invented
from assessments.schnipsel import schnipsel
from assessments.suche import Suche, Wahl, load_auswahl, parse_suche, treffer
from parlamente.models import Parlament

from .caching import public_page

PER_PAGE = 20
CORRECTIONS = 5


@public_page
def liste(request: HttpRequest) -> HttpResponse:
    return _liste(request)


@public_page
def parlament(request: HttpRequest, code: str) -> HttpResponse:
    """The same list for one parliament."""
    found = Parlament.objects.filter(code__iexact=code).first()
    if found is None:
        raise Http404
    if request.path != parlament_address(found.code):
        return HttpResponsePermanentRedirect(parlament_address(found.code))
    return _liste(request, found)


def _liste(request: HttpRequest, of: Parlament | None = None) -> HttpResponse:
    auswahl = load_auswahl()
    suche = _parse(request, auswahl, of)
    page = Paginator(load_eintraege(treffer(suche)), PER_PAGE).get_page(request.GET.get("seite"))
    context = {
        "bereich": "liste",
        "suche": suche,
        "auswahl": auswahl,
        "page": page,
        "eintraege": [eintrag(assessment) for assessment in page],
        "ist_suche": bool(request.GET),
        "anzahl_aller": sum(wahl.anzahl or 0 for wahl in auswahl["parlament"]),
        "parlament": of,
        "korrekturen": korrekturen()[:CORRECTIONS],
        "schnipsel": schnipsel() if suche.ist_leer and page.number == 1 else None,
        "alles_erfunden": everything_is_invented(),
        "neuere": suche.adresse(seite=page.number - 1),
        "aeltere": suche.adresse(seite=page.number + 1),
    }
    return render(request, "assessments/liste.html", context)


def _parse(request: HttpRequest, auswahl: dict[str, list[Wahl]], of: Parlament | None) -> Suche:
    """The address of a parliament is a filter like any other, also while it has no entries."""
    if of is None:
        return parse_suche(request.GET.dict(), auswahl)
    code = of.code.lower()
    if code not in [wahl.wert for wahl in auswahl["parlament"]]:
        auswahl["parlament"].append(Wahl(code, of.name, 0))
    return parse_suche(request.GET.dict() | {"parlament": code}, auswahl)
