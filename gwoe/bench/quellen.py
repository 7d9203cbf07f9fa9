"""The documents that a benchmark runs over: a folder's PDF files, each read once."""

import os
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from citations.quelltext import Lesetext
from citations.reading import UnbrauchbaresDokument, file_bytes, read_file_text

# A programme is a file with so many signs, of whose pages this share can be checked.
LONG, MOSTLY = 20_000, 0.5
SAMPLES = Path(__file__).resolve().parent.parent / "demo" / "samples"


@dataclass(frozen=True)
class Quelle:
    """A readable file; `sekunden` is the wall clock of reading it in a child process."""

    name: str
    data: bytes
    text: Lesetext
    sekunden: float

    @property
    def ms_je_seite(self) -> float:
        return 1000 * self.sekunden / max(len(self.text.seiten), 1)


class Ordner:
    """`folder` holds PDF files at any depth; what cannot be read is left out and counted."""

    def __init__(self, folder: Path, *, readers: int | None = None) -> None:
        self.folder = folder
        self.readers = readers or os.cpu_count() or 1
        self.unreadable: list[str] = []
        self._read: dict[str, Quelle] = {}

    @cached_property
    def names(self) -> list[str]:
        return sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*.pdf"))

    @property
    def programme(self) -> list[Path]:
        """The files with a long text that can be checked on most of its pages."""
        good = [quelle for quelle in self.quellen() if _share_checkable(quelle) > MOSTLY]
        return [self.folder / quelle.name for quelle in good if len(quelle.text.text) > LONG]

    def quellen(self, names: Iterable[str] | None = None) -> Iterator[Quelle]:
        """The files of these names, or all of them, in order."""
        wanted = list(self.names if names is None else names)
        missing = [name for name in wanted if name not in self._read]
        with ThreadPoolExecutor(self.readers) as pool:
            for quelle in pool.map(self._load, missing):
                if quelle:
                    self._read[quelle.name] = quelle
        return (self._read[name] for name in wanted if name in self._read)

    def _load(self, name: str) -> Quelle | None:
        data = file_bytes(self.folder / name)
        started = time.perf_counter()
        try:
            text = read_file_text(data)
        except UnbrauchbaresDokument:
            self.unreadable.append(name)
            return None
        return Quelle(name, data, text, time.perf_counter() - started)


def _share_checkable(quelle: Quelle) -> float:
    pages = quelle.text.seiten
    return sum(seite.pruefbar for seite in pages) / max(len(pages), 1)
