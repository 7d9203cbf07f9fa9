"""The admin's form for one motion with its file: the same domain call as `import_antrag`."""

from typing import TYPE_CHECKING

from django import forms
from django.contrib import messages
from django.contrib.admin.widgets import AdminTextInputWidget, AdminURLFieldWidget
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from citations.admin_hochladen import PdfField, upload_page
from citations.models import Extraktion
from citations.reading import UnbrauchbaresDokument

from .importing import Antragsangaben, UnbrauchbarerAntrag, import_antrag
from .models import Antrag, Fassung, Parlament, Partei

if TYPE_CHECKING:
    from .admin import AntragAdmin


class HochladenForm(forms.Form):
    parlament = forms.ModelChoiceField(
        label="Parlament", queryset=Parlament.objects.order_by("name")
    )
    drucksache = forms.CharField(
        label="Drucksache",
        max_length=40,
        help_text="Wahlperiode/Nummer, zum Beispiel 16/123; eine neue Fassung als 16/123-neu.",
    )
    titel = forms.CharField(label="Titel", max_length=500, widget=AdminTextInputWidget)
    datum = forms.DateField(
        label="Datum der Drucksache",
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )
    typ = forms.ChoiceField(label="Art", choices=Antrag.Typ.choices, initial=Antrag.Typ.ANTRAG)
    parteien = forms.ModelMultipleChoiceField(
        label="Einbringende Parteien",
        queryset=Partei.objects.order_by("kuerzel"),
        widget=forms.CheckboxSelectMultiple,
        required=False,
        help_text="CDU/CSU im Bundestag: beide wählen.",
    )
    urheber = forms.CharField(
        label="Urheber im Wortlaut",
        widget=AdminTextInputWidget,
        max_length=1000,
        required=False,
        help_text="Wie auf der Drucksache. Genannte Parteien werden erkannt.",
    )
    quelle_url = forms.URLField(
        label="Adresse des Originals",
        widget=AdminURLFieldWidget,
        max_length=500,
        required=False,
        assume_scheme="https",
    )
    datei = PdfField(label="PDF-Datei")


def hochladen(model_admin: "AntragAdmin", request: HttpRequest) -> HttpResponse:
    if not model_admin.has_add_permission(request):
        raise PermissionDenied
    form = HochladenForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        imported = _import(form)
        if imported:
            return _done(model_admin, request, *imported)
    return upload_page(model_admin, request, form, titel="Antrag hochladen")


def _import(form: HochladenForm) -> tuple[Antrag, Fassung] | None:
    """None where the form now says what is wrong."""
    values = dict(form.cleaned_data)
    pdf = values.pop("datei").read()
    values["parteien"] = [partei.kuerzel for partei in values["parteien"]]
    try:
        return import_antrag(pdf, Antragsangaben(**values))
    except UnbrauchbaresDokument as error:
        form.add_error("datei", str(error))
    except UnbrauchbarerAntrag as error:
        form.add_error(None, str(error))
    return None


def _done(
    model_admin: "AntragAdmin", request: HttpRequest, antrag: Antrag, fassung: Fassung
) -> HttpResponse:
    model_admin.log_addition(request, antrag, f"Fassung {fassung.nr} hochgeladen")
    messages.success(request, f"{antrag} liegt vor, Fassung {fassung.nr}.")
    reading = fassung.dokument.lesung
    if reading.status == Extraktion.Status.NICHT_ZITIERFAEHIG:
        messages.warning(request, f"Aus der Datei lässt sich nicht zitieren. {reading.grund}")
    return HttpResponseRedirect(reverse("admin:parlamente_antrag_change", args=[antrag.pk]))
