from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin  # noqa: F401  registers what is taken off below
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django_otp.plugins.otp_static.admin import StaticDeviceAdmin  # noqa: F401  the same
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.admin import TOTPDeviceAdmin  # noqa: F401  the same
from django_otp.plugins.otp_totp.models import TOTPDevice

from .admin_konto import einladen, faktor_zuruecksetzen, link_ausstellen, may_invite, widerrufen
from .models import Anmeldeversuch, Einladung, Konto, Kontoereignis
from .nur_ansehen import NurAnsehen
from .rechte import NichtErlaubt, givable_groups, may_manage
from .zugang import change_access

# Django's form of a user sets passwords and makes superusers, those of the devices show their keys.
admin.site.unregister([User, TOTPDevice, StaticDevice])


@admin.register(Anmeldeversuch)
class AnmeldeversuchAdmin(NurAnsehen, admin.ModelAdmin):
    list_display = ["zeitpunkt", "konto", "adresse", "schritt", "erfolg"]
    list_filter = ["schritt", "erfolg"]
    list_select_related = ["konto"]
    ordering = ["-zeitpunkt"]
    show_full_result_count = False


class KontoereignisInline(NurAnsehen, admin.TabularInline):
    model = Kontoereignis
    fk_name = "konto"
    fields = ["zeitpunkt", "art", "durch", "vermerk"]
    readonly_fields = ["zeitpunkt", "art", "durch", "vermerk"]
    ordering = ["-zeitpunkt"]
    verbose_name_plural = "Was mit dem Konto geschah"
    classes = ["ohne-kopf"]


@admin.register(Kontoereignis)
class KontoereignisAdmin(NurAnsehen, admin.ModelAdmin):
    list_display = ["zeitpunkt", "konto", "art", "durch", "vermerk"]
    list_filter = ["art"]
    list_select_related = ["konto", "durch"]
    search_fields = ["konto__username"]
    ordering = ["-zeitpunkt"]
    show_full_result_count = False


class ZustandFilter(admin.SimpleListFilter):
    title = "Zustand"
    parameter_name = "zustand"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return Einladung.Zustand.choices

    def queryset(self, request: HttpRequest, queryset: Any) -> QuerySet[Any] | None:
        zustand = self.value()
        return queryset.in_zustand(zustand) if zustand in Einladung.Zustand.values else None


@admin.register(Einladung)
class EinladungAdmin(NurAnsehen, admin.ModelAdmin):
    list_display = [
        *("konto", "zweck", "zustand", "ausgestellt_durch", "ausgestellt_am", "gueltig_bis"),
        "eingeloest_am",
    ]
    list_filter = [ZustandFilter, "zweck"]
    list_select_related = ["konto", "ausgestellt_durch"]
    search_fields = ["konto__username"]
    ordering = ["-ausgestellt_am"]
    show_full_result_count = False
    fields = [
        *("konto", "zweck", "zustand", "ausgestellt_durch", "ausgestellt_am", "gueltig_bis"),
        *("eingeloest_am", "widerrufen_am"),
    ]
    readonly_fields = ["zustand"]

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return may_invite(request)

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view(widerrufen)
        return [
            path("<int:pk>/widerrufen/", view, name="konten_einladung_widerrufen"),
            *super().get_urls(),
        ]

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        return einladen(request)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        einladung = self.get_object(request, object_id)
        context = {
            "darf_widerrufen": isinstance(einladung, Einladung)
            and einladung.zustand == Einladung.Zustand.OFFEN
            and may_invite(request)
            and may_manage(request.user, einladung.konto),
        }
        return super().change_view(request, object_id, form_url, context | (extra_context or {}))

    @admin.display(description="Zustand")
    def zustand(self, einladung: Einladung) -> str:
        return einladung.zustand.label


class KontoForm(forms.ModelForm):
    class Meta:
        model = Konto
        fields = ["first_name", "last_name", "is_active", "groups"]
        labels = {"is_active": "Zugang", "is_superuser": "Superuser"}
        help_texts = {
            "username": "",
            "is_superuser": "Darf alles. Das gibt und nimmt nur, wer den Server betreibt.",
            "is_active": "Ohne Haken kann sich mit diesem Konto niemand anmelden. Was die Person "
            "getan hat, bleibt verzeichnet.",
            "groups": "Zur Auswahl stehen die Gruppen, deren Rechte Sie selbst haben.",
        }
        widgets = {"groups": forms.CheckboxSelectMultiple}


@admin.register(Konto)
class KontoAdmin(admin.ModelAdmin):
    """Names, groups and access; nobody's own, and nothing by which somebody gets more."""

    form = KontoForm
    list_display = ["username", "name", "gruppen", "is_active", "last_login", "faktor"]
    list_filter = ["is_active", "groups"]
    search_fields = ["username", "first_name", "last_name"]
    ordering = ["username"]
    show_full_result_count = False
    fields = [
        *("username", "first_name", "last_name", "is_active", "groups"),
        *("is_superuser", "last_login", "faktor"),
    ]
    readonly_fields = ["username", "is_superuser", "last_login", "faktor"]
    inlines = [KontoereignisInline]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        may = super().has_change_permission(request, obj)
        return may and (obj is None or may_manage(request.user, obj))

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """As Django's own: asked for letter by letter, the list would tell a password's hash."""
        secret = lookup.startswith("password")
        return not secret and super().lookup_allowed(lookup, value, request)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Konto]:
        device = TOTPDevice.objects.filter(user=OuterRef("pk"), confirmed=True)
        found = super().get_queryset(request).annotate(hat_faktor=Exists(device))
        return found.prefetch_related("groups")

    def get_urls(self) -> list[Any]:
        def route(address: str, view: Any, name: str) -> Any:
            wrapped = self.admin_site.admin_view(view)
            return path(f"<int:pk>/{address}/", wrapped, name=f"konten_konto_{name}")

        return [
            route("link", link_ausstellen, "link"),
            route("zweiter-faktor", faktor_zuruecksetzen, "faktor"),
            *super().get_urls(),
        ]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        konto: Any = self.get_object(request, object_id)
        context: dict[str, bool] = {}
        if konto and may_manage(request.user, konto):
            reset = request.user.has_perm("konten.reset_zweiter_faktor")
            context = {
                "darf_link": konto.is_active and may_invite(request),
                "darf_faktor": konto.hat_faktor and reset,
                "neu": not konto.has_usable_password(),
            }
        return super().change_view(request, object_id, form_url, context | (extra_context or {}))

    def formfield_for_dbfield(self, db_field: Any, request: Any, **kwargs: Any) -> Any:
        """Without the admin's buttons for making groups."""
        if db_field.name == "groups":
            kwargs["queryset"] = givable_groups(request.user)
            return db_field.formfield(**kwargs)
        return super().formfield_for_dbfield(db_field, request, **kwargs)

    def save_model(self, request: HttpRequest, obj: Konto, form: Any, change: bool) -> None:
        """The names only: saving the whole row would undo what happens to it at the same moment."""
        names = {name: form.cleaned_data[name] for name in ("first_name", "last_name")}
        Konto.objects.filter(pk=obj.pk).update(**names)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        given = form.cleaned_data
        try:
            change_access(
                form.instance, by=request.user, groups=given["groups"], is_active=given["is_active"]
            )
        except NichtErlaubt as refused:
            raise PermissionDenied(str(refused)) from refused
        for formset in formsets:  # the record: saves nothing, and says so to the admin
            self.save_formset(request, form, formset, change)

    @admin.display(description="Name")
    def name(self, konto: Konto) -> str:
        return konto.get_full_name()

    @admin.display(description="Gruppen")
    def gruppen(self, konto: Konto) -> str:
        names = sorted(group.name for group in konto.groups.all())
        return ", ".join(["Superuser"] * konto.is_superuser + names)

    @admin.display(description="zweiter Faktor", boolean=True)
    def faktor(self, konto: Konto) -> bool:
        return konto.hat_faktor  # type: ignore[attr-defined]
