"""Pictures of pages for readers and editors, made in a child process and kept on disk."""

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from .children import ChildFailed, ChildRefused, run_child
from .datei import DateiUnbrauchbar, stored_bytes
from .marks import Rect
from .models import Dokument

READER = "citations.pdf.child"
# Pixels; the page fills a column of 620 CSS pixels at twice the usual resolution.
WIDTH = 1240
NO_PICTURE = (ChildFailed, ChildRefused, DateiUnbrauchbar)


def page_image(dokument: Dokument, index: int) -> bytes:
    """Page `index` (from 1) as WebP. Raises one of NO_PICTURE where it cannot be made."""
    name = f"seiten/{dokument.sha256[:2]}/{dokument.sha256}-{index}-{WIDTH}.webp"
    if default_storage.exists(name):
        with default_storage.open(name) as file:
            return bytes(file.read())
    image = run_child(
        READER, {"task": "page_image", "index": index, "width": WIDTH}, stored_bytes(dokument)
    )
    default_storage.save(name, ContentFile(image))
    return image


def marked_page(dokument: Dokument, index: int, rects: list[Rect]) -> bytes:
    """Page `index` alone as a PDF with the boxes of that page marked, free of scripts and links.

    Raises one of NO_PICTURE where it cannot be made.
    """
    boxes = [[r["x0"], r["y0"], r["x1"], r["y1"]] for r in rects if r["seite"] == index]
    request = {"task": "marked_page", "index": index, "rects": boxes}
    return run_child(READER, request, stored_bytes(dokument))
