"""The desk proper: one piece of evidence beside its source, and the decision on it."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_POST, require_safe

from assessments.models import (
    Assessment,
    BegruendungNoetig,
    Beleg,
    InvalidTransition,
    Sichtung,
)
from assessments.models.einwaende import failed_checks
from assessments.satz import whole_sentence
from citations.models import Dokument, Extraktion, Seite
from citations.pictures import NO_PICTURE, Breite, page_image

from .blatt import Blatt, open_blatt
from .rahmen import (
    ANY,
    APPROVE,
    REVIEW,
    desk_url,
    from_queue,
    kept_note,
    page,
    require,
    small_int,
    typed_note,
)
from .stellen import erlaubte_lesungen
from .tisch import (
    ABSENZEN,
    SCORES,
    Posten,
    Tisch,
    befunde,
    behauptung,
    open_tisch,
    werke,
    werte,
)

# As long as a question to the search may be.
MAX_FRAGE = 400
# Documents never change, so their pages do not either.
A_DAY = 24 * 60 * 60


@require_safe
@from_queue(*ANY)
def pruefen(request: HttpRequest, auftrag: Assessment) -> HttpResponse:
    """One open piece at a time: the place on the left, the claim on the right.

    That the place was shown is recorded: a note beside the assessment, which changes no state.
    """
    tisch = open_tisch(auftrag, request.user)
    posten = _current(request, tisch)
    sheet = _sheet(request, posten) if posten else {}
    if posten and sheet["blatt"] and sheet["blatt"].marken:
        Sichtung.record(posten.beleg, by=request.user)
        tisch = tisch.with_shown(posten)
        posten = tisch.find(posten.beleg.pk)
    context = {
        "posten": posten,
        "liste": _filtered(request, tisch),
        "auswahl": request.GET.get("belege", ""),
        "befunde": befunde(auftrag),
        "zuletzt": _last_decision(request, tisch),
    }
    if posten:
        context |= _claim(request, tisch, posten) | sheet
    return page(request, tisch, "beleg", context)


def _last_decision(request: HttpRequest, tisch: Tisch) -> Posten | None:
    """What this editor decided last, unless it is open again."""
    decided = tisch.assessment.events.filter(by=request.user.pk, beleg__isnull=False)
    last = decided.order_by("-pk").values_list("beleg", flat=True).first()
    posten = tisch.find(last)
    return posten if posten and posten.zeichen != "offen" else None


def _claim(request: HttpRequest, tisch: Tisch, posten: Posten) -> dict[str, Any]:
    voriger, folgender = tisch.neighbours(posten)
    asked = request.GET.get("begruenden", "")
    against = [] if asked == "erweitern" else _against_accepting(posten)
    return {
        "behauptung": behauptung(posten.beleg, tisch.assessment.matrix_version),
        "hier": f"?beleg={posten.beleg.pk}",
        "voriger": voriger,
        "folgender": folgender,
        "begruenden": asked or ("annehmen" if against else ""),
        "einwaende_stelle": against,
        "einwaende_vorab": bool(against) and not asked,
        "frage": posten.beleg.wortlaut_modell[:MAX_FRAGE],
        "werte": werte(),
        "scores": SCORES,
        "absenzen": ABSENZEN,
    }


def _against_accepting(posten: Posten) -> list[str]:
    """What checks say against the place; the check that accepting itself runs may say more."""
    if posten.zeichen != "offen" or posten.stelle is None or posten.taten[0].hinweis:
        return []
    return failed_checks("accept", posten.stelle)


def _current(request: HttpRequest, tisch: Tisch) -> Posten | None:
    """The asked-for piece, else the first open one, else one that is still to be shown.

    Raises Http404 for a foreign one.
    """
    asked = request.GET.get("beleg", "")
    if not asked:
        return next(iter(tisch.offene or _to_show(request, tisch)), None)
    posten = tisch.find(small_int(asked))
    if posten is None:
        raise Http404("Diesen Beleg gibt es in dieser Bewertung nicht.")
    return posten


def _to_show(request: HttpRequest, tisch: Tisch) -> list[Posten]:
    """What an approval by this person still waits for."""
    user: Any = request.user
    in_review = tisch.assessment.status == Assessment.Status.IN_REVIEW
    return tisch.ungezeigte if in_review and user.has_perm(APPROVE) else []


def _filtered(request: HttpRequest, tisch: Tisch) -> list[Posten]:
    match request.GET.get("belege", ""):
        case "ungeprueft":
            return tisch.offene
        case "verworfen":
            return [posten for posten in tisch.posten if posten.zeichen == "weg"]
        case "alle":
            return tisch.posten
        case _:
            return tisch.zu_sehen


def _sheet(request: HttpRequest, posten: Posten) -> dict[str, Any]:
    """The page with the place, or another page of that or of another permitted document."""
    zitat = posten.stelle
    wanted = request.GET.get("dokument", "")
    if zitat and wanted in ("", str(zitat.extraktion.dokument_id)):
        lesung: Extraktion | None = zitat.extraktion
    else:
        zitat, lesung = None, _permitted_reading(posten.beleg, wanted)
    blatt = _open(lesung, request.GET.get("seite", ""), zitat) if lesung else None
    return {
        "blatt": blatt,
        "blatt_name": werke([lesung])[lesung.dokument_id] if lesung else "",
        "ganz": request.GET.get("ansicht") == "ganz" or not (blatt and blatt.ausschnitt),
        "ansehbar": {} if posten.stelle else werke(erlaubte_lesungen(posten.beleg)),
    }


def _permitted_reading(beleg: Beleg, dokument: str) -> Extraktion | None:
    """The motion's or a permitted programme's reading, where one is asked for."""
    readings = {str(lesung.dokument_id): lesung for lesung in erlaubte_lesungen(beleg)}
    motion = beleg.assessment.fassung.dokument
    if dokument == str(motion.pk):
        return motion.lesung
    return readings.get(dokument)


def _open(lesung: Extraktion, asked: str, zitat: Any) -> Blatt | None:
    index = small_int(asked) or (zitat.seite if zitat else 1)
    try:
        return open_blatt(lesung, index, zitat)
    except Seite.DoesNotExist as error:
        raise Http404("Diese Seite gibt es im Dokument nicht.") from error


@require_POST
@from_queue(REVIEW)
def entscheiden(
    request: HttpRequest,
    auftrag: Assessment,
    beleg: int,
    verb: str,
) -> HttpResponse:
    row = own_beleg(auftrag, beleg)
    if verb not in ENTSCHEIDUNGEN:
        raise Http404
    decide, done = ENTSCHEIDUNGEN[verb]
    try:
        require_as_shown(row, request)
        decide(row, by=request.user, note=typed_note(request))
    except BegruendungNoetig as error:
        messages.warning(request, str(error))
        return to_desk(auftrag, row, begruenden=verb)
    except InvalidTransition as error:
        messages.error(request, kept_note(str(error), request))
        return to_desk(auftrag, row)
    messages.success(request, done.format(row.wozu))
    return to_desk(auftrag, row) if verb == "oeffnen" else _to_next(request, auftrag, row)


def _extend(beleg: Beleg, *, by: Any, note: str) -> None:
    if beleg.vorschlag is None:
        raise InvalidTransition("Zu diesem Beleg gibt es keine Stelle, die man erweitern kann.")
    beleg.accept(zitat=whole_sentence(beleg.vorschlag), by=by, note=note)


ENTSCHEIDUNGEN: dict[str, tuple[Callable[..., None], str]] = {
    "annehmen": (Beleg.accept, "Angenommen mit dem Wortlaut der Quelle."),
    "erweitern": (_extend, "Angenommen als ganzer Satz."),
    "verwerfen": (Beleg.drop, "Verworfen. Der Beleg bleibt in der Liste."),
    "oeffnen": (Beleg.reopen, "Zurückgenommen. Wieder offen: der Beleg zu {}."),
}


def own_beleg(auftrag: Assessment, pk: int) -> Beleg:
    """Raises Http404 for another assessment's evidence."""
    rows = Beleg.objects.select_related("vergleich__partei", "vorschlag__extraktion__dokument")
    beleg = get_object_or_404(rows, pk=pk, assessment=auftrag.pk)
    beleg.assessment = auftrag
    return beleg


def require_as_shown(beleg: Beleg, request: HttpRequest) -> None:
    """Raises InvalidTransition where the page of this form showed another state or place."""
    shown = request.POST.get("zustand", ""), small_int(request.POST.get("stelle", ""))
    beleg.require_as_seen(*shown)


def to_desk(auftrag: Assessment, beleg: Beleg, **query: Any) -> HttpResponse:
    return HttpResponseRedirect(desk_url("pruefen", auftrag.pk, beleg=beleg.pk, **query))


def _to_next(request: HttpRequest, auftrag: Assessment, beleg: Beleg) -> HttpResponse:
    tisch = open_tisch(auftrag, request.user)
    current = next(posten for posten in tisch.posten if posten.beleg.pk == beleg.pk)
    following = tisch.after(current)
    if following:
        return to_desk(auftrag, following.beleg)
    return HttpResponseRedirect(desk_url("pruefen", auftrag.pk))


@require_safe
@cache_control(private=True, max_age=A_DAY)
def seitenbild(request: HttpRequest, dokument: int, index: int) -> HttpResponse:
    """A page of a document as an image, for those who may look at the desk."""
    require(request, *ANY)
    breite = small_int(request.GET.get("breite", f"{Breite.DOPPELT:d}"))
    row = get_object_or_404(Dokument, pk=dokument)
    if breite not in list(Breite):
        raise Http404
    if not Seite.objects.filter(extraktion__dokument=row, index=index).exists():
        raise Http404
    try:
        return HttpResponse(page_image(row, index, Breite(breite)), content_type="image/webp")
    except NO_PICTURE as error:
        raise Http404(str(error)) from error
