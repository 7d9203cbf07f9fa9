from functools import partial
from typing import Any

from django.contrib import admin
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery, Sum, URLField
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils.formats import localize

from citations.admin_ansehen import NurAnsehen
from citations.models import Dokument, Extraktion
from parlamente.admin_festgelegt import FestgelegtAdmin

from .admin_abdeckung import abdeckung
from .admin_anzeige import ProgrammForm
from .admin_hochladen import hochladen
from .models import EinbettungsModell, ModellAufruf, Programm


@admin.register(Programm)
class ProgrammAdmin(FestgelegtAdmin):
    list_display = ["label", "parteien_liste", "parlament", "geltung", "seiten", "passagen"]
    list_filter = ["typ", "parlament", "parteien", "jahr"]
    list_select_related = ["parlament"]
    search_fields = ["titel", "parteien__kuerzel", "parteien__name", "parlament__name"]
    ordering = ["parlament__code", "-jahr", "pk"]
    show_full_result_count = False
    filter_horizontal = ["parteien"]
    form = ProgrammForm
    readonly_fields = ["dokument", "seiten", "passagen"]
    festgelegt = ("parteien", "parlament", "typ", "jahr", "gueltig")
    festgelegt_worte = "Parteien, Parlament, Art, Jahr und Geltung"
    formfield_overrides = {URLField: {"assume_scheme": "https"}}

    def is_shown(self, obj: Programm) -> bool:
        """Compared or quoted in an assessment that was ever published."""
        compared = Q(vergleiche__assessment__version__isnull=False)
        quoted = Q(dokument__extraktionen__zitate__belege__assessment__version__isnull=False)
        return Programm.objects.filter(compared | quoted, pk=obj.pk).exists()

    def get_queryset(self, request: HttpRequest) -> QuerySet[Programm]:
        newest = Extraktion.objects.filter(dokument=OuterRef("dokument")).order_by("-version")
        return (
            super()
            .get_queryset(request)
            .annotate(
                anzahl_seiten=Subquery(newest.values("seitenzahl")[:1]),
                anzahl_passagen=Count("chunks", distinct=True),
            )
            .prefetch_related("parteien")
        )

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view(partial(abdeckung, self))
        return [path("abdeckung/", view, name="programme_programm_abdeckung"), *super().get_urls()]

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        return hochladen(self, request)

    def save_model(self, request: HttpRequest, obj: Programm, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        shown = form.cleaned_data["anzeige"]
        Dokument.objects.filter(pk=obj.dokument_id).update(anzeige=shown)

    @admin.display(description="Anzeige")
    def anzeige(self, programm: Programm) -> str:
        """For those who may only look; the others have the form's field."""
        return programm.dokument.get_anzeige_display()

    @admin.display(description="Programm", ordering="jahr")
    def label(self, programm: Programm) -> str:
        return programm.label

    @admin.display(description="Parteien")
    def parteien_liste(self, programm: Programm) -> str:
        return ", ".join(sorted(partei.kuerzel for partei in programm.parteien.all()))

    @admin.display(description="gültig", ordering="gueltig")
    def geltung(self, programm: Programm) -> str:
        return programm.geltung

    @admin.display(description="Seiten", ordering="anzahl_seiten")
    def seiten(self, programm: Any) -> int | None:
        return programm.anzahl_seiten

    @admin.display(description="Passagen", ordering="anzahl_passagen")
    def passagen(self, programm: Any) -> int:
        return programm.anzahl_passagen


@admin.register(EinbettungsModell)
class EinbettungsModellAdmin(NurAnsehen, admin.ModelAdmin):
    list_display = ["name", "dims", "rolle", "vektoren"]
    ordering = ["pk"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[EinbettungsModell]:
        return super().get_queryset(request).annotate(anzahl=Count("einbettungen"))

    @admin.display(description="Vektoren", ordering="anzahl")
    def vektoren(self, modell: Any) -> int:
        return modell.anzahl


@admin.register(ModellAufruf)
class ModellAufrufAdmin(NurAnsehen, admin.ModelAdmin):
    """What the calls cost; the sums below the list are those of the filtered calls."""

    list_display = [
        *("am", "zweck", "modell", "prompt_version"),
        *("tokens_ein", "tokens_aus", "geschaetzt", "kosten", "sekunden", "fehler"),
    ]
    list_filter = ["zweck", "modell", "prompt_version", "geschaetzt", "fehler"]
    date_hierarchy = "am"
    ordering = ["-am", "-pk"]
    change_list_template = "programme/aufrufe.html"

    @admin.display(description="Dauer", ordering="dauer")
    def sekunden(self, aufruf: ModellAufruf) -> str:
        return f"{localize(round(aufruf.dauer, 1))} s"

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        response = super().changelist_view(request, extra_context)
        changelist = getattr(response, "context_data", {}).get("cl")
        if changelist:  # absent after a wrong filter, which redirects
            response.context_data["summen"] = changelist.queryset.aggregate(  # type: ignore[attr-defined]
                aufrufe=Count("pk"),
                tokens_ein=Sum("tokens_ein"),
                tokens_aus=Sum("tokens_aus"),
                kosten=Sum("kosten"),
            )
        return response
