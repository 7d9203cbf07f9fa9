"""The runs in the admin: start one, watch it, start a failed one again."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.widgets import AutocompleteSelect
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from parlamente.models import Antrag

from .desk.rahmen import ANY
from .models import Assessment, InvalidTransition, Lauf
from .tasks import enqueue_assessment, retry_assessment


class LaufForm(forms.ModelForm):
    antrag = forms.ModelChoiceField(
        label="Antrag",
        queryset=Antrag.objects.filter(fassungen__isnull=False).distinct(),
        widget=AutocompleteSelect(Assessment._meta.get_field("antrag"), admin.site),
        help_text="Bewertet wird die neueste Fassung. Es arbeitet die Warteschlange.",
        error_messages={"invalid_choice": "Zu diesem Antrag liegt kein Text vor."},
    )

    class Meta:
        model = Lauf
        fields: tuple[str, ...] = ()


@admin.register(Lauf)
class LaufAdmin(admin.ModelAdmin):
    form = LaufForm
    list_display = [
        *("antrag", "status", "schritt", "versuche", "modell", "angelegt_am"),
        *("beendet_am", "fehler"),
    ]
    list_filter = ["status", "modell", "prompt_version"]
    list_select_related = ["fassung__antrag__parlament", "fassung__antrag__wahlperiode"]
    search_fields = ["fassung__antrag__titel", "fassung__antrag__nummer", "fehler"]
    ordering = ["-pk"]
    show_full_result_count = False
    actions = ["retry"]
    readonly_fields = (
        *("fassung", "status", "schritt", "versuche", "herzschlag", "fehler", "modell"),
        *("prompt_version", "aufrufe", "angelegt_am", "beendet_am"),
    )

    @admin.display(description="Antrag", ordering="fassung__antrag__nummer")
    def antrag(self, lauf: Lauf) -> str:
        return str(lauf.fassung.antrag)

    @admin.action(description="Gescheiterte noch einmal starten", permissions=["add"])
    def retry(self, request: HttpRequest, queryset: QuerySet[Lauf]) -> None:
        for lauf in queryset:
            try:
                retry_assessment(lauf)
            except InvalidTransition as reason:
                self.message_user(request, f"{lauf}: {reason}", messages.WARNING)
            else:
                self.message_user(request, f"{lauf} wartet wieder.", messages.SUCCESS)

    # --- Starting ------------------------------------------------------------------------------

    def get_fields(self, request: HttpRequest, obj: Lauf | None = None) -> Any:
        return self.readonly_fields if obj else ["antrag"]

    def save_model(self, request: HttpRequest, obj: Lauf, form: Any, change: bool) -> None:
        lauf = enqueue_assessment(form.cleaned_data["antrag"].fassung)
        obj.pk = lauf.pk
        obj.refresh_from_db()

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        try:
            return super().add_view(request, form_url, extra_context)
        except InvalidTransition as reason:
            self.message_user(request, str(reason), messages.WARNING)
            return HttpResponseRedirect(reverse("admin:assessments_lauf_changelist"))

    def response_add(
        self, request: HttpRequest, obj: Lauf, post_url_continue: str | None = None
    ) -> HttpResponse:
        self.message_user(
            request,
            f"{obj} wartet. Die Seite neu laden zeigt, wie weit er ist; danach steht die Bewertung "
            "in der Warteschlange der Redaktion.",
            messages.SUCCESS,
        )
        return self.response_post_save_add(request, obj)

    # --- Permissions ---------------------------------------------------------------------------

    def has_view_permission(self, request: HttpRequest, obj: Lauf | None = None) -> bool:
        return any(request.user.has_perm(permission) for permission in ANY)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_change_permission(self, request: HttpRequest, obj: Lauf | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Lauf | None = None) -> bool:
        return False
