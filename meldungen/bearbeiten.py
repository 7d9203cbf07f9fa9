"""The page of one report: what it is about on the left, the report and its verbs on the right."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html
from django.views.decorators.http import require_POST, require_safe

from assessments.desk.blatt import Blatt, open_blatt
from assessments.desk.editing import as_text
from assessments.desk.rahmen import kept_note, small_int
from assessments.models import Assessment, InvalidTransition
from citations.models import Seite

from .models import MAX_BEGRUENDUNG, Meldung
from .schlange import DECIDE, OffeneMeldungen, bearbeiten_address, may_look
from .ziel import Ziel

VERBEN = {
    "receive": "eingegangen",
    "dismiss": "als unbegründet abgewiesen",
    "correct": "berichtigt",
    "discard": "unbrauchbar",
    "withdraw": "mit der Bewertung zurückgezogen",
    "reopen": "wieder geöffnet",
}


@require_safe
def bearbeiten(request: HttpRequest, object_id: str) -> HttpResponse:
    if not may_look(request.user):
        raise PermissionDenied
    meldung = _meldung_or_404(small_int(object_id))
    ziel = Ziel(meldung.assessment, meldung.zitat)
    context = {
        **admin.site.each_context(request),
        "title": "Hinweis bearbeiten",
        "opts": Meldung._meta,
        "meldung": meldung,
        "ziel": ziel,
        "blatt": _blatt(ziel),
        "ganz": False,
        "posten": {"stelle": ziel.zitat},
        "fassungen": meldung.neuere_fassungen() if meldung.is_open else [],
        "verlauf": _verlauf(meldung),
        "offene": OffeneMeldungen.load(),
        "darf_entscheiden": request.user.has_perm(DECIDE),
        "max_begruendung": MAX_BEGRUENDUNG,
    }
    return TemplateResponse(request, "meldungen/bearbeiten.html", context)


@require_POST
def entscheiden(request: HttpRequest, pk: int, verb: str) -> HttpResponse:
    """One verb on what the page showed, then on to the oldest open report."""
    if not request.user.has_perm(DECIDE):
        raise PermissionDenied
    if verb not in ENTSCHEIDUNGEN:
        raise Http404
    meldung = _meldung_or_404(pk)
    decide, done = ENTSCHEIDUNGEN[verb]
    meldung.status = request.POST.get("gesehen", "")
    try:
        decide(meldung, request)
    except InvalidTransition as error:
        messages.error(request, kept_note(str(error), request))
        return HttpResponseRedirect(bearbeiten_address(meldung))
    messages.success(request, _said(meldung, done))
    return HttpResponseRedirect(_next(meldung))


def _dismiss(meldung: Meldung, request: HttpRequest) -> None:
    meldung.dismiss(by=request.user, note=_note(request))


def _correct(meldung: Meldung, request: HttpRequest) -> None:
    number = small_int(request.POST.get("durch", ""))
    durch = Assessment.objects.readable().filter(pk=number).first() if number else None
    meldung.correct(by=request.user, note=_note(request), durch=durch)


def _discard(meldung: Meldung, request: HttpRequest) -> None:
    meldung.discard(by=request.user, note=_note(request))


def _reopen(meldung: Meldung, request: HttpRequest) -> None:
    meldung.reopen(by=request.user, note=_note(request))


ENTSCHEIDUNGEN: dict[str, tuple[Callable[[Meldung, HttpRequest], None], str]] = {
    "abweisen": (_dismiss, "Als unbegründet abgewiesen"),
    "berichtigt": (_correct, "Als berichtigt vermerkt"),
    "unbrauchbar": (_discard, "Als unbrauchbar abgelegt"),
    "oeffnen": (_reopen, "Wieder geöffnet"),
}


def _note(request: HttpRequest) -> str:
    return as_text(request.POST.get("note"))


def _said(meldung: Meldung, done: str) -> str:
    if meldung.is_open:
        return f"{done}: {meldung}."
    address = bearbeiten_address(meldung)
    return format_html('{}: {}. <a href="{}">Ansehen oder zurücknehmen</a>', done, meldung, address)


def _next(meldung: Meldung) -> str:
    """Of a report that was opened again its own page, else the oldest that waits."""
    following = meldung if meldung.is_open else Meldung.objects.offen().first()
    if following:
        return bearbeiten_address(following)
    return reverse("admin:assessments_pruefauftrag_changelist")


def _meldung_or_404(pk: int | None) -> Meldung:
    if pk is None:
        raise Http404
    rows = Meldung.objects.with_target().select_related("berichtigt_durch")
    return get_object_or_404(rows, pk=pk)


def _blatt(ziel: Ziel) -> Blatt | None:
    """The cited page with the words marked, as on the desk; None where it is gone."""
    if ziel.zitat is None:
        return None
    try:
        return open_blatt(ziel.zitat.extraktion, ziel.zitat.seite, ziel.zitat)
    except Seite.DoesNotExist:
        return None


def _verlauf(meldung: Meldung) -> list[dict[str, Any]]:
    events = meldung.ereignisse.select_related("by").order_by("-pk")
    return [{"event": event, "wort": VERBEN.get(event.verb, event.verb)} for event in events]
