"""What is said about a programme: by its file's name, a programme.csv, options or a form."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import cast

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db.backends.postgresql.psycopg_any import DateRange
from django.db.models import Field

from citations.models import Dokument
from parlamente.models import Parlament, Partei
from parlamente.zeichen import plain

from . import validity
from .models import JAHRE, Programm
from .naming import Namensangaben, UnklareAngaben, fold, parse_name

CSV_NAME = "programme.csv"
# The raw form: these names are the columns of programme.csv and the options of ingest_programme.
FELDER = (
    "partei",
    "parlament",
    "typ",
    "jahr",
    "titel",
    "gueltig_ab",
    "gueltig_bis",
    "quelle_url",
    "lizenzhinweis",
    "anzeige",
)
TYPEN = {
    "wahlprogramm": Programm.Typ.WAHLPROGRAMM,
    "wahl": Programm.Typ.WAHLPROGRAMM,
    "grundsatzprogramm": Programm.Typ.GRUNDSATZPROGRAMM,
    "grundsatz": Programm.Typ.GRUNDSATZPROGRAMM,
}
DATE_FORMATS = ("%Y-%m-%d", "%d.%m.%Y")


@dataclass(frozen=True)
class Angaben:
    parteien: tuple[Partei, ...]
    parlament: Parlament | None
    typ: Programm.Typ
    jahr: int
    gueltig: DateRange
    titel: str = ""
    quelle_url: str = ""
    lizenzhinweis: str = ""
    anzeige: Dokument.Anzeige | None = None  # None: nobody said

    @property
    def anzeige_or_default(self) -> Dokument.Anzeige:
        """Programmes are works of their parties: unless somebody says otherwise, excerpts only.

        Whole pages of them beside each other would be the programme published once more, and the
        right to quote (§ 51 UrhG) covers no more than what is spoken of. Invented parties have no
        such rights.
        """
        if self.anzeige is not None:
            return self.anzeige
        if self._is_invented:
            return Dokument.Anzeige.SEITE
        is_wahlprogramm = self.typ == Programm.Typ.WAHLPROGRAMM
        return Dokument.Anzeige(
            settings.ANZEIGE_WAHLPROGRAMM if is_wahlprogramm else settings.ANZEIGE_GRUNDSATZPROGRAMM
        )

    @property
    def _is_invented(self) -> bool:
        parlament = self.parlament is None or self.parlament.muster
        return parlament and all(partei.muster for partei in self.parteien)


def resolve(roh: Mapping[str, str], *, name: str) -> Angaben:
    """The raw values, completed from the file's name where they do not say enough.

    Raises UnklareAngaben.
    """
    spellings = _party_spellings()
    values = _completed(roh, name, spellings)
    typ = _typ(values.get("typ", Programm.Typ.WAHLPROGRAMM))
    parteien = _parteien(values["partei"], spellings)
    parlament = _parlament(values.get("parlament"), typ)
    jahr = _jahr(values["jahr"])
    return Angaben(
        parteien=parteien,
        parlament=parlament,
        typ=typ,
        jahr=jahr,
        gueltig=_gueltig(values, jahr=jahr, parteien=parteien, parlament=parlament),
        titel=_checked("titel", values),
        quelle_url=_url(values),
        lizenzhinweis=_checked("lizenzhinweis", values),
        anzeige=_anzeige(values["anzeige"]) if "anzeige" in values else None,
    )


def read_csv(path: Path) -> dict[str, dict[str, str]]:
    """The raw values per file name, from a table with a column `datei` and any of FELDER.

    Raises UnklareAngaben for what is no table, for unknown columns and for a file named twice or
    not at all.
    """
    try:
        return _rows(path.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError:
        raise UnklareAngaben("Die Tabelle ist nicht als UTF-8 gespeichert.") from None
    except csv.Error as error:
        raise UnklareAngaben(f"Die Tabelle ist nicht lesbar ({error}).") from None


def _rows(text: str) -> dict[str, dict[str, str]]:
    delimiter = ";" if ";" in text.split("\n", 1)[0] else ","
    reader = csv.DictReader(text.splitlines(), delimiter=delimiter)
    unknown = set(reader.fieldnames or ()) - {"datei", *FELDER}
    if unknown or "datei" not in (reader.fieldnames or ()):
        raise UnklareAngaben(
            f"Unbekannte Spalten: {', '.join(sorted(unknown)) or 'datei fehlt'}. "
            f"Erlaubt sind datei, {', '.join(FELDER)}."
        )
    rows: dict[str, dict[str, str]] = {}
    for row in reader:
        datei = (row.pop("datei") or "").strip()
        if not datei or datei in rows:
            raise UnklareAngaben(f"Zeile {reader.line_num}: Datei fehlt oder steht doppelt.")
        rows[datei] = {key: value or "" for key, value in row.items() if key in FELDER}
    return rows


def _completed(roh: Mapping[str, str], name: str, spellings: Mapping[str, str]) -> dict[str, str]:
    stated = {key: plain(value).strip() for key, value in roh.items() if value}
    values = {key: value for key, value in stated.items() if value}
    if _says_enough(values):
        return values
    named = parse_name(Path(name).stem, parteien=spellings, parlamente=_codes())
    return _from_name(named) | values


def _says_enough(values: Mapping[str, str]) -> bool:
    basic = TYPEN.get(values.get("typ", "").casefold()) == Programm.Typ.GRUNDSATZPROGRAMM
    return {"partei", "jahr"} <= values.keys() and (basic or "parlament" in values)


def _from_name(angaben: Namensangaben) -> dict[str, str]:
    values = {
        "partei": "+".join(angaben.parteien),
        "typ": str(angaben.typ),
        "jahr": str(angaben.jahr),
        "titel": angaben.zusatz.capitalize(),
    }
    return values | ({"parlament": angaben.parlament} if angaben.parlament else {})


def _party_spellings() -> dict[str, str]:
    return {
        fold(name): partei.kuerzel
        for partei in Partei.objects.all()
        for name in (*partei.aliase, partei.name, partei.kuerzel)
    }


def _codes() -> list[str]:
    return list(Parlament.objects.values_list("code", flat=True))


def _parteien(text: str, spellings: Mapping[str, str]) -> tuple[Partei, ...]:
    kuerzel = []
    for name in filter(None, map(str.strip, text.split("+"))):
        if fold(name) not in spellings:
            raise UnklareAngaben(f"Die Partei „{name}“ ist unbekannt.")
        kuerzel.append(spellings[fold(name)])
    if not kuerzel:
        raise UnklareAngaben("Es ist keine Partei genannt.")
    return tuple(Partei.objects.filter(kuerzel__in=kuerzel).order_by("kuerzel"))


def _parlament(code: str | None, typ: Programm.Typ) -> Parlament | None:
    """A basic programme is valid everywhere, whatever a table says about its parliament."""
    if typ == Programm.Typ.GRUNDSATZPROGRAMM:
        return None
    found = Parlament.objects.filter(code__iexact=code or "").first()
    if found is None:
        raise UnklareAngaben(
            f"Das Parlament „{code}“ ist unbekannt. Laden Sie die Parlamente (load_parlamente) "
            f"oder wählen Sie: {', '.join(sorted(_codes())) or 'noch keines geladen'}."
        )
    return found


def _typ(text: str) -> Programm.Typ:
    try:
        return TYPEN[text.casefold()]
    except KeyError:
        raise UnklareAngaben(
            f"Die Art „{text}“ ist unbekannt; möglich sind wahlprogramm und grundsatzprogramm."
        ) from None


def _anzeige(text: str) -> Dokument.Anzeige:
    try:
        return Dokument.Anzeige(text.casefold())
    except ValueError:
        raise UnklareAngaben(
            f"Die Anzeige „{text}“ ist unbekannt; möglich sind "
            f"{', '.join(Dokument.Anzeige.values)}."
        ) from None


def _jahr(text: str) -> int:
    if not (text.isdecimal() and int(text) in JAHRE):
        raise UnklareAngaben(f"„{text}“ ist kein Jahr.")
    return int(text)


def _gueltig(
    values: Mapping[str, str],
    *,
    jahr: int,
    parteien: tuple[Partei, ...],
    parlament: Parlament | None,
) -> DateRange:
    beginne = (
        validity.wahltage(parlament) if parlament else validity.grundsatz_beginne(parteien, jahr)
    )
    ab, bis = _tag(values.get("gueltig_ab")), _tag(values.get("gueltig_bis"))
    if ab is None:
        computed = validity.gueltig(jahr, beginne)
        return computed if bis is None else validity.given(computed.lower, bis, beginne)
    return validity.given(ab, bis, beginne)


def _tag(text: str | None) -> date | None:
    if not text:
        return None
    for pattern in DATE_FORMATS:
        try:
            tag = datetime.strptime(text, pattern).date()
        except ValueError:
            continue
        return _plausible(tag)
    raise UnklareAngaben(f"„{text}“ ist kein Datum (2021-03-14 oder 14.03.2021).")


def _plausible(tag: date) -> date:
    if tag.year not in JAHRE:
        raise UnklareAngaben(
            f"Der {tag:%d.%m.%Y} liegt nicht zwischen {JAHRE.start} und {JAHRE.stop - 1}. "
            "Ein offenes Ende bleibt leer."
        )
    return tag


def _checked(name: str, values: Mapping[str, str]) -> str:
    """The value, if the field of that name takes it: not too long, above all."""
    field = cast(Field, Programm._meta.get_field(name))
    try:
        return str(field.clean(values.get(name, ""), None))
    except ValidationError as error:
        raise UnklareAngaben(f"{field.verbose_name}: {' '.join(error.messages)}") from None


def _url(values: Mapping[str, str]) -> str:
    text = values.get("quelle_url", "")
    if text:
        try:
            URLValidator(schemes=["http", "https"])(text)
        except ValidationError:
            raise UnklareAngaben(f"„{text}“ ist keine Internetadresse.") from None
    return _checked("quelle_url", values)
