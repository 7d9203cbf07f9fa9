"""Pictures of pages for readers and editors, drawn in a child process and kept on disk."""

from enum import IntEnum
from functools import partial

from django.core.cache import cache
from django.db import transaction
from django_q.tasks import async_task

from .bildlager import cached
from .bildprozess import ChildBusy, draw
from .children import ChildFailed, ChildRefused
from .datei import DateiUnbrauchbar, stored_bytes
from .marks import Rect
from .models import Dokument, Zitat

NO_PICTURE = (ChildFailed, ChildRefused, DateiUnbrauchbar)
# Part of every name on disk; a new one when pages are drawn differently.
DRAWING = 2
# A page that could not be drawn is left alone so long; Django's cache keeps a limited number.
REFUSED_SECONDS = 10 * 60


class Breite(IntEnum):
    """In pixels: the page fills a column of 620 CSS pixels, on fine screens with twice as many."""

    EINFACH = 620
    DOPPELT = 1240


def page_image(dokument: Dokument, index: int, breite: Breite = Breite.DOPPELT) -> bytes:
    """Page `index` (from 1) as WebP. Raises one of NO_PICTURE where it cannot be made."""
    request = {"task": "page_image", "index": index, "width": int(breite)}
    name = _name(dokument, index, breite)
    return cached(name, partial(_draw_unless_refused, name, request, dokument))


def is_refused(dokument: Dokument, index: int) -> bool:
    """Whether this process failed to draw the page a short while ago, at any width."""
    names = [_refusal(_name(dokument, index, breite)) for breite in Breite]
    return bool(cache.get_many(names))


def marked_page(dokument: Dokument, index: int, rects: list[Rect]) -> bytes:
    """Page `index` alone as a PDF with the boxes of that page marked, free of scripts and links.

    Raises one of NO_PICTURE where it cannot be made.
    """
    boxes = [[r["x0"], r["y0"], r["x1"], r["y1"]] for r in rects if r["seite"] == index]
    return _draw({"task": "marked_page", "index": index, "rects": boxes}, dokument)


def _name(dokument: Dokument, index: int, breite: Breite) -> str:
    return f"{dokument.sha256}-{index}-{int(breite)}-{DRAWING}.webp"


def _refusal(name: str) -> str:
    return f"kein-bild-{name}"


def _draw_unless_refused(name: str, request: dict[str, object], dokument: Dokument) -> bytes:
    """A page that took too long or crashed the child is not tried again at every request."""
    if refused := cache.get(_refusal(name)):
        raise ChildFailed(refused)
    try:
        return _draw(request, dokument)
    except ChildBusy:
        raise
    except ChildFailed as error:
        cache.set(_refusal(name), error.art, REFUSED_SECONDS)
        raise


def _draw(request: dict[str, object], dokument: Dokument) -> bytes:
    return draw(request, dokument.sha256, partial(stored_bytes, dokument))


# --- Ahead of readers ----------------------------------------------------------------------------


def enqueue_pictures(zitat: Zitat) -> None:
    """Leaves the drawing of the quote's pages to the queue, once the quote is stored for good."""
    transaction.on_commit(
        lambda: async_task("citations.pictures.draw_pages", zitat.pk, group="seitenbilder")
    )


def draw_pages(zitat_id: int) -> str:
    """The pages of a quote at both widths; the queue's side, safe to be called twice."""
    zitat = Zitat.objects.select_related("extraktion__dokument").get(pk=zitat_id)
    pages = sorted({zitat.seite, *(rect["seite"] for rect in zitat.rects)})
    try:
        for index in pages:
            for breite in Breite:
                page_image(zitat.extraktion.dokument, index, breite)
    except NO_PICTURE as error:
        return str(error)  # no fault of the queue: readers are told the same on the page
    return f"{len(pages)} Seiten"
