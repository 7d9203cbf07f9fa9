"""Golden sets: what is asked, and which places answer it. The format is known by the content."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .queries import Frage, motion_queries


class PruefsatzFehler(ValueError):
    """The file is no golden set; the message is German."""


@dataclass(frozen=True)
class Stelle:
    """Equally good places: quote and pages (from 1; none for a paragraph) of each."""

    orte: tuple[tuple[str, tuple[int, ...]], ...]
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Aufgabe:
    """What is asked of one party's programme, and the places that should be found in it.

    Without places nothing relevant is to be found. `datei` is the programme's path, empty for a
    set's own paragraphs. Where no passage of a party is known, it is the path of another party's
    programme for the same parliament.
    """

    id: str
    fragen: tuple[Frage, ...]
    stellen: tuple[Stelle, ...]
    partei: str = ""
    datei: str = ""
    tags: tuple[str, ...] = ()
    ist_frage: bool = False


@dataclass
class Pruefsatz:
    """`dateien` are the programmes with their party's label, `absaetze` a set's own paragraphs."""

    name: str
    aufgaben: list[Aufgabe] = field(default_factory=list)
    dateien: dict[str, str] = field(default_factory=dict)
    absaetze: list[str] = field(default_factory=list)


def read_pruefsatz(path: Path) -> Pruefsatz:
    """Questions or motions as JSON lines, or paragraphs with questions as in SQuAD."""
    try:
        content = path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        raise PruefsatzFehler(f"{path}: Die Datei lässt sich nicht lesen ({error}).") from error
    satz = Pruefsatz(path.stem)
    for number, text in _texts(content):
        try:
            _add(satz, json.loads(text), number)
        except (KeyError, TypeError, AttributeError, ValueError, RecursionError) as error:
            raise PruefsatzFehler(
                f"{path}, Zeile {number}: Es fehlt etwas oder hat die falsche Form ({error!r})."
            ) from error
    if not satz.aufgaben:
        raise PruefsatzFehler(f"{path}: Die Datei enthält keine Aufgaben.")
    return satz


def _texts(content: str) -> list[tuple[int, str]]:
    """The JSON texts with their lines: one per line, or one over all of them."""
    lines = [(n, line) for n, line in enumerate(content.split("\n"), start=1) if line.strip()]
    return lines if lines and _is_json(lines[0][1]) else [(1, content)]


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _add(satz: Pruefsatz, entry: dict[str, Any], number: int) -> None:
    if "data" in entry:
        _add_paragraphs(satz, entry)
    elif "frage" in entry:
        _add_question(satz, entry, number)
    elif "belege" in entry:
        _add_motion(satz, entry, number)
    else:
        raise KeyError("frage, belege oder data")


def _add_question(satz: Pruefsatz, entry: dict[str, Any], number: int) -> None:
    satz.dateien[entry["datei"]] = entry["partei"]
    tags = tuple(entry.get("art", ()))
    satz.aufgaben.append(
        Aufgabe(
            id=str(entry.get("id", number)),
            fragen=(Frage(entry["frage"].strip()),),
            stellen=(_stelle(entry, tags),) if entry["beantwortbar"] else (),
            partei=entry["partei"],
            datei=entry["datei"],
            tags=tags,
            ist_frage=True,
        )
    )


def _add_motion(satz: Pruefsatz, entry: dict[str, Any], number: int) -> None:
    fragen = tuple(motion_queries(entry["titel"], entry["text"]))
    named = [beleg["datei"] for belege in entry["belege"].values() for beleg in belege]
    for partei, belege in entry["belege"].items():
        own_files = sorted({beleg["datei"] for beleg in belege})
        satz.dateien.update(dict.fromkeys(own_files, partei))
        for datei in own_files or named[:1]:
            own = [beleg for beleg in belege if beleg["datei"] == datei]
            satz.aufgaben.append(
                Aufgabe(
                    id=f"{entry.get('id', number)} {partei}",
                    fragen=fragen,
                    stellen=tuple(_stelle(b, (b.get("haltung", ""),)) for b in own),
                    partei=partei,
                    datei=datei,
                )
            )


def _stelle(entry: dict[str, Any], tags: Sequence[str]) -> Stelle:
    places = [entry, *entry.get("weitere", ())]
    orte = tuple((_zitat(place), tuple(place["seiten"])) for place in places)
    if not all(seiten for _, seiten in orte):
        raise ValueError("seiten ist leer")
    return Stelle(orte, tuple(filter(None, tags)))


def _zitat(place: dict[str, Any]) -> str:
    if not any(map(str.isalpha, zitat := place["zitat"])):
        raise ValueError("zitat ist leer")
    return str(zitat)


def _add_paragraphs(satz: Pruefsatz, entry: dict[str, Any]) -> None:
    for paragraph in (p for article in entry["data"] for p in article["paragraphs"]):
        satz.absaetze.append(paragraph["context"])
        place = Stelle(((paragraph["context"], ()),))
        satz.aufgaben += [
            Aufgabe(id=str(qa["id"]), fragen=(Frage(qa["question"]),), stellen=(place,))
            for qa in paragraph["qas"]
        ]


def known_files(saetze: Sequence[Pruefsatz], folder: Path) -> Iterator[tuple[str, Path, str]]:
    """Name, path and party's label of each programme. Raises PruefsatzFehler where one is not."""
    named = {datei: partei for satz in saetze for datei, partei in satz.dateien.items()}
    for datei, partei in sorted(named.items()):
        path = _existing(folder / datei)
        if not path or not path.is_relative_to(folder.resolve()):
            raise PruefsatzFehler(f"Die Datei {datei} gibt es unter {folder} nicht.")
        yield datei, path, partei


def _existing(path: Path) -> Path | None:
    """Also no file: a NUL byte, links in a circle, a name of endless length."""
    try:
        return path.resolve() if path.is_file() else None
    except (OSError, ValueError, RuntimeError):
        return None
