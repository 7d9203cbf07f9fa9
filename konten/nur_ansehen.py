"""Rows that the system writes: the admin shows them, and nobody adds, changes or deletes them."""

from typing import Any

from django.http import HttpRequest


class NurAnsehen:
    """For a ModelAdmin or an inline, named before it among the bases."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
