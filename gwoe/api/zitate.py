"""`/zitate/{id}`: one quote with its place, its boxes and its newest check."""

from typing import Any

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.urls import reverse
from ninja import Router

from assessments.addresses import readable_address
from assessments.belegansicht import BelegAnsicht
from assessments.models import Beleg
from assessments.public import public_zitate
from assessments.zitatseite import Zitatseite

from .content import absolute, is_ai_generated
from .notice import ERRORS
from .schemas import QuoteResponse
from .values import CERTAINTIES, CHECKS, DISPLAYS, quote

router = Router(tags=["zitate"])


@router.get(
    "/zitate/{int:zitat_id}",
    response={200: QuoteResponse, 404: ERRORS[404], 429: ERRORS[429]},
    summary="A quote that a published or superseded assessment cites",
)
def get_zitat(request: HttpRequest, zitat_id: int) -> dict[str, Any]:
    zitat = get_object_or_404(
        public_zitate().select_related("extraktion__dokument__programm__parlament"), pk=zitat_id
    )
    seite = Zitatseite(zitat)
    return {
        "quote": _detail(seite),
        "ai_generated": is_ai_generated(seite.beleg.assessment),
    }


def _detail(seite: Zitatseite) -> dict[str, Any]:
    zitat = seite.zitat
    ansicht = BelegAnsicht(seite.beleg, zitat, seite.quelle, seite.stand, seite.adresse)
    return quote(ansicht, absolute("")) | {
        "parts": zitat.teile,
        "place": _place(seite),
        "document_sha256": seite.dokument.sha256,
        "document_pages": zitat.extraktion.seitenzahl,
        "reading_version": zitat.extraktion.version,
        "spans": zitat.spans,
        "boxes": [_box(rect) for rect in zitat.rects],
        "last_check": _check(seite),
        "used_in": [_use(beleg) for beleg in _one_per_version(seite.belege)],
    }


def _place(seite: Zitatseite) -> dict[str, Any]:
    previous, following = seite.vorige_stelle, seite.naechste_stelle
    pdf = reverse("zitat-pdf", args=[seite.zitat.pk])
    return {
        "certainty": CERTAINTIES[seite.ort],
        "display": DISPLAYS[seite.dokument.anzeige],
        "context": "".join(s.text for s in seite.wortlaut) if seite.hat_umfeld else None,
        "pictures": [
            {"page": seite.index, "url": absolute(bild.adresse), "width": bild.breite or None}
            for bild in seite.bilder
        ],
        "page_texts": [
            {"page": row.index, "start": row.start, "text": row.text} for row in seite.volle_seiten
        ],
        "marked_pdf": absolute(pdf) if seite.zeigt_ganze_seite else None,
        "previous": previous and absolute(f"/api/v1/zitate/{previous.zitat_id}"),
        "next": following and absolute(f"/api/v1/zitate/{following.zitat_id}"),
    }


def _box(rect: dict[str, float]) -> dict[str, float]:
    return {"page": rect["seite"]} | {edge: rect[edge] for edge in ("x0", "y0", "x1", "y1")}


def _check(seite: Zitatseite) -> dict[str, Any] | None:
    stand = seite.stand
    if stand.am is None:
        return None
    return {"result": CHECKS[stand.ergebnis], "at": stand.am, "reason": stand.grund}


def _one_per_version(belege: list[Beleg]) -> list[Beleg]:
    return list({beleg.assessment_id: beleg for beleg in belege}.values())


def _use(beleg: Beleg) -> dict[str, Any]:
    assessment = beleg.assessment
    return {
        "parliament": assessment.antrag.parlament.code.lower(),
        "number": assessment.antrag.drucksache,
        "version": assessment.version,
        "url": absolute(readable_address(assessment)),
    }
