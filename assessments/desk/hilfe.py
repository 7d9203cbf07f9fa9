"""A page of help: the handbook itself lies with the source and is not served."""

from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe

from .rahmen import ANY, require


@require_safe
def hilfe(request: HttpRequest) -> HttpResponse:
    require(request, *ANY)
    context = {
        **admin.site.each_context(request),
        "title": "Hilfe zum Prüftisch",
        "handbuch_url": settings.HANDBUCH_URL,
    }
    return TemplateResponse(request, "assessments/desk/hilfe.html", context)
