"""Takes a programme in: document, metadata, and the index that is searched."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

from django.db import connection, transaction
from django.db.models import Q
from pgvector import HalfVector
from pgvector.psycopg.halfvec import register_halfvec_info
from psycopg.types import TypeInfo

from citations.lesetext import lesetext
from citations.models import Dokument, Extraktion
from citations.quelltext import Lesetext
from citations.reading import GeleseneDatei, file_bytes, read_new_file, store
from parlamente.zeichen import plain

from .angaben import Angaben
from .chunking import Passage, Span, chunk
from .embeddings import Vectors, embed, written_models
from .gliederung import TRENNER, heading_paths, lead_ins
from .models import Chunk, Einbettung, EinbettungsModell, Programm
from .naming import UnklareAngaben
from .validity import close_open_ends
from .wortschatz import count_words, weigh_words
from .zweifel import doubts, examine_again

COPY_VECTORS = (
    "COPY programme_einbettung (chunk_id, modell_id, satz, vektor) FROM STDIN WITH (FORMAT BINARY)"
)


@dataclass(frozen=True)
class Index:
    """The passages of a reading and what is searched by; computed, not yet stored.

    Per model the vectors of the passages and those of the sentences.
    """

    lesung: Extraktion
    text: Lesetext
    passagen: list[Passage]
    saetze: list[Span]
    pfade: list[str]
    vorspanne: list[str]
    vektoren: list[tuple[EinbettungsModell, Vectors, Vectors]]


@dataclass(frozen=True)
class Stand:
    """What is stored of a file before it is taken in."""

    dokument: Dokument | None
    programm: Programm | None = None
    is_current: bool = False


@dataclass(frozen=True)
class Vorarbeit:
    """What takes long and needs no database: any process can do it, and another one stores it.

    `datei` is None where the file and its reading are stored already.
    """

    datei: GeleseneDatei | None
    index: Index


def ingest(data: bytes, angaben: Angaben, *, name: str, bestaetigt_durch: str = "") -> Programm:
    """The programme in this PDF, stored and searchable; the same file again gives the same one.

    An index that a newer reading or embedding model has overtaken is built again. Where its first
    pages do not name what the particulars say it is not used until somebody confirms it;
    `bestaetigt_durch` names who does so now. Raises UnbrauchbaresDokument or UnklareAngaben, with
    nothing stored but the document, and RuntimeError inside a transaction: it takes long.
    """
    digest = sha256(data).hexdigest()
    with transaction.atomic(durable=True):
        stand = look_up(digest, angaben)
    programm = stand.programm
    if programm is None or not stand.is_current:
        programm = take_in(plan(stand, data)(), digest, angaben, name=name)
    if bestaetigt_durch:
        programm.confirm(durch=bestaetigt_durch, gesehen=programm.zweifel)
    count_words()
    close_open_ends()  # this one may follow another, and the election days may be newer than both
    return programm


def look_up(digest: str, angaben: Angaben) -> Stand:
    """By the file's checksum. Raises UnklareAngaben for what is refused without reading it."""
    dokument = Dokument.objects.filter(sha256=digest).first()
    programm = Programm.objects.filter(dokument=dokument).first() if dokument else None
    if programm:
        _refuse_other_identity(programm, angaben)
        _refuse_other_anzeige(programm, angaben)
        return Stand(dokument, programm, is_current(programm))
    _refuse_second_edition(angaben)
    if dokument is None or not dokument.extraktionen.exists():
        return Stand(None)
    _citable(dokument.lesung)
    return Stand(dokument)


def plan(stand: Stand, source: bytes | Path) -> Callable[[], Vorarbeit]:
    """The work that remains, as a call that another process can make."""
    if stand.dokument is None:
        return partial(_read_and_index, source, written_models())
    return _plan_again(stand.dokument.lesung, written_models())


def _plan_again(lesung: Extraktion, modelle: list[EinbettungsModell]) -> Callable[[], Vorarbeit]:
    """With as little to carry to another process as can be."""
    text = Lesetext.of(lesetext(lesung).seiten)
    return partial(_index_again, Extraktion(pk=lesung.pk), text, modelle)


def _read_and_index(source: bytes | Path, modelle: list[EinbettungsModell]) -> Vorarbeit:
    datei = read_new_file(file_bytes(source) if isinstance(source, Path) else source)
    text = datei.text if datei.is_citable else Lesetext.of(())
    return Vorarbeit(datei, compute_index(Extraktion(), text, modelle))


def _index_again(lesung: Extraktion, text: Lesetext, modelle: list[EinbettungsModell]) -> Vorarbeit:
    return Vorarbeit(None, compute_index(lesung, text, modelle))


def take_in(work: Vorarbeit, digest: str, angaben: Angaben, *, name: str) -> Programm:
    """Stores what was worked out: whole, or nothing but the document."""
    stand = look_up(digest, angaben)  # somebody else may have stored something since
    if stand.programm and stand.is_current:
        return stand.programm
    dokument = stand.dokument or _store_dokument(work, angaben, name)
    index = replace(work.index, lesung=_citable(dokument.lesung))
    if stand.programm is None:
        return _create(angaben, index)
    put_index(stand.programm, replace(work, index=index))
    return stand.programm


def _store_dokument(work: Vorarbeit, angaben: Angaben, name: str) -> Dokument:
    if work.datei is None:
        raise ValueError("a new document needs its file")
    return store(
        work.datei,
        name=plain(name),
        quelle_url=angaben.quelle_url,
        anzeige=angaben.anzeige_or_default,
    )


def reindex(programm: Programm) -> None:
    """Builds the passages and vectors again, from the newest reading, for every written model.

    It may ask an endpoint, so it is no part of a transaction. Raises UnklareAngaben.
    """
    put_index(programm, plan_index(programm, written_models())())


def plan_index(programm: Programm, modelle: list[EinbettungsModell]) -> Callable[[], Vorarbeit]:
    """Like `plan`, for a programme that is there. Raises UnklareAngaben."""
    return _plan_again(_citable(programm.dokument.lesung), modelle)


@transaction.atomic
def put_index(programm: Programm, work: Vorarbeit) -> None:
    """Stores it in place of the programme's index; whoever stores another one waits."""
    Programm.objects.select_for_update().get(pk=programm.pk)
    programm.chunks.all().delete()
    _write(programm, work.index)
    examine_again(programm)


def add_vectors(programm: Programm, work: Vorarbeit) -> None:
    """Stores them beside those of other models; overtaken passages are built again instead."""
    chunks, index = list(programm.chunks.order_by("nr")), work.index
    stored = [(chunk.start, chunk.ende) for chunk in chunks]
    if stored != [(passage.start, passage.ende) for passage in index.passagen]:
        reindex(programm)
        return
    _store_vectors(chunks, index)


def is_current(programm: Programm) -> bool:
    """Whether the index comes from the newest reading and has vectors of every written model."""
    chunks = programm.chunks.all()
    outdated = ~Q(extraktion=programm.dokument.lesung) | Q(woerter=None)
    if not chunks.exists() or chunks.filter(outdated).exists():
        return False
    wholes = Einbettung.objects.filter(chunk__programm=programm, satz=None)
    return all(wholes.filter(modell=modell).exists() for modell in written_models())


def compute_index(lesung: Extraktion, text: Lesetext, modelle: list[EinbettungsModell]) -> Index:
    """Passages and vectors, without the database; may ask an endpoint."""
    passagen = chunk(text.text, text.saetze)
    saetze = sorted({satz for passage in passagen for satz in passage.saetze})
    meaningful = [satz for satz in saetze if _has_words(text.text[slice(*satz)])]
    sentences = [text.text[slice(*satz)] for satz in meaningful]
    pfade, vorspanne = heading_paths(text, passagen), lead_ins(text, passagen)
    wholes = [
        whole(pfad, vorspann, text.text[passage.start : passage.ende])
        for passage, pfad, vorspann in zip(passagen, pfade, vorspanne, strict=True)
    ]
    vektoren = [(modell, embed(wholes, modell), embed(sentences, modell)) for modell in modelle]
    return Index(lesung, text, passagen, meaningful, pfade, vorspanne, vektoren)


def whole(pfad: str, vorspann: str, text: str) -> str:
    """A passage as it is embedded: under its nearest heading, behind what leads in to it."""
    return ". ".join(filter(None, [pfad.rpartition(TRENNER)[2], vorspann, text]))


def _citable(lesung: Extraktion) -> Extraktion:
    if lesung.status == Extraktion.Status.NICHT_ZITIERFAEHIG:
        raise UnklareAngaben(f"Nicht zitierfähig: {lesung.grund}")
    return lesung


def _has_words(text: str) -> bool:
    """A list number or a bullet alone means nothing, yet models give it a vector."""
    return any(char.isalpha() for char in text)


def _refuse_second_edition(angaben: Angaben) -> None:
    """Two editions of one programme would share its few places among the passages found."""
    for other in Programm.objects.filter(
        parlament=angaben.parlament, typ=angaben.typ, jahr=angaben.jahr
    ).prefetch_related("parteien"):
        if set(other.parteien.all()) == set(angaben.parteien):
            raise UnklareAngaben(
                f"„{other}“ ist schon aus der Datei {other.dokument} eingelesen. Soll diese Datei "
                "gelten, löschen Sie zuerst jenes Programm."
            )


def _refuse_other_identity(programm: Programm, angaben: Angaben) -> None:
    """The same bytes under another name are a mix-up, not a correction."""
    stored = (programm.parlament, programm.typ, programm.jahr, set(programm.parteien.all()))
    said = (angaben.parlament, angaben.typ, angaben.jahr, set(angaben.parteien))
    if stored != said:
        raise UnklareAngaben(
            f"Diese Datei ist schon als „{programm}“ eingelesen und trägt jetzt andere Angaben. "
            "Was davon stimmt, ändern Sie in der Verwaltung."
        )


def _refuse_other_anzeige(programm: Programm, angaben: Angaben) -> None:
    """A table that is ingested again must not show what somebody has taken out of sight since."""
    stored = Dokument.Anzeige(programm.dokument.anzeige)
    if angaben.anzeige is not None and angaben.anzeige != stored:
        raise UnklareAngaben(
            f"„{programm}“ ist eingelesen und wird als „{stored.label}“ gezeigt, nicht als "
            f"„{angaben.anzeige.label}“. Was davon stimmt, ändern Sie in der Verwaltung."
        )


@transaction.atomic
def _create(angaben: Angaben, index: Index) -> Programm:
    # The document may be there from an attempt that failed, under other particulars.
    Dokument.objects.filter(pk=index.lesung.dokument_id).update(anzeige=angaben.anzeige_or_default)
    programm = Programm.objects.create(
        dokument=index.lesung.dokument,
        parlament=angaben.parlament,
        typ=angaben.typ,
        jahr=angaben.jahr,
        gueltig=angaben.gueltig,
        titel=angaben.titel,
        quelle_url=angaben.quelle_url,
        lizenzhinweis=angaben.lizenzhinweis,
        zweifel=doubts(
            index.text, parteien=angaben.parteien, parlament=angaben.parlament, jahr=angaben.jahr
        ),
    )
    programm.parteien.set(angaben.parteien)
    _write(programm, index)
    return programm


def _write(programm: Programm, index: Index) -> None:
    chunks = Chunk.objects.bulk_create(_chunk_rows(programm, index))
    _store_vectors(chunks, index)
    weigh_words(programm)


def _chunk_rows(programm: Programm, index: Index) -> list[Chunk]:
    rows = zip(index.passagen, index.pfade, index.vorspanne, strict=True)
    return [
        Chunk(
            programm=programm,
            extraktion=index.lesung,
            nr=number,
            start=passage.start,
            ende=passage.ende,
            seite=index.text.seite_at(passage.start),
            pfad=pfad,
            vorspann=vorspann,
            text=index.text.text[passage.start : passage.ende],
        )
        for number, (passage, pfad, vorspann) in enumerate(rows, start=1)
    ]


def _store_vectors(chunks: list[Chunk], index: Index) -> None:
    """As binary COPY: written out as numbers they took longer than all else that is stored."""
    with connection.wrap_database_errors, connection.cursor() as cursor:
        _register_halfvec(cursor)
        with cursor.copy(COPY_VECTORS) as copy:
            copy.set_types(["int8", "int8", "int2", "halfvec"])
            for vektoren in index.vektoren:
                for row in _vector_rows(chunks, index, *vektoren):
                    copy.write_row(row)


def _register_halfvec(cursor: Any) -> None:
    """For this cursor alone: what else reads vectors on its connection gets them as before."""
    halfvec = TypeInfo.fetch(cursor.connection, "halfvec")
    register_halfvec_info(cursor, cast("TypeInfo", halfvec))  # there are passages, so it is there


def _vector_rows(
    chunks: list[Chunk],
    index: Index,
    modell: EinbettungsModell,
    wholes: Vectors,
    sentences: Vectors,
) -> Iterator[tuple[int, int, int | None, HalfVector]]:
    """All passages before all sentences: a search reads every one of the former, few of the others,
    and what lies together is read at once."""
    by_span = dict(zip(index.saetze, sentences, strict=True))
    for row, whole in zip(chunks, wholes, strict=True):
        yield row.pk, modell.pk, None, HalfVector(whole)
    for row, passage in zip(chunks, index.passagen, strict=True):
        for number, satz in enumerate(passage.saetze):
            if satz in by_span:
                yield row.pk, modell.pk, number, HalfVector(by_span[satz])
