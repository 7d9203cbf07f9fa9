"""A database with the programmes of golden sets, kept from one run to the next."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from datetime import date
from functools import cache, partial
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar, cast

from django.core.management import call_command
from django.db import connection
from django.db.backends.postgresql.psycopg_any import DateRange
from django.db.migrations.loader import MigrationLoader
from django.db.utils import DatabaseError, OperationalError
from django.test.utils import override_settings
from tqdm import tqdm

from citations import lesetext, quelltext, sentences
from citations.models import Dokument, Extraktion
from citations.reading import GeleseneDatei, UnbrauchbaresDokument, file_bytes, read_file, store
from parlamente.models import Parlament, Partei

from . import chunking, embeddings, gliederung, ingesting, models, naming, validity, wortschatz
from .embeddings import configured_name, embed, written_models
from .ingesting import reindex
from .models import Chunk, Einbettung, Programm
from .naming import UnklareAngaben, UnklarerName, fold, parse_name
from .pruefsatz import Pruefsatz, PruefsatzFehler, known_files
from .validity import UnklareGeltung, gueltig, wahltage
from .wortschatz import count_words, weigh_words

PREFIX = "pruefsatz"
# What an index depends on besides the files and the tables.
CODE = (
    *(chunking, embeddings, gliederung, ingesting, models, naming, validity, wortschatz),
    *(quelltext, sentences),
)
# Files that are read ahead of the one that is indexed.
READERS = 2
IMMER = DateRange(date(1900, 1, 1), None)
# Parliament and party of paragraphs, and of files whose names say no parliament.
OHNE = "OHNE"
# Länder that are not among the 17: the file lies beside the programmes, as among the samples.
PARLAMENTE = "parlamente.json"

Function = TypeVar("Function", bound=Callable[..., Any])
_kept: list[Callable[[], None]] = [lesetext.forget]

# Leaves the scratch database: what a model call costs is counted in the usual one.
Ausgang = Callable[[], AbstractContextManager[None]]


@contextmanager
def pruefdatenbank(saetze: Sequence[Pruefsatz], folder: Path) -> Iterator[Ausgang]:
    """Everything inside sees the sets' programmes alone; the connection is the usual one again.

    The database is named by the files and the code that indexes them, so that a second run finds
    it; one that comes while it is built waits. What is given leads back to the usual database for a
    while. Raises PruefsatzFehler.
    """
    files = list(known_files(saetze, folder))
    parlamente = folder / PARLAMENTE
    own = connection.settings_dict["NAME"]
    start, wanted = _names(saetze, files, parlamente)
    try:
        with _alone(start):
            if not _like(wanted):
                _build(wanted, saetze, files, parlamente)
            _drop([name for name in _like(f"{start}%") if name != wanted])
            _use(wanted)
            connection.ensure_connection()  # from here on nobody drops it
        yield partial(_used, own)
    finally:
        _use(own)


@contextmanager
def _used(name: str) -> Iterator[None]:
    before = connection.settings_dict["NAME"]
    _switch(name)
    try:
        yield
    finally:
        _switch(before)


def per_database(function: Function) -> Function:
    """Keeps results until another database is used, whose keys mean other rows."""
    kept: Any = cache(function)
    _kept.append(kept.cache_clear)
    return cast(Function, kept)


def _names(
    saetze: Sequence[Pruefsatz], files: Sequence[tuple[str, Path, str]], parlamente: Path
) -> tuple[str, str]:
    """How all databases with the same content begin, and the name of the one of this code."""
    content = hashlib.sha256()
    for name, path, partei in files:
        content.update(f"{name}\0{partei}\0".encode() + hashlib.sha256(file_bytes(path)).digest())
    for text in (absatz for satz in saetze for absatz in satz.absaetze):
        content.update(text.encode() + b"\0")
    if parlamente.is_file():
        content.update(parlamente.read_bytes())
    code = hashlib.sha256(configured_name().encode())
    # The reader's files as they are: importing it would load the engine into this process.
    reader = sorted((Path(str(quelltext.__file__)).parent / "pdf").glob("*.py"))
    for path in (*(Path(str(module.__file__)) for module in CODE), *reader):
        code.update(path.read_bytes())
    code.update(Path(__file__).read_bytes())
    code.update(str(sorted(MigrationLoader(None).disk_migrations)).encode())
    start = f"{PREFIX}_{content.hexdigest()[:12]}_"
    return start, f"{start}{code.hexdigest()[:12]}"


# --- Databases on the server --------------------------------------------------------------------


@contextmanager
def _alone(name: str) -> Iterator[None]:
    """Nobody else is inside for the same name; whoever is killed inside leaves."""
    with connection._nodb_cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(hashtext(%s))", [name])
        yield


def _like(pattern: str) -> list[str]:
    with connection._nodb_cursor() as cursor:
        cursor.execute(
            "SELECT datname FROM pg_database WHERE datname LIKE %s", [pattern.replace("_", r"\_")]
        )
        return [name for (name,) in cursor.fetchall()]


def _drop(names: Sequence[str]) -> None:
    """Those in which somebody still measures stay until the next time."""
    with connection._nodb_cursor() as cursor:
        for name in names:
            try:
                cursor.execute(f"DROP DATABASE IF EXISTS {connection.ops.quote_name(name)}")
            except OperationalError:
                continue


def _use(name: str) -> None:
    _switch(name)
    _forget()


def _forget() -> None:
    """What is kept of the database that was in use before: here the same keys are other rows."""
    for forget in _kept:
        forget()


def _switch(name: str) -> None:
    """For a while: what is kept of the other database stays true there."""
    connection.close()
    connection.settings_dict["NAME"] = name


def _build(
    name: str,
    saetze: Sequence[Pruefsatz],
    files: Sequence[tuple[str, Path, str]],
    parlamente: Path,
) -> None:
    """Under another name until it is whole: one that a killed run left behind is never found."""
    own, before = connection.settings_dict["NAME"], connection.settings_dict["TEST"]
    unfinished = f"{name}_neu"
    connection.settings_dict["TEST"] = {**before, "NAME": unfinished}
    try:
        connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
        _forget()
        with TemporaryDirectory() as media, override_settings(MEDIA_ROOT=media):
            _fill(saetze, files, parlamente)
    except DatabaseError as error:
        raise PruefsatzFehler(f"Die Prüfdatenbank lässt sich nicht anlegen: {error}") from error
    finally:
        connection.settings_dict["TEST"] = before
        _use(own)
    with connection._nodb_cursor() as cursor:
        quote = connection.ops.quote_name
        cursor.execute(f"ALTER DATABASE {quote(unfinished)} RENAME TO {quote(name)}")


# --- What stands in it --------------------------------------------------------------------------


def _fill(
    saetze: Sequence[Pruefsatz], files: Sequence[tuple[str, Path, str]], parlamente: Path
) -> None:
    call_command("load_parlamente", verbosity=0, stdout=StringIO())
    if parlamente.is_file():
        call_command("load_parlamente", parlamente, verbosity=0, stdout=StringIO())
    Parlament.objects.create(code=OHNE, name="Ohne Parlament", land="Ohne Land")
    with ThreadPoolExecutor(READERS) as pool:
        readings = pool.map(lambda entry: _read(entry[1]), files)
        for name, _, partei in tqdm(files, unit=" Programme", desc="Einlesen"):
            try:
                _index(next(readings), name, partei)
            except (UnbrauchbaresDokument, UnklareAngaben) as error:
                raise PruefsatzFehler(f"{name}: {error}") from error
    absaetze = [absatz for satz in saetze for absatz in satz.absaetze]
    if absaetze:
        _store_absaetze(absaetze)
    count_words()


def _index(datei: GeleseneDatei, name: str, partei: str) -> None:
    dokument = store(datei, name=name)
    if dokument.name != name:
        raise PruefsatzFehler(f"Die Dateien {dokument.name} und {name} sind dieselbe.")
    programm = _programm(dokument, name, parteien_of(partei))
    reindex(programm)
    programm.confirm(durch="Prüfsatz", gesehen=programm.zweifel)


def _read(path: Path) -> GeleseneDatei:
    """In a thread, whose own connection would keep the database from being renamed."""
    try:
        return read_file(file_bytes(path))
    finally:
        connection.close()


def parteien_of(label: str) -> list[Partei]:
    """The parties of a label: `CDU/CSU` are two, with one programme together."""
    if known := _known_partei(label):
        return [known]  # BÜNDNIS 90/DIE GRÜNEN are one
    return [
        _known_partei(name) or Partei.objects.create(kuerzel=name[:30], name=name)
        for name in map(str.strip, label.split("/"))
    ]


def _known_partei(name: str) -> Partei | None:
    parteien = Partei.objects.order_by("pk")
    return next((p for p in parteien if fold(name) in map(fold, _spellings(p))), None)


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
        dokument=dokument, version=1, status=Extraktion.Status.ZITIERFAEHIG, seitenzahl=0
    )
    programm = _programm(dokument, OHNE, parteien_of(OHNE))
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
    for chunk, whole in zip(chunks, embed([c.text for c in chunks], modell), strict=True):
        texte = [chunk.text[slice(*span)] for span in sentences.satz_spans(chunk.text)]
        vectors = embed(texte, modell)
        Einbettung.objects.bulk_create(
            [
                Einbettung(chunk=chunk, modell=modell, satz=None, vektor=whole),
                *(
                    Einbettung(chunk=chunk, modell=modell, satz=number, vektor=vector)
                    for number, vector in enumerate(vectors)
                ),
            ]
        )
