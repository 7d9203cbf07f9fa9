"""Takes many programmes in at once: prepared by several processes, stored by this one."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Literal

from citations.reading import UnbrauchbaresDokument, file_bytes

from .angaben import Angaben
from .embeddings import EinbettungFehler
from .ingesting import Stand, look_up, plan, take_in
from .models import Programm
from .naming import UnklareAngaben
from .prozesse import in_order
from .validity import close_open_ends
from .wortschatz import count_words

Ausgang = Literal["neu", "erneuert", "unverändert", "gescheitert"]
# What is wrong with one file, and no reason not to take the next one in.
FAILURES = (UnklareAngaben, UnbrauchbaresDokument, EinbettungFehler, OSError)


@dataclass(frozen=True)
class Datei:
    path: Path
    angaben: Angaben


@dataclass(frozen=True)
class Ergebnis:
    datei: Datei
    ausgang: Ausgang
    programm: Programm | None = None
    grund: str = ""


def ingest_files(dateien: Iterable[Datei], *, processes: int) -> Iterator[Ergebnis]:
    """Known files first, the others in their order; each one is stored when its result comes.

    Ended at any time, what came is whole, and the same again goes on where this ended. Raises
    ProzessVerloren.
    """
    todo: list[tuple[Datei, str, Stand]] = []
    for datei in dateien:
        try:
            digest = sha256(file_bytes(datei.path)).hexdigest()
            stand = look_up(digest, datei.angaben)
        except FAILURES as failure:
            yield _failed(datei, failure)
        else:
            if stand.is_current:
                yield Ergebnis(datei, "unverändert", stand.programm)
            else:
                todo.append((datei, digest, stand))
    calls = ((entry, plan(entry[2], entry[0].path)) for entry in todo)
    for (datei, digest, stand), work in in_order(calls, processes=min(processes, len(todo) or 1)):
        try:
            programm = take_in(work(), digest, datei.angaben, name=datei.path.name)
        except FAILURES as failure:
            yield _failed(datei, failure)
        else:
            yield Ergebnis(datei, "erneuert" if stand.programm else "neu", programm)
    count_words()
    close_open_ends()


def _failed(datei: Datei, failure: Exception) -> Ergebnis:
    return Ergebnis(datei, "gescheitert", grund=str(failure))
