from functools import partial
from typing import Any

from django.contrib import admin, messages
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery, Sum, URLField
from django.http import HttpRequest, HttpResponse
from django.urls import path, reverse
from django.utils.formats import localize
from django.utils.html import format_html

from citations.models import Dokument, Extraktion
from konten.nur_ansehen import NurAnsehen
from parlamente.admin_festgelegt import FestgelegtAdmin

from .admin_abdeckung import abdeckung
from .admin_anzeige import ProgrammForm
from .admin_bestaetigen import VerwendungFilter, bestaetigen, seitenbild
from .admin_hochladen import hochladen
from .models import Chunk, EinbettungsModell, ModellAufruf, Programm
from .zweifel import examine_again


@admin.register(Programm)
class ProgrammAdmin(FestgelegtAdmin):
    list_display = [
        *("label", "verwendung", "parteien_liste", "parlament", "geltung", "seiten", "passagen")
    ]
    list_filter = [VerwendungFilter, "typ", "parlament", "parteien", "jahr"]
    list_select_related = ["parlament"]
    search_fields = ["titel", "parteien__kuerzel", "parteien__name", "parlament__name"]
    ordering = ["parlament__code", "-jahr", "pk"]
    show_full_result_count = False
    filter_horizontal = ["parteien"]
    form = ProgrammForm
    readonly_fields = ["dokument", "seiten", "passagen", "verwendung"]
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
        def route(address: str, view: Any, name: str, **options: bool) -> Any:
            wrapped = self.admin_site.admin_view(partial(view, self), **options)
            return path(address, wrapped, name=f"programme_programm_{name}")

        return [
            route("abdeckung/", abdeckung, "abdeckung"),
            route("<int:pk>/bestaetigen/", bestaetigen, "bestaetigen"),
            route("<int:pk>/seite/<int:index>/", seitenbild, "seite", cacheable=True),
            *super().get_urls(),
        ]

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        return hochladen(self, request)

    def save_model(self, request: HttpRequest, obj: Programm, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        shown = form.cleaned_data["anzeige"]
        Dokument.objects.filter(pk=obj.dokument_id).update(anzeige=shown)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Other particulars are other names to look for, and nobody has confirmed them."""
        super().save_related(request, form, formsets, change)
        if not {"parteien", "parlament", "typ", "jahr"} & set(form.changed_data):
            return
        programm: Programm = form.instance
        programm.unconfirm()
        examine_again(programm)
        if not programm.verwendbar:
            words = f"{programm} wird nicht verwendet, bis es jemand bestätigt."
            self.message_user(request, f"{words} {' '.join(programm.zweifel)}", messages.WARNING)

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

    @admin.display(description="Verwendung")
    def verwendung(self, programm: Programm) -> str:
        """In words, with the way to the page that confirms."""
        if programm.verwendbar and not programm.zweifel:
            return "wird verwendet"
        words = "trotz Zweifeln bestätigt" if programm.verwendbar else "zu bestätigen"
        url = reverse("admin:programme_programm_bestaetigen", args=[programm.pk])
        return format_html('<a href="{}">{}</a>', url, words)

    @admin.display(description="Seiten", ordering="anzahl_seiten")
    def seiten(self, programm: Any) -> int | None:
        return programm.anzahl_seiten

    @admin.display(description="Passagen", ordering="anzahl_passagen")
    def passagen(self, programm: Any) -> int:
        return programm.anzahl_passagen


@admin.register(EinbettungsModell)
class EinbettungsModellAdmin(NurAnsehen, admin.ModelAdmin):
    """Only `manage.py reembed` changes which model is read and which is written."""

    list_display = ["name", "rolle", "vollstaendig", "vektoren", "dims", "adresse"]
    ordering = ["rolle", "pk"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[EinbettungsModell]:
        return super().get_queryset(request).annotate(anzahl=Count("einbettungen"))

    @admin.display(description="Vektoren", ordering="anzahl")
    def vektoren(self, modell: Any) -> int:
        return modell.anzahl

    @admin.display(description="vollständig")
    def vollstaendig(self, modell: EinbettungsModell) -> str:
        """For how many of the programmes questions can be compared with its vectors."""
        alle = Programm.objects.filter(Exists(Chunk.objects.filter(programm=OuterRef("pk"))))
        done = (anzahl := alle.count()) - Programm.objects.without_vectors_of(modell).count()
        # Rounded down: a hundred means that none is missing.
        prozent = done * 100 // anzahl if anzahl else 100
        return f"{prozent} % ({done} von {anzahl} Programmen)"


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
