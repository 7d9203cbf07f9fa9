"""The admin's verbs for accounts: inviting, links, revoking, resetting the second factor."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from . import zweiter_faktor
from .einladungen import invite, issue_link, revoke
from .models import Einladung, Konto
from .rechte import NichtErlaubt, givable_groups
from .seiten import page, secret_page


class EinladenForm(forms.ModelForm):
    groups = forms.ModelMultipleChoiceField(
        Group.objects.none(),
        label="Gruppen",
        widget=forms.CheckboxSelectMultiple,
        help_text="Zur Auswahl stehen die Gruppen, deren Rechte Sie selbst haben.",
    )

    class Meta:
        model = Konto
        fields = ["username", "first_name", "last_name", "groups"]
        help_texts = {
            "username": "Buchstaben, Ziffern und @ . + - _; damit meldet sich die Person an."
        }

    def __init__(self, *args: Any, by: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["groups"].queryset = givable_groups(by)  # type: ignore[attr-defined]

    def clean_username(self) -> str:
        """Names that differ in capitals or width only would be taken for each other."""
        name = Konto.normalize_username(self.cleaned_data["username"])
        if Konto.objects.filter(username__iexact=name).exists():
            raise forms.ValidationError("Diesen Benutzernamen gibt es schon.")
        return name


def may_invite(request: HttpRequest) -> bool:
    return request.user.has_perm("konten.invite")


@secret_page
def einladen(request: HttpRequest) -> HttpResponse:
    if not may_invite(request):
        raise PermissionDenied
    form = EinladenForm(request.POST or None, by=request.user)
    if form.is_valid():
        given = form.cleaned_data
        try:
            with transaction.atomic():
                konto, secret = invite(**given, by=request.user)
        except IntegrityError:  # of two at once with the same name
            form.add_error("username", "Diesen Benutzernamen gibt es schon.")
        else:
            return _link_page(request, konto, secret)
    context = {"title": "Einladen", "opts": Einladung._meta, "form": form}
    return page(request, "konten/einladen.html", **context)


@secret_page
@require_POST
def link_ausstellen(request: HttpRequest, pk: int) -> HttpResponse:
    if not may_invite(request):
        raise PermissionDenied
    konto = get_object_or_404(Konto, pk=pk)
    try:
        secret = issue_link(konto, by=request.user)
    except NichtErlaubt as refused:
        messages.error(request, str(refused))
        return redirect("admin:konten_konto_change", pk)
    return _link_page(request, konto, secret)


@require_POST
def widerrufen(request: HttpRequest, pk: int) -> HttpResponse:
    if not may_invite(request):
        raise PermissionDenied
    einladung = get_object_or_404(Einladung, pk=pk)
    try:
        if revoke(einladung, by=request.user):
            messages.success(request, f"Widerrufen: {einladung}. Der Link gilt nicht mehr.")
        else:
            messages.warning(request, "Dieser Link war schon nicht mehr offen.")
    except NichtErlaubt as refused:
        messages.error(request, str(refused))
    return redirect("admin:konten_einladung_changelist")


@require_POST
def faktor_zuruecksetzen(request: HttpRequest, pk: int) -> HttpResponse:
    if not request.user.has_perm("konten.reset_zweiter_faktor"):
        raise PermissionDenied
    konto = get_object_or_404(Konto, pk=pk)
    try:
        if zweiter_faktor.reset(konto, by=request.user):
            messages.success(
                request,
                f"Zurückgesetzt. „{konto}“ richtet den zweiten Faktor beim nächsten Anmelden ein.",
            )
        else:
            messages.warning(request, f"„{konto}“ hat keinen zweiten Faktor.")
    except NichtErlaubt as refused:
        messages.error(request, str(refused))
    return redirect("admin:konten_konto_change", pk)


def _link_page(request: HttpRequest, konto: Any, secret: str) -> HttpResponse:
    """The answer to the POST itself: the secret is shown once and kept nowhere."""
    address = request.build_absolute_uri(reverse("admin:einladung"))
    einladung = konto.einladungen.unused().get()
    return page(
        request,
        "konten/link.html",
        title=f"Link für {konto.get_username()}",
        opts=Einladung._meta,
        einladung=einladung,
        bis=timezone.localtime(einladung.gueltig_bis),
        link=f"{address}#{secret}",
    )
