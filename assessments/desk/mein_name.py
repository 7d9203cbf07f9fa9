"""Whether one's own name stands in the records of what is published; by oneself only."""

from typing import Any

from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.views.decorators.http import require_http_methods

from assessments.models import Namensnennung
from assessments.models.nennung import MAX_NAME

from .rahmen import ANY, desk_url, require


@require_http_methods(["GET", "HEAD", "POST"])
def mein_name(request: HttpRequest) -> HttpResponse:
    require(request, *ANY)
    if request.method == "POST":
        _change(request)
        return HttpResponseRedirect(desk_url("mein_name"))
    person: Any = request.user
    nennung = Namensnennung.objects.filter(person=person.pk).first()
    context = {
        **admin.site.each_context(request),
        "title": "Mein Name in veröffentlichten Vermerken",
        "nennung": nennung,
        "name": nennung.genannt_als if nennung else person.get_full_name(),
        "laenge": MAX_NAME,
    }
    return TemplateResponse(request, "assessments/desk/mein_name.html", context)


def _change(request: HttpRequest) -> None:
    if "zurueck" in request.POST:
        Namensnennung.revoke(request.user)
        messages.success(
            request, "Ihr Name steht ab jetzt in keinem Vermerk mehr, auch nicht in älteren."
        )
        return
    name = " ".join(request.POST.get("genannt_als", "").split())
    if not name or len(name) > MAX_NAME or not name.isprintable():
        messages.error(request, f"Bitte einen Namen mit höchstens {MAX_NAME} Zeichen eingeben.")
        return
    if Namensnennung.is_anothers(request.user, name):
        messages.error(
            request,
            f"„{name}“ heißt hier schon jemand anderes. Bitte ergänzen Sie etwas, das Sie "
            "unterscheidet.",
        )
        return
    Namensnennung.agree(request.user, name)
    messages.success(request, f"Was ab jetzt veröffentlicht wird, nennt Sie als „{name}“.")
