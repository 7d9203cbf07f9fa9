from typing import Any

from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import CharField, Field, JSONField, QuerySet, URLField
from django.forms import BaseInlineFormSet, ModelForm, Textarea, TextInput
from django.http import HttpRequest, HttpResponse
from django.utils.functional import cached_property

from konten.nur_ansehen import NurAnsehen

from .admin_festgelegt import FestgelegtAdmin
from .admin_hochladen import hochladen
from .drucksache import KeineDrucksache, parse_drucksache
from .facts import require_apart
from .models import Antrag, Fassung, Parlament, Partei, Regierung, Urheber, Wahlperiode


def mark_as_edited(form: ModelForm) -> None:
    """What an editor changed belongs to the editors; only unticking the box gives it back."""
    if set(form.changed_data) - {"von_redaktion"}:
        form.instance.von_redaktion = True


class FaktenAdmin(admin.ModelAdmin):
    """Rows that come from the data file until an editor changes them."""

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        mark_as_edited(form)
        super().save_model(request, obj, form, change)

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        for row in formset.forms:
            mark_as_edited(row)
        super().save_formset(request, form, formset, change)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        # Originators and programmes hang on parties and parliaments.
        return False


class FaktenFormSet(BaseInlineFormSet):
    def clean(self) -> None:
        super().clean()
        for form in self.deleted_forms:
            if not form.instance.von_redaktion:
                raise ValidationError(
                    f"„{form.instance}“ stammt aus der Datendatei und käme beim nächsten Laden"
                    " wieder. Ändern Sie die Zeile, oder setzen Sie die Sicherheit auf „unbekannt“."
                )


class ParteienFormSet(BaseInlineFormSet):
    """Rows with a choice of parties."""

    @cached_property
    def partei_choices(self) -> list[tuple[Any, str]]:
        # Once for the page; each row would ask the database again.
        return [(partei.pk, str(partei)) for partei in Partei.objects.order_by("kuerzel")]

    def add_fields(self, form: Any, index: int | None) -> None:
        super().add_fields(form, index)
        if "parteien" in form.fields:  # absent for those who may only look
            form.fields["parteien"].choices = self.partei_choices


class RegierungFormSet(ParteienFormSet, FaktenFormSet):
    def clean(self) -> None:
        super().clean()
        rows = [form.cleaned_data for form in self.forms if form not in self.deleted_forms]
        periods = [(row["von"], row.get("bis")) for row in rows if row.get("von")]
        try:
            require_apart(periods)
        except ValueError as error:
            raise ValidationError(f"Regierungen: {error}.") from error


# So that the certainty of a row stays in sight beside its facts.
NARROW: dict[type[Field], dict[str, Any]] = {
    CharField: {"widget": TextInput(attrs={"size": 16})},
    JSONField: {"widget": Textarea(attrs={"rows": 3, "cols": 30})},
}


class WahlperiodeInline(admin.TabularInline):
    model = Wahlperiode
    formset = FaktenFormSet
    extra = 0
    ordering = ["-nummer"]
    formfield_overrides = NARROW

    def get_queryset(self, request: HttpRequest) -> QuerySet[Wahlperiode]:
        return super().get_queryset(request).select_related("parlament")


class RegierungInline(admin.TabularInline):
    model = Regierung
    formset = RegierungFormSet
    extra = 0
    ordering = ["-von"]
    formfield_overrides = NARROW

    def get_queryset(self, request: HttpRequest) -> QuerySet[Regierung]:
        rows = super().get_queryset(request)
        return rows.select_related("parlament").prefetch_related("parteien")


@admin.register(Parlament)
class ParlamentAdmin(FaktenAdmin):
    list_display = ["name", "code", "land", "muster", "von_redaktion"]
    list_filter = ["muster", "von_redaktion"]
    search_fields = ["name", "code", "land"]
    ordering = ["name"]
    inlines = [RegierungInline, WahlperiodeInline]
    formfield_overrides = {JSONField: {"widget": Textarea(attrs={"rows": 3})}}


@admin.register(Partei)
class ParteiAdmin(FaktenAdmin):
    list_display = ["kuerzel", "name", "aliase", "muster", "von_redaktion"]
    list_filter = ["muster", "von_redaktion"]
    search_fields = ["kuerzel", "name", "aliase"]
    ordering = ["kuerzel"]


def is_published(antrag: Antrag) -> bool:
    """Whether an assessment of it was ever published."""
    return antrag.assessments.filter(version__isnull=False).exists()


class UrheberInline(admin.TabularInline):
    model = Urheber
    formset = ParteienFormSet
    extra = 0

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_add_permission(request, obj) and self._is_open(obj)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_change_permission(request, obj) and self._is_open(obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_delete_permission(request, obj) and self._is_open(obj)

    def _is_open(self, antrag: Antrag | None) -> bool:
        return antrag is None or not is_published(antrag)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Urheber]:
        return super().get_queryset(request).order_by("pk").prefetch_related("parteien")


class FassungInline(NurAnsehen, admin.TabularInline):
    """The texts of a motion are what came in; none is added or changed by hand."""

    model = Fassung
    fields = readonly_fields = ("nr", "bezeichnung", "dokument", "abgerufen_am")
    ordering = ["nr"]


@admin.register(Antrag)
class AntragAdmin(FestgelegtAdmin):
    list_display = ["drucksache", "parlament", "titel", "datum", "eingebracht_von"]
    list_display_links = ["drucksache", "titel"]
    list_filter = ["parlament", "typ", "urheber__parteien"]
    search_fields = ["titel", "nummer", "urheber__roh"]
    search_help_text = "Titel, Urheber oder Drucksache (16/123)"
    ordering = ["-datum", "-pk"]
    list_per_page = 50
    show_full_result_count = False
    fields = [
        "parlament",
        "drucksache",
        "datum",
        "titel",
        "typ",
        "quelle_url",
        "fremd_id",
        "angelegt_am",
    ]
    # Its identity; a motion with a wrong number is deleted and uploaded again.
    readonly_fields = ["parlament", "drucksache", "fremd_id", "angelegt_am"]
    festgelegt = ("datum", "titel", "typ")
    festgelegt_worte = "Datum, Titel, Art und Urheber"
    inlines = [UrheberInline, FassungInline]
    formfield_overrides = {URLField: {"assume_scheme": "https"}}

    def is_shown(self, obj: Antrag) -> bool:
        return is_published(obj)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Antrag]:
        return Antrag.objects.with_urheber()

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Antrag], search_term: str
    ) -> tuple[QuerySet[Antrag], bool]:
        try:
            number = parse_drucksache(search_term)
        except KeineDrucksache:
            return super().get_search_results(request, queryset, search_term)
        found = queryset.filter(wahlperiode__nummer=number.wahlperiode, nummer=number.nummer)
        return found, False

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """A motion is never typed in field by field: it comes with its file."""
        return hochladen(self, request)

    @admin.display(description="eingebracht von")
    def eingebracht_von(self, antrag: Antrag) -> str:
        return ", ".join(partei.kuerzel for partei in antrag.einbringende())
