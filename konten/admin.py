from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from .models import Anmeldeversuch


@admin.register(Anmeldeversuch)
class AnmeldeversuchAdmin(admin.ModelAdmin):
    """To look at only."""

    list_display = ["zeitpunkt", "konto", "adresse", "erfolg"]
    list_filter = ["erfolg"]
    list_select_related = ["konto"]
    ordering = ["-zeitpunkt"]
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
