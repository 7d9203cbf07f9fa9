"""The data file of parliaments, parties, Wahlperioden and governments: shape and check.

Pure: a path in, checked values out. A fact keeps how sure it is (`sicherheit`) and where it comes
from (`quelle`).
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)

from .urheber import fold
from .zeichen import require_plain

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

DATEI = Path(__file__).parent / "data" / "parlamente.json"

Period = tuple[date, date | None]
Code = Annotated[str, Field(pattern=r"^[A-Z]{2,8}$")]
Plain = AfterValidator(require_plain)
Kuerzel = Annotated[str, Field(min_length=2, max_length=30), Plain]
Name = Annotated[str, Field(min_length=1, max_length=120), Plain]


class FehlerhafteFakten(Exception):
    """The file is not usable; the message names every wrong row, in German."""


class _Fakt(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)


class _BelegterFakt(_Fakt):
    sicherheit: Literal["belegt", "wissen", "unsicher", "unbekannt"]
    quelle: Annotated[str, Field(max_length=500), Plain] = ""

    @model_validator(mode="after")
    def has_a_source(self) -> Self:
        if self.sicherheit == "belegt" and self.quelle in ("", "Wissen"):
            raise ValueError("„belegt“ braucht eine Quelle")
        return self


class ParteiFakt(_Fakt):
    kuerzel: Kuerzel
    name: Name
    aliase: list[Annotated[str, Field(min_length=1, max_length=80), Plain]] = []


class WahlperiodeFakt(_BelegterFakt):
    nummer: int = Field(ge=1, le=99)
    wahltag: date
    beginn: date | None = None
    ende: date | None = None
    fraktionen: dict[Kuerzel, int | None] = {}

    @model_validator(mode="after")
    def is_in_order(self) -> Self:
        known = [day for day in (self.wahltag, self.beginn, self.ende) if day]
        if known != sorted(known):
            raise ValueError("Wahltag, beginn und ende stehen nicht in zeitlicher Folge")
        return self


class RegierungFakt(_BelegterFakt):
    von: date
    bis: date | None = None
    parteien: list[Kuerzel] = []
    kopf: Annotated[str, Field(max_length=80), Plain] = ""

    @model_validator(mode="after")
    def says_who_governs_or_that_nobody_knows(self) -> Self:
        if self.bis and self.bis < self.von:
            raise ValueError("bis liegt vor von")
        if bool(self.parteien) == (self.sicherheit == "unbekannt"):
            raise ValueError("parteien fehlen genau dann, wenn sicherheit „unbekannt“ ist")
        return self


class ParlamentFakt(_Fakt):
    code: Code
    name: Name
    land: Annotated[str, Field(min_length=1, max_length=60), Plain]
    schreibweisen: dict[Annotated[str, Plain], list[Kuerzel]] = {}
    wahlperioden: list[WahlperiodeFakt] = []
    regierungen: list[RegierungFakt] = []

    @model_validator(mode="after")
    def has_no_overlaps(self) -> Self:
        require_unique((wp.nummer for wp in self.wahlperioden), "Wahlperiode")
        require_apart([(wp.beginn, wp.ende) for wp in self.wahlperioden if wp.beginn])
        require_apart([(regierung.von, regierung.bis) for regierung in self.regierungen])
        return self

    def named_parteien(self) -> Iterator[tuple[str, str]]:
        """(row, Kürzel) for every mention of a party."""
        for wp in self.wahlperioden:
            yield from ((f"Wahlperiode {wp.nummer}", kuerzel) for kuerzel in wp.fraktionen)
        for regierung in self.regierungen:
            row = f"Regierung ab {regierung.von}"
            yield from ((row, kuerzel) for kuerzel in regierung.parteien)
        for name, parteien in self.schreibweisen.items():
            yield from ((f"Schreibweise {name}", kuerzel) for kuerzel in parteien)


class Fakten(_Fakt):
    stand: date
    muster: bool = False
    parteien: list[ParteiFakt]
    parlamente: list[ParlamentFakt]

    @model_validator(mode="after")
    def fits_together(self) -> Self:
        require_unique((parlament.code for parlament in self.parlamente), "Code")
        require_unique((partei.kuerzel for partei in self.parteien), "Kürzel")
        names = [
            name
            for partei in self.parteien
            for name in {fold(n) for n in (partei.kuerzel, partei.name, *partei.aliase)}
        ]
        require_unique(names, "Schreibweise")
        self._require_known_parteien()
        return self

    def _require_known_parteien(self) -> None:
        known = {partei.kuerzel for partei in self.parteien}
        for parlament in self.parlamente:
            for row, kuerzel in parlament.named_parteien():
                if kuerzel not in known:
                    raise ValueError(f"{parlament.code}, {row}: unbekannte Partei {kuerzel}")


def require_unique(values: Iterable[object], what: str) -> None:
    seen: set[object] = set()
    for value in values:
        if value in seen:
            raise ValueError(f"{what} {value} steht zweimal da")
        seen.add(value)


def require_apart(periods: Sequence[Period]) -> None:
    """Periods include their last day; an open one must be the last."""
    for (start, end), (following, _) in pairwise(sorted(periods, key=lambda period: period[0])):
        if end is None or end >= following:
            raise ValueError(f"die Zeit ab {start:%d.%m.%Y} überschneidet {following:%d.%m.%Y}")


def overlap(one: Period, other: Period) -> bool:
    starts_before_end = other[1] is None or one[0] <= other[1]
    return starts_before_end and (one[1] is None or other[0] <= one[1])


def read_fakten(path: Path) -> Fakten:
    """Raises FehlerhafteFakten."""
    try:
        content = path.read_bytes()
        return Fakten.model_validate_json(content)
    except OSError as error:
        raise FehlerhafteFakten(f"{path} lässt sich nicht lesen ({error.strerror}).") from error
    except ValidationError as error:
        lines = [f"  {_row(content, e['loc'])}: {_reason(e)}" for e in error.errors()]
        raise FehlerhafteFakten("\n".join([f"{path} ist fehlerhaft:", *lines])) from error


def _row(content: bytes, loc: tuple[int | str, ...]) -> str:
    """The place as somebody who edits the file knows it: "BB, Wahlperiode 6, beginn"."""
    if not loc:
        return "Datei"
    value: Any = json.loads(content)
    names = []
    for step in loc:
        value = value[step] if isinstance(step, int) or step in value else None
        names.append(_name(value, step) if isinstance(step, int) else step)
    lists = ("parlamente", "parteien", "wahlperioden", "regierungen")
    return ", ".join(name for name in names if name not in lists) or ", ".join(names)


def _name(value: Any, position: int) -> str:
    labels = {
        "code": "",
        "kuerzel": "Partei ",
        "nummer": "Wahlperiode ",
        "von": "Regierung ab ",
    }
    for key, label in labels.items():
        if isinstance(value, dict) and key in value:
            return f"{label}{value[key]}"
    return f"Eintrag {position + 1}"


_REASONS = {
    "missing": "fehlt",
    "extra_forbidden": "unbekanntes Feld",
    "string_too_short": "zu kurz",
    "string_too_long": "zu lang",
    "literal_error": "nicht erlaubt",
}


def _reason(error: "ErrorDetails") -> str:
    kind = error["type"]
    if kind == "value_error":
        return str(error["ctx"]["error"])
    if kind.startswith("date_"):
        return f"kein Datum in der Form JJJJ-MM-TT: {error['input']}"
    if kind == "json_invalid":
        return f"kein gültiges JSON ({error['ctx']['error']})"
    return f"{_REASONS.get(kind, 'ungültig')} ({error['msg']})"
