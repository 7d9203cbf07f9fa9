"""Documents with a real PDF behind them, typeset on the spot."""

import hashlib
from functools import cache
from typing import Any

import factory
import pymupdf
from django.db import connection

from citations.models import Dokument, Pruefung
from citations.reading import GeleseneDatei, read_pdf, store


def make_pdf(*pages: str, width: float = 420, height: float = 595) -> bytes:
    """A PDF with one page per text; lines break where the text does or at the margin."""
    document = pymupdf.open()
    for text in pages:
        page = document.new_page(width=width, height=height)
        page.insert_textbox(pymupdf.Rect(40, 60, width - 40, height - 60), text, fontsize=10)
    return bytes(document.tobytes(deflate=True))


def locked_pdf() -> bytes:
    document = pymupdf.open()
    document.new_page()
    return bytes(
        document.tobytes(encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="geheim", owner_pw="x")
    )


def DokumentFactory(*pages: str, name: str = "beispiel.pdf", quelle_url: str = "") -> Dokument:
    """A stored and read document. Without pages: one page that no other document has."""
    texts = pages or (_unique_text(),)
    data = make_pdf(*texts)
    datei = GeleseneDatei(data, hashlib.sha256(data).hexdigest(), _reading(*texts))
    return store(datei, name=name, quelle_url=quelle_url)


@cache
def _reading(*pages: str) -> dict[str, Any]:
    """By the real reader. Files of the same texts differ in nothing that it reads, so each process
    reads one of them: starting the reader takes longer than most tests."""
    return read_pdf(make_pdf(*pages))


class PruefungFactory(factory.django.DjangoModelFactory):
    """One outcome of the check; the Zitat must be given."""

    class Meta:
        model = Pruefung

    ergebnis = Pruefung.Ergebnis.BEWIESEN

    class Params:
        bewiesen = factory.Trait()
        widerlegt = factory.Trait(
            ergebnis=Pruefung.Ergebnis.WIDERLEGT,
            gegenstand=Pruefung.Gegenstand.MARKIERUNG,
            grund="Die Markierung liegt nicht auf der Stelle.",
        )
        nicht_beweisbar = factory.Trait(
            ergebnis=Pruefung.Ergebnis.NICHT_BEWEISBAR,
            grund="Das zweite Leseprogramm kann diese Seite nicht lesen.",
        )


def _unique_text() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM citations_dokument")
        number = cursor.fetchone()[0]
    return f"Dieses Dokument ist das Beispiel Nummer {number} und sagt sonst nichts aus."
