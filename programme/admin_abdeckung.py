"""The admin's page of what programmes are there and what is missing."""

from typing import TYPE_CHECKING

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse

from .abdeckung import tafeln

if TYPE_CHECKING:
    from .admin import ProgrammAdmin


def abdeckung(model_admin: "ProgrammAdmin", request: HttpRequest) -> HttpResponse:
    if not model_admin.has_view_permission(request):
        raise PermissionDenied
    context = {
        **model_admin.admin_site.each_context(request),
        "title": "Abdeckung",
        "opts": model_admin.opts,
        "tafeln": tafeln(),
    }
    return TemplateResponse(request, "programme/abdeckung.html", context)
