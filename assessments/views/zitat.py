"""A cited page with the quoted words marked, its pictures, and the files behind it."""

import logging
from collections.abc import Callable

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse

from assessments.addresses import readable_address
from assessments.ausschnitt import cutout_image
from assessments.public import downloadable_dokumente, is_downloadable, public_zitate
from assessments.zitatseite import Zitatseite
from citations.datei import DateiUnbrauchbar, stored_bytes
from citations.models import Dokument, Zitat
from citations.pictures import NO_PICTURE, Breite, marked_page, page_image

from .caching import public_file, public_page

logger = logging.getLogger(__name__)

# No document has more pages than PDF_MAX_PAGES; five digits are enough for any setting of it.
MAX_DIGITS = 5


@public_page
def zitat(request: HttpRequest, pk: int) -> HttpResponse:
    quotes = Zitat.objects.select_related("extraktion__dokument__programm__parlament")
    seite = Zitatseite(
        get_object_or_404(quotes, pk=pk), index=_page_number(request.GET.get("seite"))
    )
    if not seite.belege or not seite.gibt_es:
        raise Http404
    antrag = seite.antrag
    context = {
        "z": seite,
        "antrag": antrag,
        "sheet": seite.blatt,
        "kanonisch": settings.SITE_URL + seite.adresse,
        "ist_zitierte_seite": bool(seite.blatt.kaesten),
        "bewertung_adresse": readable_address(seite.beleg.assessment),
        "original": _original(seite),
        "datei": _stored_file(seite),
    }
    return render(request, "assessments/zitat.html", context)


@public_file
def seitenbild(request: HttpRequest, pk: int, index: int, breite: int) -> HttpResponse:
    """A whole page as WebP, where whole pages may be shown."""
    seite = _open(pk, index)
    if not seite.zeigt_ganze_seite or breite not in list(Breite):
        raise Http404
    return _webp(seite, page_image, seite.dokument, seite.seite.index, Breite(breite))


@public_file
def ausschnitt(request: HttpRequest, pk: int, index: int) -> HttpResponse:
    """The lines around the marked words, and no more of the page."""
    seite = _open(pk, index)
    if not seite.zeigt_bild or seite.blatt.ausschnitt is None:
        raise Http404
    return _webp(seite, cutout_image, seite.dokument, seite.seite, seite.blatt.ausschnitt)


@public_file
def seiten_pdf(request: HttpRequest, pk: int) -> HttpResponse:
    """The page on which the quote begins, alone and marked, free of scripts and links."""
    seite = _open(pk, None)
    if not seite.zeigt_ganze_seite:
        raise Http404
    rects = [] if seite.stand.in_pruefung else seite.zitat.rects
    try:
        data = marked_page(seite.dokument, seite.index, rects)
    except NO_PICTURE:
        return _unavailable(seite.dokument)
    return _pdf(data, f"zitat-{pk}.pdf")


@public_file
def dokument(request: HttpRequest, sha256: str) -> HttpResponse:
    """The stored file as it came in; a swapped one is not served under the old checksum."""
    document = get_object_or_404(downloadable_dokumente(), sha256=sha256)
    try:
        return _pdf(stored_bytes(document), f"{sha256[:12]}.pdf")
    except DateiUnbrauchbar:
        return _unavailable(document)


def _open(pk: int, index: int | None) -> Zitatseite:
    """For a file: 404 for what no published assessment cites, as for what does not exist."""
    quotes = public_zitate().select_related("extraktion__dokument")
    quote: Zitat = get_object_or_404(quotes, pk=pk)
    page = Zitatseite(quote, index=index)
    if not page.gibt_es:
        raise Http404
    return page


def _page_number(value: str | None) -> int | None:
    """Of `?seite=`; None without it. A page that cannot exist is 404, however it is written."""
    if value is None:
        return None
    if not (value.isascii() and value.isdigit() and len(value) <= MAX_DIGITS):
        raise Http404
    return int(value)


def _webp(page: Zitatseite, picture: Callable[..., bytes], *args: object) -> HttpResponse:
    try:
        return HttpResponse(picture(*args), content_type="image/webp")
    except NO_PICTURE:
        return _unavailable(page.dokument)


def _pdf(data: bytes, name: str) -> HttpResponse:
    headers = {"Content-Disposition": f'inline; filename="{name}"'}
    return HttpResponse(data, content_type="application/pdf", headers=headers)


def _unavailable(document: Dokument) -> HttpResponse:
    """The words and their place are still there; only the picture cannot be made now."""
    logger.error("No picture of document %s", document.sha256)
    text = "Die Datei lässt sich gerade nicht öffnen.\n"
    return HttpResponse(text, status=503, content_type="text/plain; charset=utf-8")


def _original(page: Zitatseite) -> str:
    """The document where its owner publishes it, opened at the page; "" where we know none."""
    programm = page.quelle.programm
    published = programm.quelle_url if programm else page.antrag.quelle_url
    address = page.dokument.quelle_url or published
    return f"{address.partition('#')[0]}#page={page.index}" if address else ""


def _stored_file(page: Zitatseite) -> str:
    allowed = is_downloadable(page.zitat, page.belege, page.quelle.programm)
    if page.datei_ist_anders or not allowed:
        return ""
    return f"{reverse('dokument', args=[page.dokument.sha256])}#page={page.index}"
