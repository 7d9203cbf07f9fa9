"""Another passage: search or type, choose; the choice is then shown on the desk."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

from assessments.models import Assessment, Beleg, InvalidTransition
from citations.binding import keep
from citations.quelltext import Span

from .belege import MAX_FRAGE, own_beleg, require_as_shown, to_desk
from .rahmen import REVIEW, desk_url, from_queue, page, small_int
from .stellen import chosen_place, erlaubte_lesungen
from .suche import place_words, search
from .tisch import behauptung, open_tisch

CHOSEN = "Die gewählte Stelle liegt auf dem Tisch. Annehmen ist der nächste Schritt."


@from_queue(REVIEW)
def stelle(request: HttpRequest, auftrag: Assessment, beleg: int) -> HttpResponse:
    """Search or type, choose; the chosen place is then shown on the desk for the decision."""
    row = own_beleg(auftrag, beleg)
    if request.method == "POST":
        return _propose(request, auftrag, row)
    query = request.GET.get("q", "").strip()[:MAX_FRAGE]
    tisch = open_tisch(auftrag)
    context = {
        "posten": tisch.find(row.pk),
        "frage": query,
        "treffer": search(row, query) if query else [],
        "lesungen": erlaubte_lesungen(row),
        "behauptung": behauptung(row, auftrag.matrix_version),
    }
    return page(request, tisch, "stelle", context)


def _propose(request: HttpRequest, auftrag: Assessment, beleg: Beleg) -> HttpResponse:
    back = desk_url("stelle", auftrag.pk, beleg.pk, q=request.POST.get("q"))
    try:
        require_as_shown(beleg, request)
    except InvalidTransition as error:
        messages.error(request, str(error))
        return to_desk(auftrag, beleg)
    try:
        if words := request.POST.get("wortlaut", "").strip():
            zitat, hint = _typed(beleg, words)
        else:
            zitat, hint = _chosen(beleg, request), ""
        beleg.propose(keep(zitat), by=request.user)
    except InvalidTransition as error:
        messages.error(request, str(error))
        return HttpResponseRedirect(back)
    messages.info(request, hint or CHOSEN)
    return to_desk(auftrag, beleg)


def _typed(beleg: Beleg, words: str) -> tuple[Any, str]:
    """The place of typed words, and what to say where they do not stand there as typed."""
    bindung = place_words(beleg, words)
    if bindung.zitat is None:
        raise InvalidTransition("Diese Worte stehen dort nicht, und nichts kommt ihnen nahe.")
    if bindung.is_bound:
        return bindung.zitat, ""
    return bindung.zitat, "Genau so steht es dort nicht. Auf dem Tisch liegt die nächste Stelle."


def _chosen(beleg: Beleg, request: HttpRequest) -> Any:
    lesungen = {str(lesung.pk): lesung for lesung in erlaubte_lesungen(beleg)}
    lesung = lesungen.get(request.POST.get("lesung", ""))
    if lesung is None:
        raise InvalidTransition("Aus diesem Dokument darf dieser Beleg nicht zitieren.")
    return chosen_place(beleg, lesung, [_span(raw) for raw in request.POST.getlist("satz")])


def _span(raw: str) -> Span:
    start, _, ende = raw.partition("-")
    span = small_int(start), small_int(ende)
    if span[0] is None or span[1] is None:
        raise InvalidTransition("Diese Stelle gibt es im Dokument nicht.")
    return span[0], span[1]
