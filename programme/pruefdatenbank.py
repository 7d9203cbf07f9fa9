"""A database with the programmes of golden sets, kept from one run to the next."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from datetime import date
from functools import partial
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from django.core.management import call_command
from django.db import connection
from django.db.backends.postgresql.psycopg_any import DateRange
from django.db.utils import DatabaseError
from django.test.utils import override_settings
from tqdm import tqdm

from citations.models import Dokument, Extraktion
from citations.pdf.reader import VERSION
from citations.reading import GeleseneDatei, file_bytes, read_file, store
from parlamente.models import Parlament, Partei

from . import chunking, embeddings, gliederung, ingesting, models, wortschatz
from .embeddings import configured_name, embed, written_models
from .ingesting import reindex
from .models import Chunk, Einbettung, Programm
from .naming import UnklarerName, fold, parse_name
from .pruefsatz import Pruefsatz, PruefsatzFehler, known_files
from .validity import UnklareGeltung, gueltig, wahltage
from .wortschatz import count_words, weigh_words

# What an index depends on besides the files.
CODE = (chunking, embeddings, gliederung, ingesting, models, wortschatz)
# Files that are read ahead of the one that is indexed.
READERS = 2
IMMER = DateRange(date(1900, 1, 1), None)
# Parliament and party of paragraphs, and of files whose names say no parliament.
OHNE = "OHNE"

# Leaves the scratch database: what a model call costs is counted in the usual one.
Ausgang = Callable[[], AbstractContextManager[None]]


@contextmanager
def pruefdatenbank(saetze: Sequence[Pruefsatz], folder: Path) -> Iterator[Ausgang]:
    """Everything inside sees the sets' programmes alone; the connection is the usual one again.

    The database is named by the files and the code that indexes them, so that a second run finds
    it. What is given leads back to the usual database for a while. Raises PruefsatzFehler.
    """
    files = list(known_files(saetze, folder))
    own = connection.settings_dict["NAME"]
    wanted, outdated = _names(saetze, files)
    try:
        if not _exists(wanted):
            _build(wanted, saetze, files)
            _drop([name for name in _like(outdated) if name != wanted])
        _use(wanted)
        yield partial(_used, own)
    finally:
        _use(own)


@contextmanager
def _used(name: str) -> Iterator[None]:
    before = connection.settings_dict["NAME"]
    _use(name)
    try:
        yield
    finally:
        _use(before)


def _names(saetze: Sequence[Pruefsatz], files: Sequence[tuple[str, Path, str]]) -> tuple[str, str]:
    """The database's name, and a pattern of those with the same files and older code."""
    content = hashlib.sha256()
    for name, path, partei in files:
        content.update(f"{name}\0{partei}\0".encode() + hashlib.sha256(file_bytes(path)).digest())
    for text in (absatz for satz in saetze for absatz in satz.absaetze):
        content.update(text.encode())
    code = hashlib.sha256(f"{VERSION} {configured_name()}".encode())
    for module in CODE:
        code.update(Path(str(module.__file__)).read_bytes())
    start = f"pruefsatz_{content.hexdigest()[:12]}"
    return f"{start}_{code.hexdigest()[:12]}", f"{start}_%"


def _exists(name: str) -> bool:
    return bool(_like(name))


def _like(pattern: str) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT datname FROM pg_database WHERE datname LIKE %s", [pattern])
        return [name for (name,) in cursor.fetchall()]


def _drop(names: Sequence[str]) -> None:
    with connection.cursor() as cursor:
        for name in names:
            cursor.execute(f"DROP DATABASE IF EXISTS {connection.ops.quote_name(name)}")


def _use(name: str) -> None:
    connection.close()
    connection.settings_dict["NAME"] = name


def _build(name: str, saetze: Sequence[Pruefsatz], files: Sequence[tuple[str, Path, str]]) -> None:
    """Under another name until it is whole: one that a killed run left behind is never found."""
    own, unfinished = connection.settings_dict["NAME"], f"{name}_neu"
    connection.settings_dict["TEST"] = {**connection.settings_dict["TEST"], "NAME": unfinished}
    try:
        connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    except DatabaseError as error:
        raise PruefsatzFehler(f"Die Prüfdatenbank lässt sich nicht anlegen: {error}") from error
    try:
        with TemporaryDirectory() as media, override_settings(MEDIA_ROOT=media):
            _fill(saetze, files)
    finally:
        _use(own)
    with connection.cursor() as cursor:
        quote = connection.ops.quote_name
        cursor.execute(f"ALTER DATABASE {quote(unfinished)} RENAME TO {quote(name)}")


def _fill(saetze: Sequence[Pruefsatz], files: Sequence[tuple[str, Path, str]]) -> None:
    call_command("load_parlamente", stdout=StringIO())  # the figures are printed alone
    Parlament.objects.create(code=OHNE, name="Ohne Parlament", land="Ohne Land")
    with ThreadPoolExecutor(READERS) as pool:
        readings = pool.map(lambda entry: _read(entry[1]), files)
        for (name, _, partei), datei in zip(
            tqdm(files, unit=" Programme", desc="Einlesen"), readings, strict=True
        ):
            programm = _programm(store(datei, name=name), name, _parteien(partei))
            reindex(programm)
            programm.confirm(durch="Prüfsatz", gesehen=programm.zweifel)
    absaetze = [absatz for satz in saetze for absatz in satz.absaetze]
    if absaetze:
        _store_absaetze(absaetze)
    count_words()


def _read(path: Path) -> GeleseneDatei:
    """In a thread, whose own connection would keep the database from being renamed."""
    try:
        return read_file(file_bytes(path))
    finally:
        connection.close()


def _parteien(label: str) -> list[Partei]:
    """The parties of a label: `CDU/CSU` are two, with one programme together."""
    found = []
    for name in label.split("/"):
        known = [p for p in Partei.objects.all() if fold(name) in map(fold, _spellings(p))]
        found.append(known[0] if known else Partei.objects.create(kuerzel=name[:30], name=name))
    return found


def _spellings(partei: Partei) -> list[str]:
    return [partei.kuerzel, partei.name, *partei.aliase]


def _programm(dokument: Dokument, name: str, parteien: list[Partei]) -> Programm:
    """By the file's name as far as it says something, by the set's word for the rest."""
    codes = list(Parlament.objects.values_list("code", flat=True))
    spellings = {fold(s): p.kuerzel for p in Partei.objects.all() for s in _spellings(p)}
    parlament, geltung, jahr = Parlament.objects.get(code=OHNE), IMMER, 2000
    try:
        said = parse_name(Path(name).stem, parteien=spellings, parlamente=codes)
        if said.parlament:
            parlament, jahr = Parlament.objects.get(code=said.parlament), said.jahr
            geltung = gueltig(said.jahr, wahltage(parlament))
    except (UnklarerName, UnklareGeltung):
        pass  # the set's word counts: some parliament, valid at all times
    programm = Programm.objects.create(
        dokument=dokument,
        parlament=parlament,
        typ=Programm.Typ.WAHLPROGRAMM,
        jahr=jahr,
        gueltig=geltung,
    )
    programm.parteien.set(parteien)
    return programm


def _store_absaetze(absaetze: Sequence[str]) -> None:
    """Each paragraph is a passage of one programme without a file."""
    dokument = Dokument.objects.create(sha256="0" * 64, bytes=0, name=OHNE)
    lesung = Extraktion.objects.create(
        dokument=dokument, version=VERSION, status=Extraktion.Status.ZITIERFAEHIG, seitenzahl=0
    )
    programm = _programm(dokument, OHNE, _parteien(OHNE))
    chunks = Chunk.objects.bulk_create(
        Chunk(
            programm=programm,
            extraktion=lesung,
            nr=number,
            start=0,
            ende=len(absatz),
            seite=1,
            text=absatz,
        )
        for number, absatz in enumerate(absaetze, start=1)
    )
    for modell in written_models():
        _store_vectors(chunks, modell)
    weigh_words(programm)


def _store_vectors(chunks: Sequence[Chunk], modell: models.EinbettungsModell) -> None:
    from citations.sentences import satz_spans

    for chunk, whole in zip(chunks, embed([c.text for c in chunks], modell), strict=True):
        sentences = [chunk.text[slice(*span)] for span in satz_spans(chunk.text)]
        vectors = embed(sentences, modell)
        Einbettung.objects.bulk_create(
            [
                Einbettung(chunk=chunk, modell=modell, satz=None, vektor=whole),
                *(
                    Einbettung(chunk=chunk, modell=modell, satz=number, vektor=vector)
                    for number, vector in enumerate(vectors)
                ),
            ]
        )
