"""Logging in to the desk: name and password, and where it is asked for a code; another password."""

from typing import Any

from django.conf import settings
from django.contrib.admin.forms import AdminAuthenticationForm, AdminPasswordChangeForm
from django.contrib.auth.views import LoginView, PasswordChangeView
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect

from konten import sperre, zweiter_faktor


class Anmeldung(AdminAuthenticationForm):
    """One sentence for every refusal: it does not tell whether the account exists."""

    error_messages = {
        **AdminAuthenticationForm.error_messages,
        "invalid_login": "Anmelden ging nicht. Entweder passen Benutzername und Passwort nicht "
        "zusammen, oder das Konto gehört nicht zur Redaktion. Achten Sie auf Groß- und "
        "Kleinschreibung.",
    }

    def clean(self) -> dict[str, Any]:
        name, password = self.cleaned_data.get("username"), self.cleaned_data.get("password")
        if self.request is None or not name or not password:
            return super().clean()
        try:
            sperre.attempt(name, sperre.client_address(self.request), self._is_right)
        except sperre.Gesperrt as locked:
            raise ValidationError(str(locked), code="locked") from None
        if self.refusal:
            raise self.refusal
        return self.cleaned_data

    def _is_right(self) -> bool:
        """Kept, not raised: the record of a failure must outlive the transaction."""
        self.refusal: ValidationError | None = None
        try:
            super().clean()
        except ValidationError as error:
            self.refusal = error
        return self.refusal is None


class PasswortSchritt(LoginView):
    """The first of two steps where the second factor is on: nobody is logged in by it."""

    def form_valid(self, form: Any) -> HttpResponse:
        if not settings.ZWEITER_FAKTOR:
            return super().form_valid(form)
        zweiter_faktor.begin(self.request, form.get_user(), weiter=self.get_success_url())
        return redirect("admin:zweiter_faktor")


class PasswortAendern(AdminPasswordChangeForm):
    """Counts the old password like one at the log-in: an open session must not be a way to try."""

    def __init__(self, *args: Any, adresse: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.adresse = adresse

    def clean_old_password(self) -> str:
        old: str = self.cleaned_data["old_password"]
        person: Any = self.user
        try:
            right = sperre.attempt(
                person.get_username(), self.adresse, lambda: person.check_password(old)
            )
        except sperre.Gesperrt as locked:
            raise ValidationError(str(locked), code="locked") from None
        if not right:
            raise ValidationError(
                self.error_messages["password_incorrect"], code="password_incorrect"
            )
        return old


class PasswortSeite(PasswordChangeView):
    form_class = PasswortAendern

    def get_form_kwargs(self) -> dict[str, Any]:
        return super().get_form_kwargs() | {"adresse": sperre.client_address(self.request)}
