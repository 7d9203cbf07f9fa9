"""Reports in the admin: the list of all, and the page of each (`bearbeiten`)."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path

from konten.nur_ansehen import NurAnsehen

from .bearbeiten import bearbeiten, entscheiden
from .models import Meldung
from .schlange import may_look


@admin.register(Meldung)
class MeldungAdmin(NurAnsehen, admin.ModelAdmin):
    """The texts stand on the pages of the reports only."""

    list_display = ["eingegangen_am", "drucksache", "art", "status", "entschieden_am"]
    list_filter = ["status", "art"]
    list_select_related = ["assessment__antrag__wahlperiode", "assessment__antrag__parlament"]
    ordering = ["-eingegangen_am", "-pk"]
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Meldung]:
        return super().get_queryset(request).defer("text")

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return may_look(request.user)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return may_look(request.user)

    def get_urls(self) -> list[URLPattern]:
        decide = path(
            "<int:pk>/entscheiden/<str:verb>/",
            self.admin_site.admin_view(entscheiden),
            name="meldungen_meldung_entscheiden",
        )
        return [decide, *super().get_urls()]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        return super().changelist_view(request, {"title": "Hinweise", **(extra_context or {})})

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        return bearbeiten(request, object_id)

    @admin.display(description="Drucksache", ordering="assessment__antrag__nummer")
    def drucksache(self, meldung: Meldung) -> str:
        antrag = meldung.assessment.antrag
        return f"{antrag.parlament.code} {antrag.drucksache}, Fassung {meldung.assessment.version}"
