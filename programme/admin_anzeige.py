"""The admin's field for what the public may see of a programme's file."""

from typing import Any

from django import forms

from citations.models import Dokument


class ProgrammForm(forms.ModelForm):
    """Beside the programme's fields, which the admin adds: one of its document."""

    anzeige = forms.ChoiceField(
        label="Anzeige",
        choices=Dokument.Anzeige.choices,
        help_text="Was die Öffentlichkeit von der Datei sieht. Ganze Seiten nur, wenn die Rechte "
        "es erlauben: Programme sind Werke ihrer Parteien.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["anzeige"].initial = self.instance.dokument.anzeige
