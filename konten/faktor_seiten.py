"""The pages of the second factor: the code, the set-up, and one's own device."""

from typing import Any

import segno
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_http_methods
from django_otp.plugins.otp_static.models import StaticDevice

from . import sperre, zweiter_faktor
from .seiten import page, secret_page

WRONG = (
    "Der Code passt nicht. Er gilt nur kurz und nur einmal: Nehmen Sie den, den die App jetzt "
    "anzeigt."
)
WAIT = "Nach falschen Codes nimmt das Konto kurz keinen an. Versuchen Sie es gleich noch einmal."
TOO_LATE = "Das hat zu lange gedauert. Melden Sie sich bitte noch einmal an."


class CodeForm(forms.Form):
    code = forms.CharField(
        label="Code",
        max_length=30,
        widget=forms.TextInput(
            {"autocomplete": "one-time-code", "autocapitalize": "none", "autofocus": True}
        ),
    )


class PasswortForm(forms.Form):
    passwort = forms.CharField(
        label="Ihr Passwort",
        max_length=4096,
        strip=False,
        widget=forms.PasswordInput({"autocomplete": "current-password"}),
    )


@secret_page
@require_http_methods(["GET", "HEAD", "POST"])
def code(request: HttpRequest) -> HttpResponse:
    """The second step of logging in."""
    person = zweiter_faktor.pending(request)
    if person is None:
        return _again(request)
    if not zweiter_faktor.has_device(person):
        return redirect("admin:zweiter_faktor_einrichten")
    form = CodeForm(request.POST or None)
    if form.is_valid() and (device := _device(request, person, form)):
        weiter = zweiter_faktor.complete(request, person, device)
        if isinstance(device, StaticDevice):
            _tell_of_codes(request, person)
        # Not `redirect`, which takes an address without a slash for the name of one.
        return HttpResponseRedirect(weiter or reverse("admin:index"))
    return page(request, "konten/code.html", title="Code eingeben", form=form)


@secret_page
@require_http_methods(["GET", "HEAD", "POST"])
def einrichten(request: HttpRequest) -> HttpResponse:
    """For who has none yet, and for another device of who is logged in with the old one."""
    verified = getattr(request.user, "otp_device", None) is not None
    person: Any = request.user if verified else zweiter_faktor.pending(request)
    device = zweiter_faktor.new_device(request, person) if person else None
    if person is None or device is None:
        return _again(request)
    form = CodeForm(request.POST or None)
    if form.is_valid() and (codes := _codes(request, person, device, form, replace=verified)):
        weiter = zweiter_faktor.complete(request, person, device) or reverse("admin:index")
        context = {"title": "Wiederherstellungscodes", "codes": codes, "weiter": weiter}
        return page(request, "konten/wiederherstellung.html", **context)
    return page(
        request,
        "konten/einrichten.html",
        title="Zweiten Faktor einrichten",
        form=form,
        bild=qr_code(device.config_url),
        schluessel=zweiter_faktor.key_for_typing(device),
    )


@secret_page
@require_http_methods(["GET", "HEAD", "POST"])
def geraet(request: HttpRequest) -> HttpResponse:
    """One's own second factor; another device asks for the password once more."""
    if not settings.ZWEITER_FAKTOR:
        raise Http404
    form = PasswortForm(request.POST or None)
    if form.is_valid() and _password_is_right(request, form):
        zweiter_faktor.begin_set_up(request)
        return redirect("admin:zweiter_faktor_einrichten")
    return page(
        request,
        "konten/geraet.html",
        title="Zweiter Faktor",
        form=form,
        uebrig=zweiter_faktor.codes_left(request.user),
    )


def qr_code(text: str) -> SafeString:
    """Dark on light also where the page is dark, or cameras do not read it."""
    picture = segno.make(text, micro=False, error="m")
    # Of attributes only, which the Content-Security-Policy lets pass.
    return mark_safe(picture.svg_inline(scale=5, dark="#000", light="#fff", svgclass="qr"))  # noqa: S308  made of squares


def _again(request: HttpRequest) -> HttpResponse:
    messages.warning(request, TOO_LATE)
    return redirect("admin:login")


def _device(request: HttpRequest, person: User, form: CodeForm) -> Any:
    typed, adresse = form.cleaned_data["code"], sperre.client_address(request)
    return _or_error(form, lambda: zweiter_faktor.check_code(person, typed, adresse))


def _codes(
    request: HttpRequest, person: Any, device: Any, form: CodeForm, *, replace: bool
) -> list[str] | None:
    typed, adresse = form.cleaned_data["code"], sperre.client_address(request)
    return _or_error(
        form, lambda: zweiter_faktor.set_up(person, device, typed, adresse, replace=replace)
    )


def _or_error(form: CodeForm, ask: Any) -> Any:
    try:
        answer = ask()
    except sperre.Gesperrt as locked:
        form.add_error("code", str(locked))
    except zweiter_faktor.Wartet:
        form.add_error("code", WAIT)
    else:
        if not answer:
            form.add_error("code", WRONG)
        return answer
    return None


def _password_is_right(request: HttpRequest, form: PasswortForm) -> bool:
    person: Any = request.user
    try:
        right = sperre.attempt(
            person.get_username(),
            sperre.client_address(request),
            lambda: person.check_password(form.cleaned_data["passwort"]),
        )
    except sperre.Gesperrt as locked:
        form.add_error("passwort", str(locked))
        return False
    if not right:
        form.add_error("passwort", "Das Passwort stimmt nicht.")
    return right


def _tell_of_codes(request: HttpRequest, person: User) -> None:
    left = zweiter_faktor.codes_left(person)
    messages.warning(
        request,
        f"Sie haben einen Wiederherstellungscode benutzt; es bleiben {left}. Ist das Gerät "
        "verloren, richten Sie oben unter „Zweiter Faktor“ ein neues ein.",
    )
