"""The admin's page on which somebody confirms a programme that does not say what it is."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.cache import patch_cache_control

from citations.pictures import NO_PICTURE, page_image

from .erkennung import ERSTE_SEITEN
from .models import Programm

if TYPE_CHECKING:
    from .admin import ProgrammAdmin

A_DAY = 24 * 60 * 60


class VerwendungFilter(admin.SimpleListFilter):
    title = "Verwendung"
    parameter_name = "verwendung"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("bestaetigen", "zu bestätigen"), ("verwendet", "wird verwendet")]

    def queryset(self, request: HttpRequest, queryset: Any) -> QuerySet[Any] | None:
        match self.value():
            case "bestaetigen":
                return queryset.to_confirm()
            case "verwendet":
                return queryset.usable()
        return None


def may_confirm(request: HttpRequest) -> bool:
    return request.user.has_perm("programme.confirm_programm")


def bestaetigen(model_admin: "ProgrammAdmin", request: HttpRequest, pk: int) -> HttpResponse:
    """GET shows the doubts and the first pages, POST confirms what its page showed."""
    if not model_admin.has_view_permission(request):
        raise PermissionDenied
    programm = get_object_or_404(model_admin.get_queryset(request), pk=pk)
    if request.method == "POST":
        return _confirm(model_admin, request, programm)
    lesung = programm.dokument.lesung
    context = {
        **model_admin.admin_site.each_context(request),
        "title": "Ist das das richtige Programm?",
        "opts": model_admin.opts,
        "programm": programm,
        "darf_bestaetigen": may_confirm(request),
        "seiten": range(1, min(ERSTE_SEITEN, lesung.seitenzahl) + 1),
        "seitenzahl": lesung.seitenzahl,
    }
    return TemplateResponse(request, "programme/bestaetigen.html", context)


def _confirm(
    model_admin: "ProgrammAdmin", request: HttpRequest, programm: Programm
) -> HttpResponse:
    if not may_confirm(request):
        raise PermissionDenied
    if programm.confirm(durch=request.user.get_username(), gesehen=request.POST.getlist("gesehen")):
        model_admin.log_change(request, programm, f"bestätigt trotz: {' '.join(programm.zweifel)}")
        messages.success(request, f"{programm} ist bestätigt und wird von jetzt an verwendet.")
        return HttpResponseRedirect(reverse("admin:programme_programm_changelist"))
    messages.warning(
        request, "Nicht bestätigt: Jemand war schneller, oder die Zweifel sind jetzt andere."
    )
    return HttpResponseRedirect(request.path)


def seitenbild(
    model_admin: "ProgrammAdmin", request: HttpRequest, pk: int, index: int
) -> HttpResponse:
    """One of the first pages as an image."""
    if not model_admin.has_view_permission(request):
        raise PermissionDenied
    dokument = get_object_or_404(Programm, pk=pk).dokument
    if index > ERSTE_SEITEN or not dokument.lesung.seiten.filter(index=index).exists():
        raise Http404
    try:
        response = HttpResponse(page_image(dokument, index), content_type="image/webp")
    except NO_PICTURE as failure:
        raise Http404(str(failure)) from failure
    patch_cache_control(response, private=True, max_age=A_DAY)
    return response
