"""Ratings, comparisons and texts, changed in place."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_POST, require_safe

from assessments.matrix import load_matrix
from assessments.models import Assessment, Feldbewertung, InvalidTransition, Reserviert
from assessments.scale import Wert

from .editing import Ueberholt, as_text, change
from .rahmen import ANY, REVIEW, desk_url, from_queue, page, require, small_int, typed_note
from .tisch import ABSENZEN, SCORES, open_tisch, werte
from .verlauf import ereignisse

TEILE = {
    "feld": "feldbewertungen",
    "vergleich": "vergleiche",
    "vorschlag": "verbesserungen",
}
# What a form may carry; everything else is ignored.
NAMEN = (
    *("wert", "begruendung", "ergebnis", "score", "titel", "wortlaut"),
    *("zusammenfassung", "berichtigung"),
)


@require_POST
@from_queue(REVIEW)
def aendern(
    request: HttpRequest,
    auftrag: Assessment,
    teil: str,
    teil_pk: int,
) -> HttpResponse:
    part = own_part(auftrag, teil, teil_pk)
    asked = {name: request.POST[name] for name in NAMEN if name in request.POST}
    shown = dict.fromkeys(asked, request.POST.get("zuvor", ""))
    try:
        changed = change(
            part, _typed(asked), by=request.user, gezeigt=shown, note=typed_note(request)
        )
    except InvalidTransition as error:
        level = messages.WARNING if isinstance(error, Ueberholt | Reserviert) else messages.ERROR
        typed = _kept_for_the_editor(str(error), *asked.values(), request.POST.get("note", ""))
        messages.add_message(request, level, typed)
    else:
        messages.success(request, "Gespeichert." if changed else "Nichts geändert.")
    return HttpResponseRedirect(_back(request, auftrag))


def _typed(asked: dict[str, str]) -> dict[str, Any]:
    """A score is a number; what is none is no score."""
    return {name: small_int(text) if name == "score" else text for name, text in asked.items()}


def _kept_for_the_editor(reason: str, *texts: str) -> str:
    """What was typed for nothing, so that nobody has to type it again."""
    typed = "; ".join(f"„{as_text(text)}“" for text in texts if text)
    return f"{reason} Gespeichert ist Ihre Fassung nicht: {typed}"


def own_part(auftrag: Assessment, teil: str, pk: int) -> Any:
    """Raises Http404 for what is not part of this assessment."""
    if teil == "bewertung" and pk == auftrag.pk:
        return auftrag
    if teil not in TEILE:
        raise Http404
    part = get_object_or_404(getattr(auftrag, TEILE[teil]), pk=pk)
    part.assessment = auftrag
    return part


def _back(request: HttpRequest, auftrag: Assessment) -> str:
    """Where the form stood; only pages of this desk."""
    zurueck = request.POST.get("zurueck", "")
    if zurueck == "eigenurteil":
        return desk_url("eigenurteil", auftrag.pk)
    if zurueck in ("felder", "vergleiche", "texte"):
        return desk_url(zurueck, auftrag.pk) + f"#{request.POST.get('anker', '')}"
    return desk_url("pruefen", auftrag.pk, beleg=small_int(zurueck))


@from_queue(*ANY)
def felder(request: HttpRequest, auftrag: Assessment) -> HttpResponse:
    """All 25 fields in one form, so that a draft without a model is rated in one go."""
    if request.method == "POST":
        require(request, REVIEW)
        saved = _save_felder(request, auftrag)
        if "uebrige" in request.POST:
            saved += _set_rest(request, auftrag)
        count = "1 Änderung" if saved == 1 else f"{saved} Änderungen"
        messages.success(request, f"{count} gespeichert.")
        return HttpResponseRedirect(desk_url("felder", auftrag.pk))
    tisch = open_tisch(auftrag, request.user)
    matrix = load_matrix(auftrag.matrix_version)
    zeilen = [(feld, matrix.feld(feld.feld), tisch.posten_zu(feld)) for feld in tisch.felder]
    return page(request, tisch, "felder", {"zeilen": zeilen, "werte": werte()})


def _save_felder(request: HttpRequest, auftrag: Assessment) -> int:
    """Only what this editor changed; a value that somebody else changed meanwhile stays."""
    saved = 0
    for feld in auftrag.feldbewertungen.order_by("feld"):
        feld.assessment = auftrag
        for name, (shown, asked) in _field_changes(request, feld).items():
            try:
                saved += len(change(feld, {name: asked}, by=request.user, gezeigt={name: shown}))
            except (Ueberholt, Reserviert) as error:
                messages.warning(request, _kept_for_the_editor(str(error), asked))
            except InvalidTransition as error:
                messages.error(request, _kept_for_the_editor(f"{feld.feld}: {error}", asked))
    return saved


def _set_rest(request: HttpRequest, auftrag: Assessment) -> int:
    """Every field that nobody has rated is not affected; one rated meanwhile keeps its value."""
    saved = 0
    for feld in auftrag.feldbewertungen.filter(wert_modell="", wert_redaktion="").order_by("feld"):
        feld.assessment = auftrag
        values, shown = {"wert": Wert.NICHT_BETROFFEN.value}, {"wert": ""}
        try:
            saved += len(change(feld, values, by=request.user, gezeigt=shown))
        except InvalidTransition as error:
            messages.error(request, f"{feld.feld}: {error}")
    return saved


def _field_changes(request: HttpRequest, feld: Feldbewertung) -> dict[str, tuple[str, str]]:
    """What the form showed and what it sends, by name, where that differs."""
    changes = {}
    for name in ("wert", "begruendung"):
        asked = request.POST.get(f"{feld.feld}-{name}")
        shown = as_text(request.POST.get(f"{feld.feld}-{name}-zuvor"))
        if asked is not None and as_text(asked) != shown:
            changes[name] = (shown, asked)
    return changes


@require_safe
@from_queue(*ANY)
def vergleiche(request: HttpRequest, auftrag: Assessment) -> HttpResponse:
    tisch = open_tisch(auftrag, request.user)
    karten = [(vergleich, tisch.posten_zu(vergleich)) for vergleich in tisch.vergleiche]
    context = {"karten": karten, "scores": SCORES, "absenzen": ABSENZEN}
    return page(request, tisch, "vergleiche", context)


@require_safe
@from_queue(*ANY)
def texte(request: HttpRequest, auftrag: Assessment) -> HttpResponse:
    return page(request, open_tisch(auftrag, request.user), "texte", {})


@require_safe
@from_queue(*ANY)
def verlauf(request: HttpRequest, auftrag: Assessment) -> HttpResponse:
    tisch = open_tisch(auftrag, request.user)
    return page(request, tisch, "verlauf", {"ereignisse": ereignisse(tisch)})
