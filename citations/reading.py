"""Takes a PDF in: refused, or stored with its reading, never half."""

import base64
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.base import ContentFile
from django.db import transaction

from .ablehnung import Abgelehnt, Ablehnung
from .children import ChildFailed, ChildRefused, run_child
from .comparison import compare_form
from .datei import DateiUnbrauchbar, stored_bytes
from .lesetext import FIELDS
from .models import Dokument, Extraktion, Seite, Suchtext
from .quelltext import Lesetext, Textseite
from .unlesbar import NO_TEXT

READER = "citations.pdf.child"


class UnbrauchbaresDokument(Abgelehnt):
    """The file is refused; the message says why, in German."""


@dataclass(frozen=True)
class GeleseneDatei:
    """A PDF that can be used, and what was read in it; nothing is stored yet.

    `reading` is None where the same bytes are stored with a reading already.
    """

    data: bytes
    sha256: str
    reading: dict[str, Any] | None

    @property
    def is_citable(self) -> bool:
        return self.reading is not None and not _why_not_citable(self.reading["pages"])

    @property
    def text(self) -> Lesetext:
        """What was read; of a file that is stored already the stored reading has it."""
        return Lesetext.of(_textseiten(self.reading["pages"] if self.reading else []))


def store_dokument(
    data: bytes,
    *,
    name: str,
    quelle_url: str = "",
    anzeige: str = Dokument.Anzeige.SEITE,
) -> Dokument:
    """Stores the PDF and its reading; the same bytes give the same Dokument again.

    A file without any text is stored as *nicht zitierfähig*. Raises UnbrauchbaresDokument for
    what is not a PDF, empty, cut off, locked, too large or too costly to read.
    """
    datei = read_file(data)
    return store(datei, name=name, quelle_url=quelle_url, anzeige=anzeige)


def read_file(data: bytes) -> GeleseneDatei:
    """Reads the PDF, which takes up to PDF_MAX_SECONDS. Raises UnbrauchbaresDokument.

    Must not be called inside a transaction (RuntimeError): its locks would last as long.
    """
    _require_bearable_size(data)
    sha256 = hashlib.sha256(data).hexdigest()
    with transaction.atomic(durable=True):
        known = Extraktion.objects.filter(dokument__sha256=sha256).exists()
    return GeleseneDatei(data, sha256, None) if known else read_new_file(data)


def read_new_file(data: bytes) -> GeleseneDatei:
    """The same without asking the database whether it is stored. Raises UnbrauchbaresDokument."""
    _require_bearable_size(data)
    return GeleseneDatei(data, hashlib.sha256(data).hexdigest(), read_pdf(data))


@transaction.atomic
def store(
    datei: GeleseneDatei,
    *,
    name: str,
    quelle_url: str = "",
    anzeige: str = Dokument.Anzeige.SEITE,
) -> Dokument:
    """Stores what was read; short enough for a caller's transaction.

    The row comes first: its checksum is unique, so only one process at a time writes the file. One
    that a rolled-back transaction left behind has the same name and is written over.
    """
    dokument, created = Dokument.objects.get_or_create(
        sha256=datei.sha256,
        defaults={
            "name": name[:200],
            "bytes": len(datei.data),
            "quelle_url": quelle_url,
            "anzeige": anzeige,
        },
    )
    if created:
        dokument.file.save(name, ContentFile(datei.data))
    if datei.reading is not None:
        _record(dokument, datei.reading)
    return dokument


def read_again(dokument: Dokument) -> tuple[Extraktion, bool]:
    """A reading by the current reader, and whether it is new; older ones and their quotes stay.

    Raises UnbrauchbaresDokument.
    """
    try:
        data = stored_bytes(dokument)
    except DateiUnbrauchbar as error:
        raise UnbrauchbaresDokument(Ablehnung.ABHANDEN, str(error)) from error
    reading = read_pdf(data)
    with transaction.atomic():
        return _record(dokument, reading)


def read_pdf(data: bytes) -> dict[str, Any]:
    """The plain reading (citations/pdf/reader.py). Raises UnbrauchbaresDokument."""
    request = {"task": "read", "max_pages": settings.PDF_MAX_PAGES}
    try:
        return dict(json.loads(run_child(READER, request, data)))
    except (ChildRefused, ChildFailed) as error:
        raise UnbrauchbaresDokument(error.art, str(error)) from error


def _record(dokument: Dokument, reading: dict[str, Any]) -> tuple[Extraktion, bool]:
    pages = reading["pages"]
    grund = _why_not_citable(pages)
    extraktion, created = Extraktion.objects.get_or_create(
        dokument=dokument,
        version=reading["version"],
        defaults={
            "status": Extraktion.Status.NICHT_ZITIERFAEHIG
            if grund
            else Extraktion.Status.ZITIERFAEHIG,
            "grund": grund,
            "seitenzahl": len(pages),
            "befunde": reading["findings"],
        },
    )
    if created:
        text = "".join(page["text"] for page in pages)
        # By paragraphs, most of which take the short way; no word goes over a line feed.
        form = "".join(map(compare_form, text.split("\n")))
        Suchtext.objects.create(extraktion=extraktion, form=form)
        Seite.objects.bulk_create(_rows(extraktion, pages))
    return extraktion, created


def _why_not_citable(pages: list[dict[str, Any]]) -> str:
    """In German; empty where at least one page can be checked."""
    reasons = [page["unreadable"] for page in pages]
    if not all(reasons):
        return ""
    if set(reasons) == {NO_TEXT}:
        return "Die Datei enthält nur Bilder und keinen lesbaren Text."
    return f"Keine Seite der Datei lässt sich maschinell prüfen. {reasons[0]}"


def file_bytes(path: Path) -> bytes:
    """The file, or as much of it as makes every reading refuse it as too large."""
    with path.open("rb") as file:
        return file.read(settings.PDF_MAX_BYTES + 1)


def _require_bearable_size(data: bytes) -> None:
    if len(data) > settings.PDF_MAX_BYTES:
        limit = settings.PDF_MAX_BYTES // (1024 * 1024)
        raise UnbrauchbaresDokument(Ablehnung.ZU_GROSS, f"Die Datei ist größer als {limit} MB.")


def read_file_text(data: bytes) -> Lesetext:
    """The file's text, for who stores nothing. Raises UnbrauchbaresDokument."""
    return read_file_texts(data)[0]


def read_file_texts(data: bytes) -> tuple[Lesetext, str]:
    """Its text, and what cannot be seen in it. Raises UnbrauchbaresDokument."""
    _require_bearable_size(data)
    reading = read_pdf(data)
    hidden = "\n".join(finding["text"] for finding in reading["findings"])
    return Lesetext.of(_textseiten(reading["pages"])), hidden


def _rows(extraktion: Extraktion, pages: list[dict[str, Any]]) -> list[Seite]:
    return [
        Seite(extraktion=extraktion, **{name: getattr(seite, name) for name in FIELDS})
        for seite in _textseiten(pages)
    ]


def _textseiten(pages: list[dict[str, Any]]) -> Iterator[Textseite]:
    """The pages of a plain reading."""
    start = 0
    for page in pages:
        yield Textseite(
            index=page["index"],
            label=page["label"],
            gedruckt=page["printed"],
            breite=page["width"],
            hoehe=page["height"],
            text=page["text"],
            start=start,
            boxes=base64.b64decode(page["boxes"]),
            beiwerk=page["aside"],
            pruefbar=not page["unreadable"],
            grund=page["unreadable"],
        )
        start += len(page["text"])
