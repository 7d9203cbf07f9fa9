"""The frame of every page of the desk: who may come in, which assessment, what stands around.

Every page takes the assessment from the queue, asks for a permission, and changes something only
on POST and by one domain call. What is not possible is a message, never an error page.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone

from assessments.models import Assessment, InvalidTransition, Pruefauftrag, Reservierung
from assessments.models.einwaende import failed_checks
from assessments.risiko import Risiko, Ueberblick, risks_of, survey, with_risk
from assessments.vermerk import entworfene

from .editing import as_text
from .tisch import Tisch, feldtitel

VIEW = "assessments.view_assessment"
REVIEW = "assessments.review_assessment"
SUBMIT = "assessments.submit_assessment"
CORRECT = "assessments.correct_assessment"
APPROVE = "assessments.approve_assessment"
REJECT = "assessments.reject_assessment"
RETURN = "assessments.return_assessment"
PUBLISH = "assessments.publish_assessment"
WITHDRAW = "assessments.withdraw_assessment"
RERUN = "assessments.add_lauf"
# What the bar at the foot of the desk offers, and to whom.
NEXT_STEP = {
    Assessment.Status.IN_REVIEW.value: ("approve", APPROVE),
    Assessment.Status.APPROVED.value: ("publish", PUBLISH),
}
# Any of them lets look.
ANY = (VIEW, REVIEW, SUBMIT, CORRECT, APPROVE, REJECT, RETURN, PUBLISH, WITHDRAW)
# A reason is a sentence or two.
MAX_NOTE = 2000
View = Callable[..., HttpResponse]
# Of the queue, in the side bar.
SHOWN = 6


def desk_url(name: str, *args: Any, **query: Any) -> str:
    address = reverse(f"admin:assessments_pruefauftrag_{name}", args=args)
    filled = {key: value for key, value in query.items() if value not in (None, "")}
    return f"{address}?{urlencode(filled)}" if filled else address


def small_int(text: str) -> int | None:
    """A number out of an address or form; None for anything else."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None


def require(request: HttpRequest, *permissions: str) -> None:
    """Any one of them is enough."""
    if not any(request.user.has_perm(permission) for permission in permissions):
        raise PermissionDenied


def from_queue(*permissions: str, after_eigenurteil: bool = True) -> Callable[[View], View]:
    """The view gets the assessment of the queue; for one that has left it there is a message.

    Who is asked for ratings of their own gets no other page before they have given them
    (docs/adr/0027); `after_eigenurteil=False` is for the views that show nothing of the model's.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def wrapped(request: HttpRequest, pk: int, **kwargs: Any) -> HttpResponse:
            require(request, *permissions)
            auftrag = queue().filter(pk=pk).first()
            if auftrag is None:
                return _gone(request, pk)
            if request.method == "POST" and has_work(auftrag, request.user):
                take_if_free(auftrag, request.user)
            if after_eigenurteil and owes_eigenurteil(auftrag, request.user):
                return asked_first(request, auftrag)
            return view(request, auftrag, **kwargs)

        return wrapped

    return decorate


def has_work(auftrag: Assessment, person: Any) -> bool:
    """Whether they can bring it further; else their lease would only stop those who can."""
    if not person.has_perm(REVIEW):
        return False
    if auftrag.status != Assessment.Status.APPROVED:
        return True
    return person.has_perm(PUBLISH) and not approved_alone(auftrag, person)


def approved_alone(auftrag: Assessment, person: Any) -> bool:
    """Whether a second person has to publish what they approved."""
    return bool(auftrag.vier_augen and auftrag.approved_by_id == person.pk)


def owes_eigenurteil(assessment: Assessment, person: Any) -> bool:
    """Only those are asked who may do something about the ratings."""
    may = person.has_perm(REVIEW) or person.has_perm(APPROVE)
    return bool(may and assessment.eigenurteil_offen(person))


def asked_first(request: HttpRequest, auftrag: Assessment) -> HttpResponse:
    """To the questions; a draft that was returned has none until it lies in the queue again."""
    if auftrag.status == Assessment.Status.DRAFT:
        return HttpResponseRedirect(
            reverse("admin:assessments_assessment_change", args=[auftrag.pk])
        )
    if request.method == "POST":
        reason = "Bitte bewerten Sie zuerst selbst. Entschieden oder gespeichert ist nichts."
        messages.warning(request, kept_note(reason, request))
    return HttpResponseRedirect(desk_url("eigenurteil", auftrag.pk))


def take_if_free(auftrag: Assessment, person: Any) -> None:
    """Whoever does something works on it. Who is refused hears why from the step itself."""
    with suppress(InvalidTransition):
        Reservierung.take(auftrag, by=person)


def queue() -> Any:
    return Assessment.objects.to_review().select_related(
        "antrag__parlament",
        "antrag__wahlperiode",
        "fassung__dokument",
        "lauf",
        "approved_by",
        "corrects__lauf",
    )


def typed_note(request: HttpRequest) -> str:
    """Raises InvalidTransition for one that is too long."""
    note = as_text(request.POST.get("note"))
    if len(note) > MAX_NOTE:
        raise InvalidTransition(
            f"Ihr Text ist zu lang: {len(note)} Zeichen, möglich sind {MAX_NOTE}."
        )
    return note


def kept_note(reason: str, request: HttpRequest) -> str:
    """What was typed for nothing, so that nobody has to type it again."""
    typed = [request.POST.get(name, "").strip() for name in ("note", "wortlaut")]
    texts = "; ".join(f"„{text}“" for text in typed if text)
    return f"{reason} Geschrieben hatten Sie: {texts}" if texts else reason


def _gone(request: HttpRequest, pk: int) -> HttpResponse:
    assessment = get_object_or_404(Assessment, pk=pk)
    label = assessment.get_status_display()
    messages.warning(request, f"{assessment} liegt nicht mehr in der Warteschlange: {label}.")
    return HttpResponseRedirect(reverse("admin:assessments_pruefauftrag_changelist"))


def page(request: HttpRequest, tisch: Tisch, name: str, context: dict[str, Any]) -> HttpResponse:
    auftrag = tisch.assessment
    user: Any = request.user
    ueberblick = survey(Assessment.objects.to_review())
    reservierung = reservierung_of(auftrag)
    editable = auftrag.is_editable and user.has_perm(REVIEW)
    base = {
        **admin.site.each_context(request),
        "title": f"Prüfen: Drs. {auftrag.antrag.drucksache}",
        "opts": Pruefauftrag._meta,
        "tisch": tisch,
        "auftrag": auftrag,
        "modell_des_entwurfs": modell_of(auftrag),
        "teil": name,
        "feldtitel": feldtitel,
        "darf_pruefen": editable,
        "darf_freigeben": user.has_perm(APPROVE),
        "darf_ablehnen": user.has_perm(REJECT),
        "darf_zurueckgeben": user.has_perm(RETURN),
        "darf_veroeffentlichen": user.has_perm(PUBLISH),
        "selbst_freigegeben": approved_alone(auftrag, user),
        "hat_eigenurteil": _has_eigenurteil(auftrag, user),
        "einwaende": _against_next_step(auftrag, user),
        "reservierung": reservierung,
        "sperre": _sperre(reservierung, user),
        "darf_reservieren": has_work(auftrag, user),
        "darf_uebernehmen": user.has_perm(REVIEW),
        "naechste": _next_ones(ueberblick),
        "gruende": _reasons(ueberblick),
        "schlange": len(ueberblick.reihe),
    }
    return TemplateResponse(request, f"assessments/desk/{name}.html", base | context)


def _has_eigenurteil(auftrag: Assessment, person: Any) -> bool:
    asked = bool(auftrag.eigenurteil_gefragt)
    return asked and auftrag.eigenurteile.filter(by=person.pk).exists()


def _against_next_step(auftrag: Assessment, person: Any) -> list[str]:
    verb, permission = NEXT_STEP[auftrag.status]
    return failed_checks(verb, auftrag) if person.has_perm(permission) else []


def modell_of(auftrag: Assessment) -> str:
    """The model that drafted it, or what it corrects; "" where none did."""
    lauf = entworfene(auftrag).lauf
    return lauf.modell if lauf else ""


def reservierung_of(auftrag: Assessment) -> Reservierung | None:
    """The lease that holds now."""
    rows = Reservierung.objects.active().select_related("person")
    return rows.filter(assessment=auftrag.pk).first()


def _sperre(reservierung: Reservierung | None, person: Any) -> str:
    """Why nothing can be decided now: somebody else works on it. "" where nobody does."""
    is_free = reservierung is None or reservierung.person_id == person.pk
    return "" if is_free else f"Die Bewertung ist {reservierung}."


def _next_ones(ueberblick: Ueberblick) -> list[tuple[Any, str]]:
    """The first of the queue, each with its reasons in words, for the side bar."""
    first = ueberblick.reihe[:SHOWN]
    rows = with_risk(Assessment.objects.to_review().filter(pk__in=first).with_counts())
    related = rows.select_related(
        "antrag__wahlperiode", "antrag__parlament", "reservierung__person"
    )
    return [(row, _in_words(row)) for row in sorted(related, key=lambda row: first.index(row.pk))]


def _in_words(row: Any) -> str:
    words = [risiko.label for risiko in risks_of(row) if risiko != Risiko.OFFEN]
    if row.offene:
        words.insert(0, "1 Beleg offen" if row.offene == 1 else f"{row.offene} Belege offen")
    if row.status == Assessment.Status.APPROVED:
        words.insert(0, "freigegeben")
    words = words or ["alle Belege entschieden"]
    return ", ".join(words + [word for word in [lease_in_words(row)] if word])


def lease_in_words(row: Any) -> str:
    """The lease of a row that was selected with its `reservierung__person`."""
    reservierung = getattr(row, "reservierung", None)
    is_over = reservierung is None or reservierung.bis <= timezone.now()
    return "" if is_over else str(reservierung)


def _reasons(ueberblick: Ueberblick) -> list[tuple[str, int, str]]:
    """Each reason of the queue with its number and the list of those that have it."""
    return [(risiko.label, ueberblick.anzahlen[risiko], liste(risiko)) for risiko in Risiko]


def liste(risiko: Risiko) -> str:
    """The queue, filtered by one reason."""
    return desk_url("changelist", risiko=risiko.value)
