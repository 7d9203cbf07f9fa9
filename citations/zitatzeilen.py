"""The rows of a person's own list of quotes: read from JSON Lines or CSV, written as the same."""

import csv
import io
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, BinaryIO, TextIO

# Longer than any sentence; what is longer is a text, not a quote.
MAX_ZITAT = 5000
# Spreadsheets take a cell that begins with one of these for a formula.
FORMULA = ("=", "+", "-", "@", "\t", "\r")
# What some programs take for the end of a line, as JSON writes it.
SEPARATORS = {code: f"\\u{code:04x}" for code in (0x85, 0x2028, 0x2029)}
# What a text cannot hold: halves of signs, and the sign that is none.
_NO_SIGN = re.compile("[\0\ud800-\udfff]")
# "27.0" is what spreadsheets make of 27.
_SEITE = re.compile(r"\s*0*[1-9]\d{0,5}(?:\.0)?\s*", re.ASCII)
READ = ("zitat", "datei", "seite", "partei")
KEIN_OBJEKT = "Die Zeile ist kein JSON-Objekt."
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


def read_rows(data: BinaryIO, *, is_csv: bool) -> Iterator[Zitatzeile]:
    """Every row of the file in order, the malformed ones too; read as it is asked for.

    Raises ValueError, in German, where the file as a whole is no list.
    """
    text = io.TextIOWrapper(data, "utf-8-sig", newline="" if is_csv else "\n")
    try:
        yield from _csv_rows(text) if is_csv else _json_rows(text)
    except UnicodeDecodeError as error:
        raise ValueError("Die Liste ist keine Textdatei in UTF-8.") from error
    finally:
        text.detach()


def _json_rows(lines: Iterable[str]) -> Iterator[Zitatzeile]:
    """Only a line feed ends a line: quotes hold what other programs take for an end."""
    for line in lines:
        if not line.strip():
            continue
        try:
            pairs = json.loads(line, object_pairs_hook=_Felder)
        except (ValueError, RecursionError):
            yield _faulty("Die Zeile ist kein JSON.")
            continue
        yield _zeile(pairs) if isinstance(pairs, _Felder) else _faulty(KEIN_OBJEKT)


def _csv_rows(lines: TextIO) -> Iterator[Zitatzeile]:
    head = lines.readline()
    reader, names = _table(head, lines)
    while True:
        try:
            with _long_cells():
                cells = next(reader)
        except StopIteration:
            return
        except csv.Error:
            yield _faulty("Die Anführungszeichen der Zeile gehen nicht auf.")
            continue
        if cells:  # an empty line is no row
            yield _tabellenzeile(names, cells)


@contextmanager
def _long_cells() -> Iterator[None]:
    """A cell may be as long as it likes: an error would swallow the row behind it.

    The module keeps one limit for the whole process, so other readers get theirs back.
    """
    before = csv.field_size_limit(sys.maxsize)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _table(head: str, lines: Iterable[str]) -> tuple[Iterator[list[str]], list[str]]:
    """The rows below the head, and the names of the columns."""
    for delimiter in ",;\t":
        try:
            with _long_cells():
                cells = next(csv.reader([head], delimiter=delimiter, strict=True), [])
        except csv.Error:
            continue
        names = [cell.strip().casefold() for cell in cells]
        if "zitat" in names:
            return csv.reader(lines, delimiter=delimiter, strict=True), names
    raise ValueError("Die Tabelle hat keine Spalte „zitat“.")


def _tabellenzeile(names: list[str], cells: list[str]) -> Zitatzeile:
    if any(cells[len(names) :]):
        return _faulty("Die Zeile hat mehr Zellen als die Tabelle Spalten.")
    return _zeile(_Felder(zip(names, cells, strict=False)))


class _Felder(dict[str, Any]):
    """The fields of a row; `doppelt` are those that we read and that it has more than once."""

    def __init__(self, pairs: Iterable[tuple[str, Any]]) -> None:
        listed = list(pairs)
        super().__init__(listed)
        counts = Counter(name for name, _ in listed)
        self.doppelt = [name for name in READ if counts[name] > 1]


def _faulty(fehler: str, zitat: str = "") -> Zitatzeile:
    return Zitatzeile(zitat, fehler=fehler)


def _zeile(row: _Felder) -> Zitatzeile:
    if row.doppelt:
        return _faulty(f"Das Feld „{row.doppelt[0]}“ kommt mehrmals vor.")
    zitat = row.get("zitat")
    if not isinstance(zitat, str) or not zitat.strip():
        return _faulty("Das Feld „zitat“ fehlt oder ist leer.")
    if fehler := _fault(row):
        return _faulty(fehler, "" if fehler == KEINE_ZEICHEN else zitat)
    texts = {name: (row.get(name) or "").strip() for name in ("datei", "partei")}
    return Zitatzeile(zitat, texts["datei"], _seite(row.get("seite")), texts["partei"])


def _fault(row: _Felder) -> str:
    """What is wrong with a row that has a quote, in German; empty for nothing."""
    for name in ("datei", "partei"):
        if not isinstance(row.get(name, ""), str | None):
            return f"Das Feld „{name}“ ist kein Text."
    texts = [row.get(name) for name in READ]
    if any(_NO_SIGN.search(text) for text in texts if isinstance(text, str)):
        return KEINE_ZEICHEN
    if len(row["zitat"]) > MAX_ZITAT:
        return f"Das Zitat ist länger als {MAX_ZITAT} Zeichen."
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
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise ValueError(value)
    if not _SEITE.fullmatch(str(value)):
        raise ValueError(value)
    return int(float(value))


def as_json_lines(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    for row in rows:
        yield json.dumps(row, ensure_ascii=False).translate(SEPARATORS) + "\n"


def as_csv(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Lists as JSON in their cell; what a spreadsheet would compute begins with an apostrophe."""
    line = io.StringIO(newline="")
    writer = csv.DictWriter(line, FIELDS, lineterminator="\n")
    writer.writeheader()
    for row in rows:
        yield _taken(line)
        writer.writerow({name: _cell(value) for name, value in row.items()})
    yield _taken(line)


def _taken(line: io.StringIO) -> str:
    text = line.getvalue()
    line.seek(0)
    line.truncate()
    return text


def _cell(value: Any) -> Any:
    if isinstance(value, list):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, str) and value.startswith(FORMULA):
        return f"'{value}"
    return value
