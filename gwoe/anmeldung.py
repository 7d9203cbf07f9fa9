"""Logging in to the desk."""

from django.contrib.admin.forms import AdminAuthenticationForm


class Anmeldung(AdminAuthenticationForm):
    """One sentence for every refusal: it does not tell whether the account exists."""

    error_messages = {
        **AdminAuthenticationForm.error_messages,
        "invalid_login": "Anmelden ging nicht. Entweder passen Benutzername und Passwort nicht "
        "zusammen, oder das Konto gehört nicht zur Redaktion. Achten Sie auf Groß- und "
        "Kleinschreibung.",
    }
