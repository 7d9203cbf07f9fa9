"""What the admin's upload forms have in common: a PDF of bearable size, and the page around it."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin
from django.contrib.admin.helpers import Fieldset
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse


class PdfField(forms.FileField):
    """A file no larger than PDF_MAX_BYTES; whether it is a PDF is found out by reading it."""

    def clean(self, data: Any, initial: Any = None) -> Any:
        datei = super().clean(data, initial)
        if datei.size > settings.PDF_MAX_BYTES:
            limit = settings.PDF_MAX_BYTES // (1024 * 1024)
            raise ValidationError(f"Die Datei ist größer als {limit} MB.")
        return datei


def upload_page(
    model_admin: "admin.ModelAdmin[Any]",
    request: HttpRequest,
    form: forms.Form,
    *,
    titel: str,
    hinweis: str = "",
) -> HttpResponse:
    """The form, empty or with what is wrong in it."""
    context = {
        **model_admin.admin_site.each_context(request),
        "title": titel,
        "hinweis": hinweis,
        "opts": model_admin.opts,
        "form": form,
        # Only its fields are read, which every form has.
        "fieldset": Fieldset(form, fields=list(form.fields)),  # type: ignore[arg-type]
    }
    return TemplateResponse(request, "citations/hochladen.html", context)
