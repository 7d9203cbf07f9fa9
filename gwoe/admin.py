from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from django.conf import settings
from django.contrib import admin
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache

View = TypeVar("View", bound=Callable[..., HttpResponseBase])


class RedaktionSite(admin.AdminSite):
    """The editors' desk: Django's stock admin under our own name and style sheet."""

    site_header = "Redaktion GWÖ-Antragsprüfer"
    site_title = "Redaktion"
    index_title = "Übersicht"
    index_template = "gwoe/start.html"
    enable_nav_sidebar = True

    def has_permission(self, request: HttpRequest) -> bool:
        """Of the editors, and with both factors where two are asked for."""
        from konten.zweiter_faktor import is_asked_for

        return super().has_permission(request) and not is_asked_for(request)

    @method_decorator(never_cache)
    def login(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """As Django's, with a step of our own that may be the first of two."""
        from .anmeldung import Anmeldung, PasswortSchritt

        if request.method == "GET" and self.has_permission(request):
            return redirect("admin:index")
        context = {
            **self.each_context(request),
            "title": "Anmelden",
            "subtitle": None,
            "app_path": request.get_full_path(),
            "username": request.user.get_username(),
            **(extra_context or {}),
        }
        if settings.ZWEITER_FAKTOR:
            context["user"] = AnonymousUser()  # who has one factor of two is nobody yet
        if not {REDIRECT_FIELD_NAME} & {*request.GET, *request.POST}:
            context[REDIRECT_FIELD_NAME] = reverse("admin:index")
        view = PasswortSchritt.as_view(
            extra_context=context,
            authentication_form=Anmeldung,
            template_name="admin/login.html",
        )
        return cast(HttpResponse, view(request))

    def password_change(self, request: HttpRequest, extra_context: Any = None) -> TemplateResponse:
        """As Django's, with a form that counts wrong passwords."""
        from .anmeldung import PasswortSeite

        context = {**self.each_context(request), **(extra_context or {})}
        view = PasswortSeite.as_view(
            success_url=reverse("admin:password_change_done"), extra_context=context
        )
        return cast(TemplateResponse, view(request))

    def get_urls(self) -> list[Any]:
        from konten import faktor_seiten
        from konten.einloesen import einloesen

        device = self.admin_view(faktor_seiten.geraet)
        return [
            path("einladung/", einloesen, name="einladung"),
            path("zweiter-faktor/", faktor_seiten.code, name="zweiter_faktor"),
            path(
                "zweiter-faktor/einrichten/",
                faktor_seiten.einrichten,
                name="zweiter_faktor_einrichten",
            ),
            path("zweiter-faktor/geraet/", device, name="zweiter_faktor_geraet"),
            *super().get_urls(),
        ]

    def admin_view(self, view: View, cacheable: bool = False) -> View:
        return super().admin_view(_without_nul(view), cacheable)

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        """What stands on every page of the desk: also what became of one's leases."""
        from assessments.desk.reservieren import tell_of_takeovers

        context = super().each_context(request)
        if context["has_permission"]:
            tell_of_takeovers(request)
        return {**context, "zweiter_faktor": settings.ZWEITER_FAKTOR}

    def index(self, request: HttpRequest, extra_context: Any = None) -> TemplateResponse:
        # Late, like all imports here: Django makes the site before any model is loaded.
        from .uebersicht import uebersicht

        return super().index(request, {**uebersicht(request), **(extra_context or {})})


def _without_nul(view: View) -> View:
    """PostgreSQL stores no NUL in a text and refuses to compare with one; no keyboard types it."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        for data in (request.GET, request.POST):
            if any("\x00" in value for values in data.lists() for value in (values[0], *values[1])):
                raise BadRequest("A NUL character in the address or the form.")
        return view(request, *args, **kwargs)

    return cast(View, wrapped)
