"""The filters of the queue; each asks the queryset's own question."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from parlamente.models import Partei

from .desk.rahmen import small_int
from .models import Assessment, Beleg
from .risiko import Risiko, count_risks, having

Options = list[tuple[Any, str]]


class RisikoFilter(admin.SimpleListFilter):
    """Why an assessment comes before others; the counts are those of the whole queue."""

    title = "Grund zur Prüfung"
    parameter_name = "risiko"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Options:
        counts = count_risks(Assessment.objects.to_review())
        return [(risiko.value, f"{risiko.label} ({counts[risiko]})") for risiko in Risiko]

    def queryset(self, request: HttpRequest, queryset: Any) -> QuerySet[Any] | None:
        chosen = self.value()
        if chosen not in Risiko.values:
            return None
        return having(queryset, Risiko(chosen))


class ZustandFilter(admin.SimpleListFilter):
    title = "Zustand"
    parameter_name = "zustand"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Options:
        return [
            ("offen", "mit offenen Belegen"),
            ("freigabe", "bereit zur Freigabe"),
            ("wartet", "freigegeben, wartet auf Veröffentlichung"),
        ]

    def queryset(self, request: HttpRequest, queryset: Any) -> QuerySet[Any] | None:
        match self.value():
            case "offen":
                return queryset.with_open_evidence()
            case "freigabe":
                return queryset.ready_to_approve()
            case "wartet":
                return queryset.ready_to_publish()
        return None


class BelegFilter(admin.SimpleListFilter):
    title = "Belege"
    parameter_name = "belege"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Options:
        return [("ungeprueft", "mit ungeprüften"), ("verworfen", "mit verworfenen")]

    def queryset(self, request: HttpRequest, queryset: Any) -> QuerySet[Any] | None:
        match self.value():
            case "ungeprueft":
                return queryset.with_open_evidence()
            case "verworfen":
                return queryset.with_evidence(zustand=Beleg.Zustand.VERWORFEN)
        return None


class GrundFilter(admin.SimpleListFilter):
    title = "Grund eines offenen Belegs"
    parameter_name = "grund"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Options:
        open_reasons = (
            Beleg.objects.offen()
            .filter(assessment__in=Assessment.objects.to_review())
            .order_by("grund")
            .values_list("grund", flat=True)
            .distinct()
        )
        return [(grund, Beleg.Grund(grund).label) for grund in open_reasons if grund]

    def queryset(self, request: HttpRequest, queryset: Any) -> QuerySet[Any] | None:
        if not self.value():
            return None
        return queryset.with_evidence(zustand=Beleg.Zustand.OFFEN, grund=self.value())


class EinbringendFilter(admin.SimpleListFilter):
    title = "eingebracht von"
    parameter_name = "partei"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Options:
        waiting = Assessment.objects.to_review().values("antrag")
        parteien = Partei.objects.filter(urheber__antrag__in=waiting).distinct()
        return list(parteien.order_by("kuerzel").values_list("pk", "kuerzel"))

    def queryset(self, request: HttpRequest, queryset: Any) -> QuerySet[Any] | None:
        partei = small_int(self.value() or "")
        if partei is None:
            return None
        from_partei = Assessment.objects.filter(antrag__urheber__parteien=partei)
        return queryset.filter(pk__in=from_partei.values("pk"))


class StandFilter(admin.SimpleListFilter):
    title = "Status"
    parameter_name = "status"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Options:
        return list(Assessment.Status.choices)

    def queryset(self, request: HttpRequest, queryset: Any) -> QuerySet[Any] | None:
        return queryset.filter(status=self.value()) if self.value() else None
