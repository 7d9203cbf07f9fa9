"""Documents, readings, quotes and their checks, to look at only: nobody edits a place by hand."""

from typing import Any

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest

from konten.nur_ansehen import NurAnsehen

from .models import Dokument, Extraktion, Pruefung, Zitat


class AnsehenAdmin(NurAnsehen, admin.ModelAdmin):  # type: ignore[type-arg]  # stubs only
    show_full_result_count = False
    list_per_page = 50


@admin.register(Dokument)
class DokumentAdmin(AnsehenAdmin):
    list_display = ["name", "pruefsumme", "bytes", "anzeige", "eingelesen_am", "lesungen"]
    list_display_links = ["name", "pruefsumme"]
    list_filter = ["anzeige"]
    search_fields = ["name", "sha256", "quelle_url"]
    ordering = ["-pk"]
    # Documents are served by views only, so the file is not a link here.
    fields = readonly_fields = (
        *("name", "sha256", "bytes", "anzeige", "quelle_url", "eingelesen_am", "lesungen"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Dokument]:
        return super().get_queryset(request).annotate(anzahl=Count("extraktionen"))

    @admin.display(description="SHA-256", ordering="sha256")
    def pruefsumme(self, dokument: Dokument) -> str:
        return dokument.sha256[:12]

    @admin.display(description="Lesungen", ordering="anzahl")
    def lesungen(self, dokument: Any) -> int:
        return dokument.anzahl


@admin.register(Extraktion)
class ExtraktionAdmin(AnsehenAdmin):
    list_display = ["dokument", "version", "status", "grund", "seitenzahl", "anzahl_befunde", "am"]
    list_filter = ["status", "version"]
    list_select_related = ["dokument"]
    search_fields = ["dokument__name", "dokument__sha256"]
    ordering = ["-pk"]
    fields = readonly_fields = (
        *("dokument", "version", "status", "grund", "seitenzahl", "befunde", "am"),
    )

    @admin.display(description="Befunde")
    def anzahl_befunde(self, lesung: Extraktion) -> int:
        return len(lesung.befunde)


class PruefungInline(NurAnsehen, admin.TabularInline):  # type: ignore[type-arg]  # stubs only
    model = Pruefung
    fields = readonly_fields = ("am", "ergebnis", "gegenstand", "grund")
    ordering = ["-am"]
    extra = 0


@admin.register(Zitat)
class ZitatAdmin(AnsehenAdmin):
    list_display = ["anfang", "dokument", "seite", "grade", "am"]
    list_filter = ["grade"]
    list_select_related = ["extraktion__dokument"]
    search_fields = ["text", "extraktion__dokument__name"]
    ordering = ["-pk"]
    inlines = [PruefungInline]
    fields = readonly_fields = ("dokument", "seite", "text", "grade", "spans", "rects", "am")

    @admin.display(description="Wortlaut", ordering="text")
    def anfang(self, zitat: Zitat) -> str:
        return f"{zitat.text[:80]}…" if len(zitat.text) > 80 else zitat.text

    @admin.display(description="Dokument")
    def dokument(self, zitat: Zitat) -> str:
        return str(zitat.extraktion.dokument)


@admin.register(Pruefung)
class PruefungAdmin(AnsehenAdmin):
    list_display = ["am", "ergebnis", "gegenstand", "grund", "zitat"]
    list_filter = ["ergebnis", "gegenstand"]
    list_select_related = ["zitat__extraktion__dokument"]
    search_fields = ["grund", "zitat__text"]
    ordering = ["-am", "-pk"]
    fields = readonly_fields = ("zitat", "am", "ergebnis", "gegenstand", "grund")
