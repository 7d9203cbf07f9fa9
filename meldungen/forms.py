"""The form of a report. It needs no session and sets no cookie."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from parlamente.zeichen import validate_plain

from .models import MAX_TEXT, Meldung

MIN_LETTERS = 10


class MeldungForm(forms.Form):
    art = forms.ChoiceField(
        label="Was stimmt nicht?",
        choices=Meldung.Art.choices,
        widget=forms.RadioSelect,
        error_messages={"required": "Bitte wählen Sie aus, was nicht stimmt."},
    )
    text = forms.CharField(
        label="Was genau ist falsch, und woran sieht man es?",
        widget=forms.Textarea(attrs={"rows": 7, "maxlength": MAX_TEXT}),
        help_text=f"Höchstens {MAX_TEXT} Zeichen, ohne Namen und Angaben über sich. Den Text liest "
        "nur die Redaktion.",
        validators=[validate_plain],
        error_messages={"required": "Bitte beschreiben Sie den Fehler."},
    )
    # A trap: people do not see it, programs that fill in every field do.
    website = forms.CharField(
        label="Dieses Feld bitte leer lassen",
        required=False,
        widget=forms.TextInput(attrs={"tabindex": "-1", "autocomplete": "off"}),
    )
    schein = forms.CharField(required=False, widget=forms.HiddenInput)

    def clean_text(self) -> str:
        """Browsers send each line end as two characters and count it as one."""
        text: str = self.cleaned_data["text"].replace("\r\n", "\n").strip()
        if len(text) > MAX_TEXT:
            raise ValidationError(f"Der Text hat {len(text)} Zeichen. Möglich sind {MAX_TEXT}.")
        if sum(map(str.isalpha, text)) < MIN_LETTERS:
            raise ValidationError("Bitte beschreiben Sie den Fehler in einem Satz.")
        return text

    def clean_website(self) -> str:
        value: str = self.cleaned_data["website"]
        if value:
            raise ValidationError("Das letzte Feld muss leer bleiben. Bitte leeren Sie es.")
        return value

    def with_schein(self, schein: str) -> "MeldungForm":
        """The same input with another ticket."""
        data: dict[str, Any] = {name: self.data.get(name, "") for name in self.fields}
        return MeldungForm(data | {"schein": schein})
