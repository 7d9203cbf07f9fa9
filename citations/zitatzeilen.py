"""The rows of a person's own list of quotes: read from JSON Lines or CSV, written as the same."""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

# Longer than any sentence; what is longer is a text, not a quote.
MAX_ZITAT = 5000
# Spreadsheets take a cell that begins with one of these for a formula.
FORMULA = ("=", "+", "-", "@", "\t", "\r")
# What some programs take for the end of a line, as JSON writes it.
SEPARATORS = {code: f"\\u{code:04x}" for code in (0x85, 0x2028, 0x2029)}
KEINE_ZEICHEN = "Die Zeile enthält Zeichen, die keine sind."
FIELDS = (
    "urteil",
    "grad",
    "datei",
    "seite",
    "seite_gedruckt",
    "text",
    "grund",
    "vorschlag",
    "unterschied",
    "rects",
    "stellen",
    "fehler",
    "zitat",
)


@dataclass(frozen=True, slots=True)
class Zitatzeile:
    """One row; `fehler` says in German what is wrong with it, and then the rest counts nothing."""

    zitat: str
    datei: str = ""
    seite: int | None = None
    partei: str = ""
    fehler: str = ""


def read_rows(data: bytes, *, is_csv: bool) -> list[Zitatzeile]:
    """Every row of the file in order, the malformed ones too.

    Raises ValueError, in German, where the file as a whole is no list.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError("Die Liste ist keine Textdatei in UTF-8.") from error
    return [_zeile(row) for row in (_csv_rows(text) if is_csv else _json_rows(text))]


def _json_rows(text: str) -> Iterator[Any]:
    for line in text.split("\n"):  # not splitlines: a quote may hold a line separator
        if not line.strip():
            continue
        try:
            yield json.loads(line)
        except (ValueError, RecursionError):
            yield "Die Zeile ist kein JSON."


def _csv_rows(text: str) -> Iterator[Any]:
    head = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=head.count)
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, strict=False)
    try:
        names = [(name or "").strip().casefold() for name in reader.fieldnames or ()]
    except csv.Error as error:
        raise ValueError("Die Datei ist keine Tabelle.") from error
    if "zitat" not in names:
        raise ValueError("Die Tabelle hat keine Spalte „zitat“.")
    reader.fieldnames = names
    try:
        yield from reader
    except csv.Error:
        yield "Ab dieser Zeile ist die Datei keine Tabelle."


def _zeile(row: Any) -> Zitatzeile:
    """`row` is what the file holds, or the sentence that says why it holds nothing."""
    if isinstance(row, str):
        return Zitatzeile("", fehler=row)
    if not isinstance(row, dict):
        return Zitatzeile("", fehler="Die Zeile ist kein JSON-Objekt.")
    zitat = row.get("zitat")
    if not isinstance(zitat, str) or not zitat.strip():
        return Zitatzeile("", fehler="Das Feld „zitat“ fehlt oder ist leer.")
    if fehler := _fault(row):
        return Zitatzeile("" if fehler == KEINE_ZEICHEN else zitat, fehler=fehler)
    texts = {name: (row.get(name) or "").strip() for name in ("datei", "partei")}
    return Zitatzeile(zitat, texts["datei"], _seite(row.get("seite")), texts["partei"])


def _fault(row: dict[str, Any]) -> str:
    """What is wrong with a row that has a quote, in German; empty for nothing."""
    fields = [row.get(name) for name in ("zitat", "datei", "partei", "seite")]
    if any("\ud800" <= char <= "\udfff" for field in fields for char in str(field)):
        return KEINE_ZEICHEN
    if len(row["zitat"]) > MAX_ZITAT:
        return f"Das Zitat ist länger als {MAX_ZITAT} Zeichen."
    for name in ("datei", "partei"):
        if not isinstance(row.get(name) or "", str):
            return f"Das Feld „{name}“ ist kein Text."
    try:
        _seite(row.get("seite"))
    except ValueError:
        return "Das Feld „seite“ ist keine Seitenzahl."
    return ""


def _seite(value: Any) -> int | None:
    """A whole number from 1 on, None where nothing is said. Raises ValueError."""
    if value is None or value == "":
        return None
    if isinstance(value, float) and value.is_integer():  # what spreadsheets make of 27
        value = int(value)
    if isinstance(value, bool) or not re.fullmatch(r"\s*0*[1-9]\d{0,5}(?:\.0)?\s*", str(value)):
        raise ValueError(value)
    return int(float(value))


def as_json_lines(rows: Iterable[dict[str, Any]]) -> str:
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    return lines.translate(SEPARATORS)


def as_csv(rows: Iterable[dict[str, Any]]) -> str:
    """Lists as JSON in their cell; what a spreadsheet would compute begins with an apostrophe."""
    output = io.StringIO(newline="")
    writer = csv.DictWriter(output, FIELDS, lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _cell(value) for name, value in row.items()} for row in rows)
    return output.getvalue()


def _cell(value: Any) -> Any:
    if isinstance(value, list):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, str) and value.startswith(FORMULA):
        return f"'{value}"
    return value
