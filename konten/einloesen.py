"""The page of a link: anybody's who has the secret.

The secret stands behind the # of the address, which no browser sends and no log has; a script puts
it into the form. A GET therefore knows of no link and changes nothing.
"""

from django import forms
from django.contrib import messages
from django.contrib.auth.forms import SetPasswordForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from . import sperre
from .einladungen import find, redeem
from .models import Einladung
from .seiten import page, secret_page

INVALID = (
    "Dieser Link gilt nicht. Vielleicht ist er abgelaufen, schon benutzt oder durch einen neuen "
    "ersetzt. Bitten Sie die Leitung um einen neuen."
)


class LinkForm(forms.Form):
    code = forms.CharField(
        label="Code aus dem Link",
        max_length=100,
        help_text="Alles, was im Link hinter dem Zeichen # steht.",
        widget=forms.TextInput(
            {"autocomplete": "off", "autocapitalize": "none", "autofocus": True}
        ),
    )


@secret_page
@require_http_methods(["GET", "HEAD", "POST"])
def einloesen(request: HttpRequest) -> HttpResponse:
    link = LinkForm(request.POST or None)
    einladung = _einladung(request, link)
    if einladung is None:
        return page(request, "konten/link_eingeben.html", title="Passwort festlegen", form=link)
    typed = request.POST if "new_password1" in request.POST else None
    form = SetPasswordForm(einladung.konto, typed)
    if form.is_valid():
        if redeem(einladung, form.cleaned_data["new_password1"]):
            name = einladung.konto.get_username()
            messages.success(request, f"Ihr Passwort gilt. Melden Sie sich jetzt als „{name}“ an.")
            return redirect("admin:login")
        form.add_error(None, INVALID)
    context = {"title": "Passwort festlegen", "form": form, "einladung": einladung, "link": link}
    return page(request, "konten/passwort_festlegen.html", **context)


def _einladung(request: HttpRequest, link: LinkForm) -> Einladung | None:
    """Counted per address like passwords; one sentence for whatever cannot be redeemed."""
    if not link.is_valid():
        return None
    found: list[Einladung] = []

    def check() -> bool:
        found.extend(filter(None, [find(link.cleaned_data["code"])]))
        return bool(found)

    try:
        sperre.attempt("", sperre.client_address(request), check, schritt=sperre.Schritt.LINK)
    except sperre.Gesperrt as locked:
        link.add_error(None, str(locked))
        return None
    if not found:
        link.add_error(None, INVALID)
    return found[0] if found else None
