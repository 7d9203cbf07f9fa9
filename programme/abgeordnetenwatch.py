"""The second source: what the public API of abgeordnetenwatch.de knows of election programmes.

Its entries name a period ("Bayern Wahl 2023"), a party, a file and links. They are addresses like
all others: behind the same client and the same checks.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from parlamente.models import Parlament, Partei

from .abruf import Abrufer, AbrufGescheitert
from .adressen import VerweigerteAdresse, parse
from .models import Programm
from .naming import fold
from .quellen import Fundstelle, Quelle

API = "https://www.abgeordnetenwatch.de/api/v2/election-program"
PER_PAGE = 1000  # what the API gives at most
MAX_PAGES = 20
_JAHR = re.compile(r"(?:19|20)\d\d")


@dataclass
class Abgeordnetenwatch:
    """Asked once, when the first address is wanted."""

    abrufer: Abrufer
    api: str = API

    def __call__(self, quelle: Quelle) -> Iterator[Fundstelle]:
        """The addresses of that programme. Raises AbrufGescheitert."""
        if quelle.typ != Programm.Typ.WAHLPROGRAMM:
            return
        parlament = Parlament.objects.get(code=quelle.parlament)
        names = _party_names(quelle)
        for entry in self.entries:
            if _is_for(entry, parlament, quelle.jahr, names):
                yield from _addresses(entry)

    @cached_property
    def entries(self) -> list[dict[str, Any]]:
        """Page by page, until all are there or a page brings nothing new."""
        entries: dict[Any, dict[str, Any]] = {}
        for page in range(MAX_PAGES):
            answer = self.abrufer.get_json(f"{self.api}?page={page}&pager_limit={PER_PAGE}")
            before = len(entries)
            entries |= {entry.get("id"): entry for entry in _data(answer)}
            if len(entries) in (before, _total(answer)):
                break
        return list(entries.values())


def _data(answer: Any) -> list[dict[str, Any]]:
    data = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(data, list):
        raise AbrufGescheitert("Die Antwort hat nicht die erwartete Form.")
    return [entry for entry in data if isinstance(entry, dict)]


def _total(answer: Any) -> Any:
    """How many entries there are in all, where the answer says it."""
    for name in ("meta", "result", "total"):
        answer = answer.get(name) if isinstance(answer, dict) else None
    return answer


def _party_names(quelle: Quelle) -> set[str]:
    parteien = Partei.objects.filter(kuerzel__in=quelle.parteien)
    names = {fold(n) for p in parteien for n in (p.kuerzel, p.name, *p.aliase)}
    return names | {fold("".join(quelle.parteien))}  # "CDU/CSU"


def _is_for(entry: dict[str, Any], parlament: Parlament, jahr: int, names: set[str]) -> bool:
    """By the labels: the period begins with the Land and holds the year of the election first."""
    period, party = _label(entry.get("parliament_period")), _label(entry.get("party"))
    years = _JAHR.findall(period)
    place = "bundestag" if parlament.land == "Bund" else fold(parlament.land)
    named = fold(_JAHR.split(period)[0]).removesuffix("wahl")
    return bool(years) and int(years[0]) == jahr and named == place and fold(party) in names


def _label(value: Any) -> str:
    return str(value.get("label", "")) if isinstance(value, dict) else ""


def _addresses(entry: dict[str, Any]) -> Iterator[Fundstelle]:
    """The file first, then the links."""
    links = entry.get("link")
    found = [link.get("uri") for link in links if isinstance(link, dict)] if links else []
    for url in dict.fromkeys([entry.get("file"), *found]):
        if isinstance(url, str) and _is_address(url):
            yield Fundstelle(url=url, art="spiegel")


def _is_address(url: str) -> bool:
    try:
        parse(url)
    except VerweigerteAdresse:
        return False
    return len(url) <= 500
