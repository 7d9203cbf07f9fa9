"""The admin's form for one programme with its file: the same domain call as `ingest_programme`."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.contrib.admin.widgets import AdminTextInputWidget, AdminURLFieldWidget
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from citations.admin_hochladen import PdfField, upload_page
from citations.models import Dokument
from citations.reading import UnbrauchbaresDokument
from parlamente.models import Parlament, Partei

from .angaben import resolve
from .embeddings import EinbettungFehler
from .ingesting import ingest
from .models import JAHRE, Programm
from .naming import UnklareAngaben

if TYPE_CHECKING:
    from .admin import ProgrammAdmin


def _date_field(label: str, help_text: str) -> forms.DateField:
    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    return forms.DateField(label=label, required=False, widget=widget, help_text=help_text)


class HochladenForm(forms.Form):
    """Only the file is required; what is left empty is read from its name."""

    datei = PdfField(
        label="PDF-Datei",
        help_text="Ein Name wie spd-bw-2016.pdf oder gruene-bund-grundsatz-2020.pdf genügt.",
    )
    parteien = forms.ModelMultipleChoiceField(
        label="Parteien",
        queryset=Partei.objects.order_by("kuerzel"),
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
    parlament = forms.ModelChoiceField(
        label="Parlament",
        queryset=Parlament.objects.order_by("name"),
        required=False,
        help_text="Leer bei einem Grundsatzprogramm: Es gilt überall.",
    )
    typ = forms.ChoiceField(
        label="Art", choices=[("", "aus dem Namen"), *Programm.Typ.choices], required=False
    )
    jahr = forms.IntegerField(
        label="Jahr",
        min_value=JAHRE.start,
        max_value=JAHRE.stop - 1,
        required=False,
        help_text="Jahr der Wahl.",
    )
    titel = forms.CharField(
        label="Titel", max_length=300, required=False, widget=AdminTextInputWidget
    )
    gueltig_ab = _date_field("Gültig ab", "Leer: ab dem Wahltag.")
    gueltig_bis = _date_field("Gültig bis einschließlich", "Leer: bis vor den nächsten Wahltag.")
    quelle_url = forms.URLField(
        label="Quelle",
        max_length=500,
        required=False,
        assume_scheme="https",
        widget=AdminURLFieldWidget,
    )
    lizenzhinweis = forms.CharField(
        label="Hinweis zur Lizenz", max_length=300, required=False, widget=AdminTextInputWidget
    )
    anzeige = forms.ChoiceField(
        label="Anzeige",
        choices=[("", "wie üblich"), *Dokument.Anzeige.choices],
        required=False,
        help_text="Wie üblich: nur Ausschnitte, bei erfundenen Parteien die ganze Seite.",
    )


def hochladen(model_admin: "ProgrammAdmin", request: HttpRequest) -> HttpResponse:
    if not model_admin.has_add_permission(request):
        raise PermissionDenied
    form = HochladenForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        programm = _ingest(form)
        if programm:
            return _done(model_admin, request, programm)
    hinweis = "Das Einlesen eines langen Programms dauert bis zu einer Minute."
    return upload_page(model_admin, request, form, titel="Programm hochladen", hinweis=hinweis)


def _ingest(form: HochladenForm) -> Programm | None:
    """None where the form now says what is wrong."""
    values = dict(form.cleaned_data)
    datei = values.pop("datei")
    try:
        return ingest(datei.read(), resolve(_raw(values), name=datei.name), name=datei.name)
    except UnbrauchbaresDokument as failure:
        form.add_error("datei", str(failure))
    except (UnklareAngaben, EinbettungFehler) as failure:
        form.add_error(None, str(failure))
    return None


def _raw(values: dict[str, Any]) -> dict[str, str]:
    raw = {
        "partei": "+".join(partei.kuerzel for partei in values.pop("parteien")),
        "parlament": (parlament := values.pop("parlament")) and parlament.code,
    }
    return {key: str(value) for key, value in (raw | values).items() if value}


def _done(model_admin: "ProgrammAdmin", request: HttpRequest, programm: Programm) -> HttpResponse:
    model_admin.log_addition(request, programm, "hochgeladen")
    if not programm.verwendbar:
        messages.warning(
            request, f"{programm} ist eingelesen, aber noch nicht verwendet. Der Grund steht hier."
        )
        return HttpResponseRedirect(
            reverse("admin:programme_programm_bestaetigen", args=[programm.pk])
        )
    count = programm.chunks.count()
    passagen = "1 Passage" if count == 1 else f"{count} Passagen"
    messages.success(request, f"{programm} ist eingelesen und mit {passagen} durchsuchbar.")
    return HttpResponseRedirect(reverse("admin:programme_programm_change", args=[programm.pk]))
