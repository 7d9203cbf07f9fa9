"""What the pages around the log-in have in common."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

View = Callable[..., HttpResponse]


def secret_page(view: View) -> View:
    """Stored nowhere, and known to no other site by a Referer.

    `same-origin` and not `no-referrer`: with that, browsers send `Origin: null` with our own forms,
    which the protection against CSRF must refuse.
    """

    @never_cache
    @sensitive_post_parameters()
    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        response["Referrer-Policy"] = "same-origin"
        return response

    return wrapped


def page(request: HttpRequest, template: str, **context: Any) -> TemplateResponse:
    return TemplateResponse(request, template, {**admin.site.each_context(request), **context})
