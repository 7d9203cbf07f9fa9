"""Opens PDF files, or refuses them by kind. Runs in a child process, see child.py."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pymupdf

from citations.ablehnung import MEMORY_SIGNS, Abgelehnt, Ablehnung

HEADER = b"%PDF-"
# The engine finds a header here. In front of it only these: all 89 real and own files begin with
# the header itself, but servers put line feeds and byte order marks there.
HEADER_WITHIN = 1024
BEFORE_HEADER = re.compile(rb"(?:\xef\xbb\xbf)?\s*")
# Formats whose mark stands at a fixed place behind a PDF header: DICOM, tar, ISO 9660.
MARKS = ((128, b"DICM"), (257, b"ustar"), (32769, b"CD001"))
# A ZIP is read from its end: this record, 22 bytes and a comment whose length are the last two.
ZIP_END, ZIP_END_SIZE, ZIP_COMMENT = b"PK\x05\x06", 22, 65535
# No stream may unpack to more: a scan of A3 in colour at 600 dpi has 209 MB, the largest stream of
# the 76 real files 14.4 MB.
MAX_UNPACKED = 256 * 1024 * 1024
# Points. A page of the specification (ISO 32000-1, annex C) has sides from 3 to 14,400.
SIDES = (3, 14_400)
# Every object that can be a stream begins so; blanks can be comments. Possessive, so
# that no text makes it try the same twice.
OBJECT = re.compile(rb"(\d{1,10})(?:[\s\0]|%[^\r\n]*+)++\d+(?:[\s\0]|%[^\r\n]*+)++obj")
TABLE_AT = re.compile(rb"startxref\s+(\d{1,12})")
TABLE_END = re.compile(rb"stream|xref|%%EOF|endobj")
TABLE_BEFORE = re.compile(rb"/Prev\s+(\d{1,12})")


class Refused(Abgelehnt):
    """The file cannot be used; the message says so in German, for the person who brought it."""


@contextmanager
def engine_errors_refused() -> Iterator[None]:
    """What MuPDF raises about a file becomes a refusal; PyMuPDF hands some on as RuntimeError."""
    try:
        yield
    except (pymupdf.mupdf.FzErrorBase, RuntimeError) as error:
        out_of_memory = MEMORY_SIGNS.search(str(error))
        raise Refused(Ablehnung.SPEICHER if out_of_memory else Ablehnung.BESCHAEDIGT) from error


def open_pdf(data: bytes) -> pymupdf.Document:
    """Opens the bytes as a PDF. Raises Refused with the reason."""
    _require_only_pdf(data)
    if _tables_run_in_circles(data):
        raise Refused(Ablehnung.BESCHAEDIGT)
    with engine_errors_refused():
        document = pymupdf.open(stream=data, filetype="pdf")
        if document.needs_pass:
            raise Refused(Ablehnung.PASSWORT)
        if document.page_count == 0:
            satz = "Die PDF-Datei ist unvollständig: Sie enthält keine Seite."
            raise Refused(Ablehnung.BESCHAEDIGT, satz)
    return document


def open_for_reading(data: bytes, *, max_pages: int) -> pymupdf.Document:
    """As `open_pdf`, for a file that nobody has looked at. Raises Refused."""
    document = open_pdf(data)
    if (pages := document.page_count) > max_pages:
        satz = f"Die PDF-Datei hat {pages} Seiten; erlaubt sind höchstens {max_pages}."
        raise Refused(Ablehnung.ZU_VIELE_SEITEN, satz)
    with engine_errors_refused():
        if not _counts_its_pages(document):
            raise Refused(Ablehnung.BESCHAEDIGT)
        if any(_is_bomb(document, number) for number in _object_numbers(data)):
            raise Refused(Ablehnung.ZU_GROSS)
    return document


def load_page(document: pymupdf.Document, index: int) -> pymupdf.Page:
    """Page `index`, from 0. Raises Refused where it is broken or has no possible size."""
    with engine_errors_refused():
        page = document[index]
        low, high = SIDES
        if not all(low <= side <= high for side in (page.rect.width, page.rect.height)):
            raise Refused(Ablehnung.SEITENMASS)
    return page


def _require_only_pdf(data: bytes) -> None:
    """Raises Refused for what is no PDF, and for what is also something else."""
    if not data:
        raise Refused(Ablehnung.LEER)
    start = data.find(HEADER, 0, HEADER_WITHIN)
    if start < 0:
        raise Refused(Ablehnung.KEIN_PDF)
    marked = any(data.startswith(mark, place) for place, mark in MARKS)
    if marked or not BEFORE_HEADER.fullmatch(data, 0, start) or _ends_as_zip(data):
        raise Refused(Ablehnung.POLYGLOTT)


def _ends_as_zip(data: bytes) -> bool:
    """Whether an archive ends where the file does, or behind the PDF's own end.

    One that is merely embedded in the PDF ends before.
    """
    end = len(data.rstrip())
    last = data.rfind(ZIP_END, max(end - ZIP_END_SIZE - ZIP_COMMENT, 0))
    if last < 0:
        return False
    comment = int.from_bytes(data[last + 20 : last + 22], "little")
    return last > data.rfind(b"%%EOF") or last + ZIP_END_SIZE + comment >= end


def _tables_run_in_circles(data: bytes) -> bool:
    """Whether a cross-reference table names as its predecessor one that comes after it."""
    seen: set[int] = set()
    found = list(TABLE_AT.finditer(data))[-1:]
    at = int(found[0][1]) if found else None
    while at is not None and at not in seen:
        seen.add(at)
        end = TABLE_END.search(data, at + len(b"xref"))
        before = TABLE_BEFORE.search(data, at, end.start() if end else len(data))
        at = int(before[1]) if before else None
    return at is not None


def _counts_its_pages(document: pymupdf.Document) -> bool:
    """Whether the tree is one, and has as many pages as it says; the engine leaves out the rest."""
    mupdf = pymupdf.mupdf
    trailer = mupdf.pdf_trailer(mupdf.pdf_document_from_fz_document(document))
    waiting = [mupdf.pdf_dict_getp(trailer, "Root/Pages")]
    pages, seen = 0, set()
    while waiting and pages <= document.page_count:
        node = waiting.pop()
        if (number := mupdf.pdf_to_num(node)) in seen:
            return False
        seen.add(number)
        kids = mupdf.pdf_dict_gets(node, "Kids")
        waiting += [mupdf.pdf_array_get(kids, n) for n in range(mupdf.pdf_array_len(kids))]
        pages += not mupdf.pdf_is_array(kids)
    return bool(pages == document.page_count)


def _object_numbers(data: bytes) -> set[int]:
    """From the file itself: the table of a broken one can have millions of empty rows."""
    return {int(number) for number in OBJECT.findall(data)}


def _is_bomb(document: pymupdf.Document, number: int) -> bool:
    """Unpacks without keeping anything, through all filters of the stream."""
    if number >= document.xref_length() or not document.xref_is_stream(number):
        return False
    pdf = pymupdf.mupdf.pdf_document_from_fz_document(document)
    try:
        stream = pymupdf.mupdf.pdf_open_stream_number(pdf, number)
        return bool(pymupdf.mupdf.fz_skip(stream, MAX_UNPACKED + 1) > MAX_UNPACKED)
    except pymupdf.mupdf.FzErrorBase:  # broken, and perhaps never asked for
        return False
