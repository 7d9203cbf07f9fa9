"""From the data file into the database: idempotent, and never over an editor's change.

The rule: a row with `von_redaktion` belongs to the editors. The file does not change it, does not
delete it, and does not load a government whose time overlaps with it. Every other row follows the
file, governments that are no longer in the file included.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from django.db import models, transaction

from .facts import Fakten, ParlamentFakt, RegierungFakt, WahlperiodeFakt, overlap
from .models import Parlament, Partei, Regierung, Wahlperiode

Row = TypeVar("Row", Partei, Parlament, Wahlperiode, Regierung)


class FremdeZeile(Exception):
    """An invented row would replace a real one, or the other way round; message in German."""


@dataclass
class Ladebericht:
    neu: list[str] = field(default_factory=list)
    geaendert: list[str] = field(default_factory=list)
    entfernt: list[str] = field(default_factory=list)
    behalten: list[str] = field(default_factory=list)

    def note(self, row: models.Model, what: Literal["neu", "geaendert", "behalten"]) -> None:
        """Each row once, under the first thing that happened to it."""
        if not any(str(row) in rows for rows in (self.neu, self.geaendert, self.behalten)):
            getattr(self, what).append(str(row))

    @property
    def has_changes(self) -> bool:
        return bool(self.neu or self.geaendert or self.entfernt)


@transaction.atomic
def load_fakten(fakten: Fakten) -> Ladebericht:
    """Raises FremdeZeile; then nothing is written."""
    bericht = Ladebericht()
    parteien = _load_parteien(fakten, bericht)
    for fakt in fakten.parlamente:
        parlament = _load_parlament(fakt, bericht, muster=fakten.muster)
        for wahlperiode in fakt.wahlperioden:
            _load_wahlperiode(parlament, wahlperiode, bericht)
        _remove_regierungen(parlament, fakt, bericht)
        for regierung in fakt.regierungen:
            _load_regierung(parlament, regierung, parteien, bericht)
    return bericht


def _load_parteien(fakten: Fakten, bericht: Ladebericht) -> dict[str, Partei]:
    return {
        fakt.kuerzel: _put(
            Partei,
            {"kuerzel": fakt.kuerzel},
            {"name": fakt.name, "aliase": fakt.aliase, "muster": fakten.muster},
            bericht,
        )
        for fakt in fakten.parteien
    }


def _load_parlament(fakt: ParlamentFakt, bericht: Ladebericht, *, muster: bool) -> Parlament:
    values = fakt.model_dump(include={"name", "land", "schreibweisen"}) | {"muster": muster}
    return _put(Parlament, {"code": fakt.code}, values, bericht)


def _load_wahlperiode(parlament: Parlament, fakt: WahlperiodeFakt, bericht: Ladebericht) -> None:
    values = fakt.model_dump(include={"wahltag", "beginn", "ende", "sicherheit", "quelle"})
    values["fraktionen"] = [
        {"partei": kuerzel, "sitze": sitze} for kuerzel, sitze in fakt.fraktionen.items()
    ]
    _put(Wahlperiode, {"parlament": parlament, "nummer": fakt.nummer}, values, bericht)


def _remove_regierungen(parlament: Parlament, fakt: ParlamentFakt, bericht: Ladebericht) -> None:
    """What the file no longer knows, such as a first day that was corrected since."""
    known = [regierung.von for regierung in fakt.regierungen]
    for row in parlament.regierungen.filter(von_redaktion=False).exclude(von__in=known):
        bericht.entfernt.append(str(row))
        row.delete()


def _load_regierung(
    parlament: Parlament,
    fakt: RegierungFakt,
    parteien: Mapping[str, Partei],
    bericht: Ladebericht,
) -> None:
    for row in parlament.regierungen.filter(von_redaktion=True).exclude(von=fakt.von):
        if overlap((row.von, row.bis), (fakt.von, fakt.bis)):
            bericht.behalten.append(f"{row} (in der Datei: ab {fakt.von:%d.%m.%Y})")
            return
    values = fakt.model_dump(include={"bis", "kopf", "sicherheit", "quelle"})
    row = _put(Regierung, {"parlament": parlament, "von": fakt.von}, values, bericht)
    wanted = [parteien[kuerzel] for kuerzel in fakt.parteien]
    if set(row.parteien.all()) != set(wanted):
        if not row.von_redaktion:
            row.parteien.set(wanted)
        bericht.note(row, "behalten" if row.von_redaktion else "geaendert")


def _put(
    model: type[Row], key: Mapping[str, Any], values: Mapping[str, Any], bericht: Ladebericht
) -> Row:
    """The row of `key`, with `values` unless it belongs to the editors."""
    row = model._default_manager.filter(**key).first()
    if row is None:
        row = model._default_manager.create(**key, **values)
        bericht.note(row, "neu")
        return row
    _require_same_world(row, values)
    changed = [name for name, value in values.items() if getattr(row, name) != value]
    if changed and row.von_redaktion:
        bericht.note(row, "behalten")
    elif changed:
        for name in changed:
            setattr(row, name, values[name])
        row.save(update_fields=changed)
        bericht.note(row, "geaendert")
    return row


def _require_same_world(row: Row, values: Mapping[str, Any]) -> None:
    if isinstance(row, Parlament | Partei) and row.muster != values["muster"]:
        known, new = ("erfunden", "echt") if row.muster else ("echt", "erfunden")
        raise FremdeZeile(
            f"{row} steht schon in der Datenbank ({known}); die Datei nennt es {new}."
        )
