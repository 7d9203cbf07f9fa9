"""The form by which readers report an error, and the page that thanks them.

The only public pages that take a POST. They know no session: a cookie would make every cached
page of the site a private one.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from konten.sperre import client_address

from .eingang import SchonGemeldet, ZuViele, receive
from .forms import MeldungForm
from .models import MAX_TEXT
from .schein import Mangel, flaw, is_foreign, issue
from .ziel import KeinZiel, Ziel, danke_address, find_ziel

View = Callable[..., HttpResponse]
# The longest text in UTF-8, percent-encoded, and the other fields.
MAX_BODY = 12 * MAX_TEXT + 4096
FORM = "application/x-www-form-urlencoded"
REFUSED, TOO_LARGE, NO_FORM, TOO_MANY = 422, 413, 415, 429
NOCH_EINMAL = "Bitte senden Sie das Formular noch einmal; was Sie geschrieben haben, steht noch da."
SCHON_DA = (
    "Genau dieser Hinweis liegt uns zu dieser Bewertung schon vor. Was daraus wird, steht auf "
    "ihrer Seite."
)
ZU_VIELE = (
    "Von hier oder insgesamt kamen heute zu viele Hinweise. Der nächste geht in {}. "
    "Kopieren Sie Ihren Text, damit er nicht verloren geht."
)


def _private(view: View) -> View:
    """Kept by nobody, found by no search engine, given only to its own site."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        add_never_cache_headers(response)
        response["X-Robots-Tag"] = "noindex"
        return response

    return wrapped


@csrf_exempt  # its token needs a cookie; schein.py stands in for it
@require_http_methods(["GET", "HEAD", "POST"])
@_private
def melden(request: HttpRequest, **address: Any) -> HttpResponse:
    ziel = _ziel_or_404(request, address)
    if request.method != "POST":
        return _page(request, ziel, MeldungForm(initial={"schein": issue(ziel)}))
    if unread := _unreadable(request):
        hinweis, status = unread
        form = MeldungForm(initial={"schein": issue(ziel)})
        return _page(request, ziel, form, hinweis, status=status)
    form = MeldungForm(request.POST)
    mangel = Mangel.FREMD if is_foreign(request) else flaw(request.POST.get("schein", ""), ziel)
    if mangel:
        again = form.with_schein(issue(ziel))
        return _page(request, ziel, again, f"{mangel} {NOCH_EINMAL}", status=REFUSED)
    if not form.is_valid():
        return _page(request, ziel, form, status=REFUSED)
    return _take(request, ziel, form)


@require_safe
@_private
def danke(request: HttpRequest, **address: Any) -> HttpResponse:
    return render(request, "meldungen/danke.html", {"ziel": _ziel_or_404(request, address)})


def _ziel_or_404(request: HttpRequest, address: dict[str, Any]) -> Ziel:
    try:
        return find_ziel(**address, zitat=request.GET.get("zitat"))
    except KeinZiel as error:
        raise Http404 from error


def _unreadable(request: HttpRequest) -> tuple[str, int] | None:
    """Why none of it is read, and with which status: no form of ours, or too much."""
    if request.content_type != FORM:
        return "Das war nicht das Formular dieser Seite.", NO_FORM
    length = request.META.get("CONTENT_LENGTH") or "0"
    if not length.isdecimal() or int(length) > MAX_BODY:
        return "Das war zu viel Text.", TOO_LARGE
    return None


def _take(request: HttpRequest, ziel: Ziel, form: MeldungForm) -> HttpResponse:
    data = form.cleaned_data
    try:
        receive(ziel, art=data["art"], text=data["text"], adresse=client_address(request))
    except KeinZiel as error:
        raise Http404 from error
    except SchonGemeldet:
        return _page(request, ziel, form, SCHON_DA, status=REFUSED)
    except ZuViele as error:
        hours = -(-error.seconds // 3600)
        wait = "einer Stunde" if hours == 1 else f"{hours} Stunden"
        response = _page(request, ziel, form, ZU_VIELE.format(wait), status=TOO_MANY)
        response["Retry-After"] = str(error.seconds)
        return response
    response = HttpResponseRedirect(danke_address(ziel.assessment))
    response.status_code = 303
    return response


def _page(
    request: HttpRequest, ziel: Ziel, form: MeldungForm, hinweis: str = "", *, status: int = 200
) -> HttpResponse:
    context = {"ziel": ziel, "form": form, "hinweis": hinweis}
    return render(request, "meldungen/formular.html", context, status=status)
