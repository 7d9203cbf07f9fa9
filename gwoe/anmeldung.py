"""Logging in to the desk."""

from typing import Any

from django.contrib.admin.forms import AdminAuthenticationForm
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from konten import sperre


class Anmeldung(AdminAuthenticationForm):
    """One sentence for every refusal: it does not tell whether the account exists."""

    error_messages = {
        **AdminAuthenticationForm.error_messages,
        "invalid_login": "Anmelden ging nicht. Entweder passen Benutzername und Passwort nicht "
        "zusammen, oder das Konto gehört nicht zur Redaktion. Achten Sie auf Groß- und "
        "Kleinschreibung.",
        "locked": "Von hier aus gab es zu viele Versuche, die nicht passten. Der nächste geht ab "
        "%(zeit)s Uhr; bis dahin wird kein Passwort geprüft, auch kein richtiges.",
    }

    def clean(self) -> dict[str, Any]:
        name, password = self.cleaned_data.get("username"), self.cleaned_data.get("password")
        if self.request is None or not name or not password:
            return super().clean()
        if refusal := self._refusal(name, sperre.client_address(self.request)):
            raise refusal
        return self.cleaned_data

    @transaction.atomic
    def _refusal(self, name: str, adresse: str) -> ValidationError | None:
        """Returned, not raised: the record of a failure must outlive the transaction."""
        sperre.hold(adresse)
        if until := sperre.locked_until(name, adresse):
            zeit = timezone.localtime(until).strftime("%H:%M:%S")
            return ValidationError(
                self.error_messages["locked"], code="locked", params={"zeit": zeit}
            )
        refusal = None
        try:
            super().clean()
        except ValidationError as error:
            refusal = error
        sperre.record(name, adresse, erfolg=refusal is None)
        return refusal
