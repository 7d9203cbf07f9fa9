"""Rows that published pages show: what readers see of them no longer changes by a form.

A published assessment never changes, so neither may what it is about. Which rows are shown is asked
by reverse relations: the apps down here know no assessments.
"""

from typing import Any

from django.contrib import admin, messages
from django.http import HttpRequest

GRUND = (
    "Eine veröffentlichte Bewertung zeigt diese Angaben. Was veröffentlicht ist, ändert sich nicht "
    "mehr: {felder} lassen sich deshalb nur noch ansehen."
)


class FestgelegtAdmin(admin.ModelAdmin):
    """`festgelegt` are the fields that readers see; `festgelegt_worte` names them in German."""

    festgelegt: tuple[str, ...] = ()
    festgelegt_worte = ""

    def is_shown(self, obj: Any) -> bool:
        """Whether something that was ever published refers to the row."""
        raise NotImplementedError

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        fields = super().get_readonly_fields(request, obj)
        if obj is None or not self.is_shown(obj):
            return fields
        return [*fields, *self.festgelegt]

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        fieldsets = super().get_fieldsets(request, obj)
        if obj is None or not self.is_shown(obj):
            return fieldsets
        reason = {"description": GRUND.format(felder=self.festgelegt_worte)}
        return [(name, {**options, **reason}) for name, options in fieldsets]

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        allowed = super().has_delete_permission(request, obj)
        return allowed and (obj is None or not self.is_shown(obj))

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Says so where the page was opened before the publication and saved behind it."""
        super().save_model(request, obj, form, change)
        if change and set(self.festgelegt) & set(request.POST) and self.is_shown(obj):
            self.message_user(
                request,
                f"Nicht geändert: {self.festgelegt_worte}. Inzwischen ist eine Bewertung "
                "veröffentlicht, die sie zeigt.",
                messages.WARNING,
            )
