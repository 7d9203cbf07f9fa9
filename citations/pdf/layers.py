"""Layers (optional content) that a PDF opens with switched off: not shown, so not in the text."""

import pymupdf
from pymupdf import mupdf

from .opening import load_page, open_pdf
from .sheet import Sheet
from .spoken import rows_beyond

LAYERS = "OCProperties"


class Layers:
    """`data` is the file that `document` was opened from."""

    def __init__(self, document: pymupdf.Document, data: bytes) -> None:
        self.all_on: pymupdf.Document | None = None
        if mupdf.pdf_is_dict(mupdf.pdf_dict_gets(_catalog(document), LAYERS)):
            self.all_on = open_pdf(data)
            mupdf.pdf_dict_dels(_catalog(self.all_on), LAYERS)

    def hidden(self, index: int, shown: Sheet) -> list[str]:
        """What page `index`, from 0, says only in layers that are switched off."""
        if self.all_on is None:
            return []
        text = Sheet(load_page(self.all_on, index)).text().extractText()
        return rows_beyond(text, shown.text().extractText())


def _catalog(document: pymupdf.Document) -> mupdf.PdfObj:
    trailer = mupdf.pdf_trailer(mupdf.pdf_document_from_fz_document(document))
    return mupdf.pdf_dict_gets(trailer, "Root")
