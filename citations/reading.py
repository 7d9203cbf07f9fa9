"""Takes a PDF in: refused, or stored with its reading, never half."""

import base64
import hashlib
import json
from typing import Any

from django.conf import settings
from django.core.files.base import ContentFile
from django.db import transaction

from .children import ChildFailed, ChildRefused, run_child
from .comparison import compare_form
from .models import Dokument, Extraktion, Seite

READER = "citations.pdf.child"


class UnbrauchbaresDokument(Exception):
    """The file is refused; the message says why, in German."""


def store_dokument(data: bytes, *, name: str, quelle_url: str = "") -> Dokument:
    """Stores the PDF and its reading; the same bytes give the same Dokument again.

    A file without any text is stored as *nicht zitierfähig*. Raises UnbrauchbaresDokument for
    what is not a PDF, empty, cut off, locked, too large or too costly to read.
    """
    if len(data) > settings.PDF_MAX_BYTES:
        limit = settings.PDF_MAX_BYTES // (1024 * 1024)
        raise UnbrauchbaresDokument(f"Die Datei ist größer als {limit} MB.")
    sha256 = hashlib.sha256(data).hexdigest()
    known = Dokument.objects.filter(sha256=sha256).first()
    if known and known.extraktionen.exists():
        return known
    reading = read_pdf(data)
    with transaction.atomic():
        dokument, created = Dokument.objects.get_or_create(
            sha256=sha256,
            defaults={"name": name[:200], "bytes": len(data), "quelle_url": quelle_url},
        )
        if created:
            dokument.file.save(name, ContentFile(data))
        _record(dokument, reading)
    return dokument


def read_again(dokument: Dokument) -> Extraktion:
    """A reading by the current reader; an older one, and what cites it, stays."""
    with dokument.file.open("rb") as file:
        reading = read_pdf(file.read())
    with transaction.atomic():
        return _record(dokument, reading)


def read_pdf(data: bytes) -> dict[str, Any]:
    """The plain reading (citations/pdf/reader.py). Raises UnbrauchbaresDokument."""
    request = {"task": "read", "max_pages": settings.PDF_MAX_PAGES}
    try:
        return dict(json.loads(run_child(READER, request, data)))
    except (ChildRefused, ChildFailed) as error:
        raise UnbrauchbaresDokument(str(error)) from error


def _record(dokument: Dokument, reading: dict[str, Any]) -> Extraktion:
    pages = reading["pages"]
    citable = any(page["has_text"] for page in pages)
    extraktion, created = Extraktion.objects.get_or_create(
        dokument=dokument,
        version=reading["version"],
        defaults={
            "status": Extraktion.Status.ZITIERFAEHIG
            if citable
            else Extraktion.Status.NICHT_ZITIERFAEHIG,
            "grund": "" if citable else "Die Datei enthält nur Bilder und keinen lesbaren Text.",
            "seitenzahl": len(pages),
            "vergleich": compare_form("".join(page["text"] for page in pages)),
            "befunde": reading["findings"],
        },
    )
    if created:
        Seite.objects.bulk_create(_rows(extraktion, pages))
    return extraktion


def _rows(extraktion: Extraktion, pages: list[dict[str, Any]]) -> list[Seite]:
    rows = []
    start = 0
    for page in pages:
        rows.append(
            Seite(
                extraktion=extraktion,
                index=page["index"],
                label=page["label"],
                gedruckt=page["printed"],
                breite=page["width"],
                hoehe=page["height"],
                text=page["text"],
                start=start,
                boxes=base64.b64decode(page["boxes"]),
                pruefbar=page["has_text"],
                grund="" if page["has_text"] else "Diese Seite hat keinen lesbaren Text.",
            )
        )
        start += len(page["text"])
    return rows
