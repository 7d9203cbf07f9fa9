"""Two fields that an editor rates before the desk shows what the model said (docs/adr/0027)."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.views.decorators.http import require_http_methods

from assessments.matrix import Feld, load_matrix
from assessments.models import Assessment, Eigenurteil, Feldbewertung, InvalidTransition
from assessments.scale import Wert
from citations.models import Extraktion, Seite

from .blatt import open_blatt
from .rahmen import APPROVE, REVIEW, desk_url, from_queue, page, small_int
from .tisch import open_tisch, werte


@dataclass(frozen=True)
class Frage:
    """One of the two fields, and what this person said of it, if anything."""

    zelle: Feld
    eigenes: Eigenurteil | None

    @property
    def wert(self) -> Wert | None:
        return Wert(self.eigenes.wert) if self.eigenes else None


@dataclass(frozen=True)
class Gegenueber:
    """A field after both have been rated: the person's value, the model's, the one that counts."""

    zelle: Feld
    eigenes: Eigenurteil
    feld: Feldbewertung

    @property
    def eigener(self) -> Wert:
        return Wert(self.eigenes.wert)

    @property
    def modell(self) -> Wert:
        return Wert(self.eigenes.wert_modell)

    @property
    def wahl(self) -> list[tuple[str, Wert, bool]]:
        """The two values to choose from, and whether the value counts now."""
        pair = [("Wert des Modells", self.modell), ("Ihr Wert", self.eigener)]
        return [(word, wert, self.feld.wert == wert) for word, wert in pair]


@require_http_methods(["GET", "HEAD", "POST"])
@from_queue(REVIEW, APPROVE, after_eigenurteil=False)
def eigenurteil(request: HttpRequest, auftrag: Assessment) -> HttpResponse:
    """Asks field by field; behind the last answer both values stand side by side."""
    if request.method == "POST":
        return _record(request, auftrag)
    person: Any = request.user
    given = {one.feld: one for one in auftrag.eigenurteile.filter(by=person.pk)}
    offen = auftrag.eigenurteil_offen(person)
    if offen:
        return _ask(request, auftrag, given)
    if not given:
        return HttpResponseRedirect(desk_url("pruefen", auftrag.pk))
    return _compare(request, auftrag, given)


def _record(request: HttpRequest, auftrag: Assessment) -> HttpResponse:
    feld, wert = request.POST.get("feld", ""), request.POST.get("wert", "")
    try:
        Eigenurteil.record(auftrag, feld, wert, by=request.user)
    except InvalidTransition as error:
        messages.error(request, str(error))
    else:
        messages.success(request, f"Ihr Wert zu {feld} steht fest: {Wert(wert).wort}.")
    return HttpResponseRedirect(desk_url("eigenurteil", auftrag.pk))


def _ask(request: HttpRequest, auftrag: Assessment, given: dict[str, Eigenurteil]) -> HttpResponse:
    """Nothing of the assessment but the two questions, and the pages of the motion."""
    matrix = load_matrix(auftrag.matrix_version)
    fragen = [Frage(matrix.feld(f), given.get(f)) for f in auftrag.eigenurteil_gefragt]
    context = {"fragen": fragen, "dran": next(f for f in fragen if not f.eigenes), "werte": werte()}
    context |= _motion(request, auftrag.fassung.dokument.lesung)
    return page(request, open_tisch(auftrag, request.user), "eigenurteil", context)


def _motion(request: HttpRequest, lesung: Extraktion) -> dict[str, Any]:
    index = small_int(request.GET.get("seite", "")) or 1
    try:
        blatt = open_blatt(lesung, index)
    except Seite.DoesNotExist as error:
        raise Http404("Diese Seite gibt es im Dokument nicht.") from error
    return {"blatt": blatt, "ganz": True, "text": lesung.seiten.get(index=index).text}


def _compare(
    request: HttpRequest, auftrag: Assessment, given: dict[str, Eigenurteil]
) -> HttpResponse:
    tisch = open_tisch(auftrag, request.user)
    matrix = load_matrix(auftrag.matrix_version)
    paare = [
        Gegenueber(matrix.feld(feld.feld), given[feld.feld], feld)
        for feld in tisch.felder
        if feld.feld in given
    ]
    return page(request, tisch, "eigenurteil_vergleich", {"paare": paare})
