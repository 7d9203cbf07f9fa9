"""A passage of the editor's: search or type, choose; the choice is then shown on the desk."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect

from assessments.models import Assessment, Beleg, InvalidTransition
from citations.binding import keep
from citations.models import Zitat
from citations.quelltext import Span

from .belege import MAX_FRAGE, own_beleg, require_as_shown, to_desk
from .rahmen import REVIEW, desk_url, from_queue, kept_note, page, small_int
from .redigieren import own_part
from .stellen import chosen_place, erlaubte_lesungen
from .suche import place_words, search
from .tisch import behauptung, open_tisch

CHOSEN = "Die gewählte Stelle liegt auf dem Tisch. Annehmen ist der nächste Schritt."
# What new evidence can be for and which side it shows, as in the address; and its foreign key.
ERGAENZBAR = {
    ("feld", "antrag"): "feldbewertung",
    ("vergleich", "antrag"): "vergleich",
    ("vergleich", "programm"): "vergleich",
}


@from_queue(REVIEW)
def stelle(request: HttpRequest, auftrag: Assessment, beleg: int) -> HttpResponse:
    """Another place for evidence that is there."""
    row = own_beleg(auftrag, beleg)
    if request.method == "POST":
        return _propose(request, auftrag, row)
    return _search_page(request, auftrag, row)


@from_queue(REVIEW)
def neu(
    request: HttpRequest, auftrag: Assessment, teil: str, teil_pk: int, seite: str
) -> HttpResponse:
    """A place for evidence that nobody has brought yet."""
    row = _new_beleg(auftrag, teil, teil_pk, seite)
    if request.method == "POST":
        return _add(request, auftrag, row)
    return _search_page(request, auftrag, row)


def _new_beleg(auftrag: Assessment, teil: str, teil_pk: int, seite: str) -> Beleg:
    """Not stored yet. Raises Http404 for what is not part of this assessment."""
    if (teil, seite) not in ERGAENZBAR:
        raise Http404
    owner = {ERGAENZBAR[teil, seite]: own_part(auftrag, teil, teil_pk)}
    return Beleg(assessment=auftrag, seite=seite, **owner)


def _search_page(request: HttpRequest, auftrag: Assessment, beleg: Beleg) -> HttpResponse:
    query = request.GET.get("q", "").strip()[:MAX_FRAGE]
    context = {
        "beleg": beleg,
        "frage": query,
        "treffer": search(beleg, query) if query else [],
        "lesungen": erlaubte_lesungen(beleg),
        "behauptung": behauptung(beleg, auftrag.matrix_version),
    }
    return page(request, open_tisch(auftrag, request.user), "stelle", context)


def _propose(request: HttpRequest, auftrag: Assessment, beleg: Beleg) -> HttpResponse:
    back = desk_url("stelle", auftrag.pk, beleg.pk, q=request.POST.get("q"))
    try:
        require_as_shown(beleg, request)
    except InvalidTransition as error:
        messages.error(request, str(error))
        return to_desk(auftrag, beleg)
    try:
        zitat, hint = _asked_place(beleg, request)
        beleg.propose(zitat, by=request.user)
    except InvalidTransition as error:
        messages.error(request, kept_note(str(error), request))
        return HttpResponseRedirect(back)
    messages.info(request, hint)
    return to_desk(auftrag, beleg)


def _add(request: HttpRequest, auftrag: Assessment, beleg: Beleg) -> HttpResponse:
    try:
        zitat, hint = _asked_place(beleg, request)
        beleg.add(zitat, by=request.user)
    except InvalidTransition as error:
        messages.error(request, kept_note(str(error), request))
        return HttpResponseRedirect(request.get_full_path())
    messages.info(request, hint)
    return to_desk(auftrag, beleg)


def _asked_place(beleg: Beleg, request: HttpRequest) -> tuple[Zitat, str]:
    """The stored place of what was typed or chosen, and what to say. Raises InvalidTransition."""
    if words := request.POST.get("wortlaut", "").strip():
        zitat, hint = _typed(beleg, words)
    else:
        zitat, hint = _chosen(beleg, request), CHOSEN
    return keep(zitat), hint


def _typed(beleg: Beleg, words: str) -> tuple[Zitat, str]:
    """The place of typed words, and what to say where they do not stand there as typed."""
    bindung = place_words(beleg, words)
    if bindung.zitat is None:
        raise InvalidTransition("Diese Worte stehen dort nicht, und nichts kommt ihnen nahe.")
    if bindung.is_bound:
        return bindung.zitat, CHOSEN
    return bindung.zitat, "Genau so steht es dort nicht. Auf dem Tisch liegt die nächste Stelle."


def _chosen(beleg: Beleg, request: HttpRequest) -> Zitat:
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
