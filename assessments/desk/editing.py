"""What editors change in an assessment: beside the model's values, never over them."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, models, transaction

from assessments.models import Assessment, Feldbewertung, InvalidTransition, Verbesserung, Vergleich
from assessments.models.einwaende import require_reason


class Ueberholt(InvalidTransition):
    """Somebody else changed the value after the page was shown."""


Teil = Assessment | Feldbewertung | Vergleich | Verbesserung
# What can be changed, under the name of the value that counts: `wert` is kept as `wert_redaktion`.
EDITABLE: dict[type[models.Model], tuple[str, ...]] = {
    Assessment: ("zusammenfassung", "berichtigung"),
    Feldbewertung: ("wert", "begruendung"),
    Vergleich: ("ergebnis", "score", "begruendung"),
    Verbesserung: ("titel", "wortlaut", "begruendung"),
}
# What no model ever writes: it has one field, not one of each.
EDITORS_ONLY = ("berichtigung",)
# The length of ReviewEvent.von and .nach.
SHORT = 60


def change(
    part: Teil,
    values: Mapping[str, Any],
    *,
    by: Any,
    gezeigt: Mapping[str, str] | None = None,
    note: str = "",
) -> list[str]:
    """Sets the editors' values and records each change; returns the names of what changed.

    A value that equals the model's leaves the editors' one empty, so that what was changed stays
    countable. `gezeigt` are the values that the editor saw, as text. Raises Ueberholt where one of
    them is no longer that, BegruendungNoetig where a comparison is rated against the search and
    there is no `note`, and InvalidTransition, also for a value that does not exist.
    """
    try:
        with transaction.atomic():
            return _change(part, _with_implied(part, values), by, gezeigt or {}, note)
    except IntegrityError as error:
        raise InvalidTransition.from_database(error) from error


def _change(
    part: Teil, values: Mapping[str, Any], by: Any, gezeigt: Mapping[str, str], note: str
) -> list[str]:
    assessment = part if isinstance(part, Assessment) else part.assessment
    assessment.require_editable(by=by)
    part.refresh_from_db()
    _require_editable_names(part, values)
    for name, shown in gezeigt.items():
        _require_as_shown(part, name, shown, values[name])
    before = {name: getattr(part, name) for name in values}
    for name, value in values.items():
        _set(part, name, value)
    _require_valid(part)
    if _becomes_rated(part, before):
        require_reason("rate", part, note)
    part.save(update_fields=[_column(name) for name in values])
    changed = [name for name in values if getattr(part, name) != before[name]]
    for name in changed:
        assessment.events.create(
            verb="change",
            von=_short(before[name]),
            nach=_short(getattr(part, name)),
            by=by,
            note=f"{_what(part, name)}. {note.strip()}" if note.strip() else _what(part, name),
        )
    return changed


def _becomes_rated(part: Teil, before: Mapping[str, Any]) -> bool:
    rated = Vergleich.Ergebnis.BEWERTET
    return isinstance(part, Vergleich) and before.get("ergebnis", rated) != rated == part.ergebnis


def _with_implied(part: Teil, values: Mapping[str, Any]) -> dict[str, Any]:
    """A score says by itself that the comparison is rated."""
    if isinstance(part, Vergleich) and values.get("score") is not None:
        return {**values, "ergebnis": Vergleich.Ergebnis.BEWERTET}
    return dict(values)


def _require_editable_names(part: Teil, names: Iterable[str]) -> None:
    editable = EDITABLE[part._meta.concrete_model or type(part)]
    for name in names:
        if name not in editable:
            raise InvalidTransition(f"„{name}“ lässt sich nicht ändern.")


def _require_as_shown(part: Teil, name: str, shown: str, asked: Any) -> None:
    """Two who want the same do not disagree."""
    current = as_text(getattr(part, name))
    if current not in (as_text(shown), as_text(asked)):
        raise Ueberholt(f"Inzwischen hat jemand anders das geändert ({_what(part, name)}).")


def as_text(value: Any) -> str:
    """A value as a form shows it and sends it back."""
    return "" if value is None else str(value).replace("\r\n", "\n").strip()


def _set(part: Teil, name: str, value: Any) -> None:
    if isinstance(value, str):
        value = as_text(value)
    empty = None if name == "score" else ""
    unchanged = name not in EDITORS_ONLY and value == getattr(part, f"{name}_modell")
    setattr(part, _column(name), empty if unchanged else value)


def _column(name: str) -> str:
    return name if name in EDITORS_ONLY else f"{name}_redaktion"


def _require_valid(part: Teil) -> None:
    try:
        part.clean_fields()
    except ValidationError as error:
        raise InvalidTransition(" ".join(error.messages)) from error
    if isinstance(part, Vergleich) and part.ergebnis == Vergleich.Ergebnis.BEWERTET:
        if part.programm_id is None:
            raise InvalidTransition("Ohne Programm gibt es keinen Wert.")
        if part.score is None:
            raise InvalidTransition("Zu „bewertet“ gehört ein Wert von 0 bis 10.")


def _short(value: Any) -> str:
    text = str(getattr(value, "label", "") or ("" if value is None else value))
    return text if len(text) <= SHORT else f"{text[: SHORT - 1]}…"


def _what(part: Teil, name: str) -> str:
    label = part._meta.get_field(_column(name)).verbose_name  # type: ignore[union-attr]
    if isinstance(part, Assessment):
        return str(label)
    where = f"Feld {part.feld}" if isinstance(part, Feldbewertung) else str(part)
    return f"{where}: {label}"
