"""Where the parties' programmes are: the list of sources, its shape and its check.

Facts, not works. Pure but for `Bekannt.from_tables`: a path in, checked values out.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from parlamente.models import Parlament, Partei
from parlamente.zeichen import require_plain

from .adressen import parse
from .models import JAHRE, Programm
from .naming import GRUNDSATZ, fold

# Of an error's lines; without any parliament loaded every entry is unknown.
MAX_LINES = 20
DATEI = Path(__file__).parent / "data" / "quellen.toml"

Stand = Literal["ungeprüft", "geprüft"]
Plain = AfterValidator(require_plain)


class FehlerhafteQuellen(Exception):
    """The list is not usable; the message names every wrong entry, in German."""


def _require_address(url: str) -> str:
    parse(url)
    return url


Url = Annotated[str, Field(max_length=500), AfterValidator(_require_address)]


class _Fakt(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)


class Fundstelle(_Fakt):
    """One address of a programme's file."""

    url: Url
    art: Literal["offiziell", "spiegel", "archiv"]
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] | None = None
    seiten: Annotated[int, Field(ge=1, le=5000)] | None = None
    hinweis: Annotated[str, Field(max_length=300), Plain] = ""


class Quelle(_Fakt):
    """A programme and the addresses of its file, in the order in which they are tried."""

    parlament: Annotated[str, Field(pattern=r"^[A-Z]{2,8}$")] | None = None
    wahltag: date | None = None
    typ: Programm.Typ = Programm.Typ.WAHLPROGRAMM
    jahr: Annotated[int, Field(ge=JAHRE.start, lt=JAHRE.stop)]
    parteien: Annotated[tuple[str, ...], Field(min_length=1)]
    titel: Annotated[str, Field(max_length=300), Plain] = ""
    stand: Stand
    einstieg: Url | None = None
    adressen: tuple[Fundstelle, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def year_of_the_election(cls, values: Any) -> Any:
        """An election programme's year is its election's, a basic one's is stated."""
        if isinstance(values, dict) and isinstance(wahltag := values.get("wahltag"), date):
            if "jahr" in values:
                raise ValueError("jahr und wahltag zugleich; bei einem Wahlprogramm nur wahltag")
            return values | {"jahr": wahltag.year}
        return values

    @model_validator(mode="after")
    def belongs_to_an_election_or_to_none(self) -> Self:
        said = (self.parlament is not None, self.wahltag is not None)
        if self.typ == Programm.Typ.WAHLPROGRAMM and said != (True, True):
            raise ValueError("ein Wahlprogramm braucht parlament und wahltag")
        if self.typ == Programm.Typ.GRUNDSATZPROGRAMM and said != (False, False):
            raise ValueError("ein Grundsatzprogramm hat weder parlament noch wahltag")
        return self

    @property
    def name(self) -> str:
        """As people name it: "BE 2026 SPD"."""
        return f"{self.parlament or 'Grundsatz'} {self.jahr} {'/'.join(self.parteien)}"

    @property
    def datei(self) -> str:
        """A file name that says what it is (programme/naming.py)."""
        region = [(self.parlament or "bund").lower(), *([] if self.parlament else [GRUNDSATZ])]
        return "-".join([*map(_slug, self.parteien), *region, str(self.jahr)]) + ".pdf"


class Quellen(_Fakt):
    stand: Stand
    datum: date
    programm: tuple[Quelle, ...]

    @model_validator(mode="before")
    @classmethod
    def stand_of_all(cls, values: Any) -> Any:
        """What an entry does not say of its `stand` is said for all."""
        if isinstance(values, dict) and isinstance(entries := values.get("programm"), list):
            common = {"stand": values["stand"]} if "stand" in values else {}
            entries = [common | e if isinstance(e, dict) else e for e in entries]
            return values | {"programm": entries}
        return values


@dataclass(frozen=True)
class Bekannt:
    """What the tables of parliaments know: parties, and each parliament's election days."""

    parteien: frozenset[str]
    wahltage: Mapping[str, frozenset[date]]

    @classmethod
    def from_tables(cls) -> Self:
        parlamente = Parlament.objects.prefetch_related("wahlperioden")
        return cls(
            frozenset(Partei.objects.values_list("kuerzel", flat=True)),
            {p.code: frozenset(wp.wahltag for wp in p.wahlperioden.all()) for p in parlamente},
        )


def read_quellen(path: Path = DATEI) -> tuple[Quelle, ...]:
    """Raises FehlerhafteQuellen; whether parties and parliaments are known is asked later."""
    try:
        content = tomllib.loads(path.read_text("utf-8"))
        found = Quellen.model_validate(content).programm
    except OSError as error:
        raise FehlerhafteQuellen(f"{path} lässt sich nicht lesen ({error.strerror}).") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FehlerhafteQuellen(f"{path} ist kein gültiges TOML ({error}).") from error
    except ValidationError as error:
        _refuse(path, [f"{_entry(content, e['loc'])}: {_reason(e)}" for e in error.errors()])
    if doubles := list(_doubles(found)):
        _refuse(path, doubles)
    return found


def require_known(quellen: tuple[Quelle, ...], bekannt: Bekannt) -> None:
    """Raises FehlerhafteQuellen for what the tables do not know, with a German line for each."""
    if unknown := [f"{q.name}: {reason}" for q in quellen for reason in _unknown(q, bekannt)]:
        _refuse(None, unknown)


def _unknown(quelle: Quelle, bekannt: Bekannt) -> Iterator[str]:
    for kuerzel in quelle.parteien:
        if kuerzel not in bekannt.parteien:
            yield f"die Partei {kuerzel} ist unbekannt"
    if quelle.parlament is None:
        return
    if quelle.parlament not in bekannt.wahltage:
        yield f"das Parlament {quelle.parlament} ist unbekannt"
    elif quelle.wahltag not in bekannt.wahltage[quelle.parlament]:
        yield f"am {quelle.wahltag:%d.%m.%Y} war dort keine Wahl, die bekannt ist"


def _doubles(quellen: tuple[Quelle, ...]) -> Iterator[str]:
    """Each party once per election, and each address once: another's would be a mix-up."""
    seen: dict[object, str] = {}
    for quelle in quellen:
        election = (quelle.parlament, quelle.wahltag or quelle.jahr)
        things = [(*election, kuerzel) for kuerzel in quelle.parteien]
        for thing in [*things, *(fundstelle.url for fundstelle in quelle.adressen)]:
            if thing in seen:
                what = thing if isinstance(thing, str) else thing[-1]
                yield f"{quelle.name}: {what} steht zweimal da (auch bei {seen[thing]})"
            seen[thing] = quelle.name


def _refuse(path: Path | None, lines: list[str]) -> None:
    head = f"{path} ist fehlerhaft:" if path else "Die Liste der Quellen ist fehlerhaft:"
    shown = [f"  {line}" for line in lines[:MAX_LINES]]
    if more := len(lines) - len(shown):
        shown.append(f"  … und {more} weitere")
    raise FehlerhafteQuellen("\n".join([head, *shown]))


def _slug(kuerzel: str) -> str:
    return "-".join(filter(None, map(fold, re.split(r"[\W_]+", kuerzel))))


def _entry(content: Mapping[str, Any], loc: tuple[int | str, ...]) -> str:
    """The entry as somebody who edits the file knows it: "BE 2026-09-20 SPD, adressen 2, url"."""
    if len(loc) < 2 or loc[0] != "programm" or not isinstance(loc[1], int):
        return ", ".join(map(str, loc)) or "Datei"
    entry = content["programm"][loc[1]]
    said = entry if isinstance(entry, dict) else {}
    named = [said.get("parlament"), said.get("wahltag") or said.get("jahr")]
    parteien = said.get("parteien")
    named.append("/".join(map(str, parteien)) if isinstance(parteien, list) else None)
    name = " ".join(str(part) for part in named if part) or f"Eintrag {loc[1] + 1}"
    steps = [f"{step + 1}." if isinstance(step, int) else step for step in loc[2:]]
    return ", ".join([name, *steps])


_REASONS = {
    "missing": "fehlt",
    "extra_forbidden": "unbekanntes Feld",
    "string_too_long": "zu lang",
    "too_short": "leer",
    "literal_error": "nicht erlaubt",
    "enum": "nicht erlaubt",
    "string_pattern_mismatch": "hat nicht die richtige Form",
}


def _reason(error: Any) -> str:
    kind = error["type"]
    if kind == "value_error":
        return str(error["ctx"]["error"])
    return f"{_REASONS.get(kind, 'ungültig')} ({str(error['input'])[:80]})"
