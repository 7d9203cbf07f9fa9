"""The assessments in the admin: the queue with the desk behind it, and all states."""

from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join

from konten.nur_ansehen import NurAnsehen
from parlamente.drucksache import KeineDrucksache, parse_drucksache

from .admin_filter import (
    BelegFilter,
    EinbringendFilter,
    GrundFilter,
    RisikoFilter,
    StandFilter,
    ZustandFilter,
)
from .admin_laeufe import LaufAdmin as LaufAdmin
from .desk.rahmen import (
    ANY,
    CORRECT,
    RERUN,
    SUBMIT,
    WITHDRAW,
    desk_url,
    lease_in_words,
    owes_eigenurteil,
    small_int,
)
from .desk.urls import urls
from .desk.verlauf import Ereignis
from .models import MAX_BERICHTIGUNG, Assessment, Pruefauftrag, ReviewEvent
from .risiko import by_risk, risks_of
from .vermerk import OHNE_MODELL

# What the model said, or what lets it be told.
VORENTHALTEN = {"gesamt", "zusammenfassung", "felder", "vergleiche"}
BERICHTIGUNG = "Berichtigung"


class BewertungAdmin(NurAnsehen, admin.ModelAdmin):
    """What the queue and the list of all assessments have in common."""

    list_select_related = ["antrag__parlament", "antrag__wahlperiode", "lauf"]
    search_fields = ["antrag__titel", "antrag__nummer", "antrag__urheber__roh"]
    search_help_text = "Titel, Urheber oder Drucksache (16/123)"
    show_full_result_count = False
    list_per_page = 50

    def get_queryset(self, request: HttpRequest) -> QuerySet[Assessment]:
        return super().get_queryset(request).with_counts()  # type: ignore[attr-defined]

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return any(request.user.has_perm(permission) for permission in ANY)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Not by the summary, which is kept back from whoever is asked for ratings of their own."""
        withheld = lookup.startswith("zusammenfassung")
        return not withheld and super().lookup_allowed(lookup, value, request)

    def get_search_results(
        self, request: HttpRequest, queryset: Any, search_term: str
    ) -> tuple[QuerySet[Assessment], bool]:
        try:
            number = parse_drucksache(search_term)
        except KeineDrucksache:
            # An originator's match comes once for each; here no row of the list comes twice.
            found, _ = super().get_search_results(request, Assessment.objects.all(), search_term)
            return queryset.filter(pk__in=found.values("pk")), False
        wahlperiode, nummer = number.wahlperiode, number.nummer
        return queryset.filter(
            antrag__wahlperiode__nummer=wahlperiode, antrag__nummer=nummer
        ), False

    @admin.display(description="Drucksache", ordering="antrag__nummer")
    def drucksache(self, assessment: Assessment) -> str:
        return assessment.antrag.drucksache

    @admin.display(description="Titel", ordering="antrag__titel")
    def titel(self, assessment: Assessment) -> str:
        return assessment.antrag.titel

    @admin.display(description="Parlament", ordering="antrag__parlament__code")
    def parlament(self, assessment: Assessment) -> str:
        return assessment.antrag.parlament.code

    @admin.display(description="entworfen", ordering="erstellt_am")
    def entworfen(self, assessment: Assessment) -> str:
        return date_format(timezone.localtime(assessment.erstellt_am), "d.m.Y")

    @admin.display(description="offen", ordering="offene")
    def offen(self, assessment: Any) -> int:
        return assessment.offene

    @admin.display(description="angenommen", ordering="angenommene")
    def angenommen(self, assessment: Any) -> int:
        return assessment.angenommene

    @admin.display(description="verworfen", ordering="verworfene")
    def verworfen(self, assessment: Any) -> int:
        return assessment.verworfene

    @admin.display(description="Modell", ordering="lauf__modell")
    def modell(self, assessment: Assessment) -> str:
        if assessment.corrects_id:
            return BERICHTIGUNG
        return (assessment.lauf.modell if assessment.lauf else "") or OHNE_MODELL


class QueueList(ChangeList):
    def url_for_result(self, result: Any) -> str:
        return desk_url("pruefen", result.pk)


@admin.register(Pruefauftrag)
class PruefauftragAdmin(BewertungAdmin):
    """The queue, by risk and then age; a row opens on the desk."""

    list_display = [
        *("drucksache", "titel", "gruende", "parlament", "entworfen"),
        *("stand", "offen", "angenommen", "verworfen", "modell"),
    ]
    list_display_links = ["drucksache", "titel"]
    list_select_related = [*BewertungAdmin.list_select_related, "reservierung__person"]
    list_filter = [
        RisikoFilter,
        ZustandFilter,
        BelegFilter,
        GrundFilter,
        ("antrag__parlament", admin.RelatedOnlyFieldListFilter),
        EinbringendFilter,
    ]
    ordering = ()  # that of `by_risk`

    def get_queryset(self, request: HttpRequest) -> QuerySet[Assessment]:
        return by_risk(super().get_queryset(request).to_review())  # type: ignore[attr-defined]

    @admin.display(description="Status", ordering="status")
    def stand(self, assessment: Assessment) -> str:
        words = [assessment.get_status_display(), lease_in_words(assessment)]
        return ", ".join(word for word in words if word)

    @admin.display(description="Gründe", ordering="risiko")
    def gruende(self, assessment: Any) -> str:
        return ", ".join(risiko.label for risiko in risks_of(assessment)) or "keine"

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return QueueList

    def get_urls(self) -> list[URLPattern]:
        return urls() + super().get_urls()

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        return super().changelist_view(request, {"title": "Warteschlange", **(extra_context or {})})

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        pk = small_int(object_id)
        if pk is None:
            raise Http404
        return HttpResponseRedirect(desk_url("pruefen", pk))


class ReviewEventInline(NurAnsehen, admin.TabularInline):
    model = ReviewEvent
    fields = readonly_fields = ("am", "was", "vorher", "nachher", "by", "note", "beleg")
    classes = ["ohne-kopf"]
    ordering = ["-pk"]
    extra = 0
    verbose_name_plural = "Verlauf"

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return True

    def get_queryset(self, request: HttpRequest) -> QuerySet[ReviewEvent]:
        return super().get_queryset(request).select_related("by", "beleg")

    @admin.display(description="Tätigkeit")
    def was(self, event: ReviewEvent) -> str:
        return Ereignis(event).wort

    @admin.display(description="von")
    def vorher(self, event: ReviewEvent) -> str:
        return Ereignis(event).von

    @admin.display(description="nach")
    def nachher(self, event: ReviewEvent) -> str:
        return Ereignis(event).nach


@admin.register(Assessment)
class AssessmentAdmin(BewertungAdmin):
    """All states, to look at; the verbs of drafts and published ones stand above the fields."""

    list_display = [
        *("drucksache", "titel", "parlament", "status", "version", "entworfen"),
        *("offen", "angenommen", "verworfen", "modell"),
    ]
    list_display_links = ["drucksache", "titel"]
    list_filter = [StandFilter, ("antrag__parlament", admin.RelatedOnlyFieldListFilter)]
    ordering = ["-erstellt_am", "-pk"]
    change_form_template = "assessments/desk/bewertung.html"
    inlines = [ReviewEventInline]
    fields = readonly_fields = (
        *("antrag_link", "fassung", "status", "version", "gesamt", "zusammenfassung", "themen"),
        *("felder", "vergleiche", "belege", "vier_augen", "approved_by", "approved_at"),
        *("published_by", "published_at", "corrects", "berichtigung"),
        *("lauf", "matrix_version", "formel_version", "erstellt_am"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Assessment]:
        return super().get_queryset(request).select_related(*self.list_select_related)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Nothing of the model's to whoever is asked for ratings of their own first."""
        if obj and owes_eigenurteil(obj, request.user):
            return [name for name in self.fields if name not in VORENTHALTEN]
        return self.fields

    def get_inlines(self, request: HttpRequest, obj: Any) -> Any:
        return [] if obj and owes_eigenurteil(obj, request.user) else self.inlines

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        user: Any = request.user
        verbs = {
            "darf_einreichen": user.has_perm(SUBMIT),
            "darf_berichtigen": user.has_perm(CORRECT),
            "darf_neu_bewerten": user.has_perm(RERUN),
            "darf_zurueckziehen": user.has_perm(WITHDRAW),
            "offene_berichtigung": Assessment.objects.open_corrections(
                small_int(object_id)
            ).first(),
            "neu_bewertbar": Assessment.RERUNNABLE,
            "max_grund": MAX_BERICHTIGUNG,
        }
        return super().change_view(request, object_id, form_url, (extra_context or {}) | verbs)

    @admin.display(description="Antrag")
    def antrag_link(self, assessment: Assessment) -> str:
        address = reverse("admin:parlamente_antrag_change", args=[assessment.antrag_id])
        antrag = assessment.antrag
        return format_html('<a href="{}">Drs. {}: {}</a>', address, antrag.drucksache, antrag.titel)

    @admin.display(description="Gesamtwert")
    def gesamt(self, assessment: Assessment) -> str:
        value = assessment.gesamtwert()
        return "kein Wert" if value is None else f"{value} von 10".replace(".", ",")

    @admin.display(description="Felder")
    def felder(self, assessment: Assessment) -> str:
        rows = assessment.feldbewertungen.order_by("feld")
        return _lines((str(row), row.begruendung) for row in rows)

    @admin.display(description="Vergleiche")
    def vergleiche(self, assessment: Assessment) -> str:
        rows = assessment.vergleiche.select_related("partei").order_by("partei__kuerzel", "pk")
        return _lines((f"{row}: {_result(row)}", row.begruendung) for row in rows)

    @admin.display(description="Belege")
    def belege(self, assessment: Any) -> str:
        return (
            f"{assessment.angenommene} angenommen, {assessment.offene} offen, "
            f"{assessment.verworfene} verworfen"
        )


def _result(vergleich: Any) -> str:
    score = vergleich.score
    return f"{score} von 10" if score is not None else vergleich.Ergebnis(vergleich.ergebnis).label


def _lines(rows: Any) -> str:
    return format_html_join("", "<p><b>{}</b> {}</p>", rows)
