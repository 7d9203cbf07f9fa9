"""BUND: the documentation system DIP of the Bundestag (API v1, resource `drucksache`)."""

import json
import logging
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from parlamente.drucksache import parse_drucksache
from parlamente.typen import normalise_typ

from .entwurf import Abruf, AntragEntwurf, UnerkannteAntwort, Unlesbar, normalise_titel

logger = logging.getLogger(__name__)

SATZ_URL = "https://search.dip.bundestag.de/api/v1/drucksache/{id}"
CODE = "BUND"


class DipFehler(UnerkannteAntwort):
    """DIP answered with an error of its own, such as a missing key or an invalid cursor."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(f"DIP meldet {code}: {message}")
        self.code = code


@dataclass(frozen=True)
class DipSeite:
    """One page; `saetze` is empty only where DIP positively delivered no documents."""

    saetze: tuple[AntragEntwurf | Unlesbar, ...]
    cursor: str
    treffer: int  # of the whole search
    dokumente: int  # on this page, documents of the Bundesrat included


class DipAdapter:
    code = CODE

    def __init__(self, abruf: Abruf) -> None:
        self._abruf = abruf

    def fetch(self, since: datetime) -> Iterator[AntragEntwurf | Unlesbar]:
        """Page by page until the cursor repeats; `since` must carry a time zone."""
        if since.tzinfo is None:
            raise ValueError("DIP reads a time without zone as UTC; give the zone")
        parameters = {"f.zuordnung": "BT", "f.aktualisiert.start": since.isoformat()}
        seen: set[str] = set()
        delivered = 0
        while True:
            seite = parse_seite(self._abruf(parameters))
            yield from seite.saetze
            delivered += seite.dokumente
            if not seite.dokumente or seite.cursor in seen:
                break
            seen.add(seite.cursor)
            parameters = parameters | {"cursor": seite.cursor}
        _require_complete(delivered, seite.treffer)


def _require_complete(delivered: int, announced: int) -> None:
    """Fewer than announced happens when records change during the run; none at all does not."""
    if announced and not delivered:
        raise UnerkannteAntwort(f"DIP meldet {announced} Treffer und liefert keinen.")
    if delivered < announced:
        logger.warning("DIP announced %s documents and sent %s", announced, delivered)


def parse_seite(body: bytes) -> DipSeite:
    """Raises UnerkannteAntwort for everything that is not a page of documents."""
    try:
        page = json.loads(body)
    except ValueError as error:
        raise UnerkannteAntwort(f"DIP antwortet kein JSON: {body[:60]!r}") from error
    if not isinstance(page, dict):
        raise UnerkannteAntwort("DIP antwortet kein Objekt.")
    if "code" in page and "message" in page:
        raise DipFehler(page["code"], page["message"])
    documents, cursor, total = page.get("documents"), page.get("cursor"), page.get("numFound")
    if not (isinstance(documents, list) and isinstance(cursor, str) and isinstance(total, int)):
        raise UnerkannteAntwort("In der Antwort von DIP fehlen documents, cursor oder numFound.")
    saetze = tuple(_satz(document) for document in documents if _is_bundestag(document))
    return DipSeite(saetze, cursor, total, len(documents))


def _is_bundestag(document: Any) -> bool:
    """Papers of the Bundesrat have numbers of another form and come from no Fraktion."""
    return not (isinstance(document, dict) and document.get("herausgeber") == "BR")


def _satz(document: Any) -> AntragEntwurf | Unlesbar:
    try:
        return _entwurf(document)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        kennung = document.get("dokumentnummer") if isinstance(document, dict) else None
        return Unlesbar(f"BUND {kennung or '(ohne Nummer)'}", f"Satz nicht lesbar: {error!r}")


def _entwurf(document: dict[str, Any]) -> AntragEntwurf:
    return AntragEntwurf(
        parlament=CODE,
        drucksache=parse_drucksache(document["dokumentnummer"]),
        drucksache_roh=document["dokumentnummer"],
        typ=normalise_typ(document["drucksachetyp"]),
        typ_roh=document["drucksachetyp"],
        titel=normalise_titel(document["titel"]),
        datum=date.fromisoformat(document["datum"]),
        urheber_roh=tuple(urheber["titel"] for urheber in document.get("urheber", [])),
        personen=tuple(autor["title"] for autor in document.get("autoren_anzeige", [])),
        pdf_url=document.get("fundstelle", {}).get("pdf_url", ""),
        quelle_url=SATZ_URL.format(id=document["id"]),
        fremd_id=str(document["id"]),
    )
