"""What adapters deliver: plain values, not yet trusted, no database."""

import html
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Protocol

from parlamente.drucksache import Drucksache
from parlamente.typen import Dokumenttyp
from parlamente.zeichen import plain

# The parameters of one request → the body of the answer. Live fetching (address, key, spacing,
# retries) is behind it; tests put recorded pages there.
Abruf = Callable[[Mapping[str, str]], bytes]


def normalise_titel(roh: str) -> str:
    """Entities decoded, soft hyphens and what is not plain removed, all blanks collapsed."""
    text = unicodedata.normalize("NFC", plain(html.unescape(roh))).replace("\u00ad", "")
    return " ".join(text.split())


class UnerkannteAntwort(Exception):
    """The answer is neither records nor a positive "nothing found"; never to be read as empty."""


@dataclass(frozen=True)
class AntragEntwurf:
    """A document of a parliament as its system describes it; nothing of it is resolved yet."""

    parlament: str
    drucksache: Drucksache
    drucksache_roh: str
    typ: Dokumenttyp
    typ_roh: str
    titel: str
    datum: date  # of the document, not of its upload
    urheber_roh: tuple[str, ...]
    personen: tuple[str, ...] = ()
    pdf_url: str = ""
    quelle_url: str = ""
    fremd_id: str = ""
    pdf: bytes | None = field(default=None, repr=False)  # None: not fetched


@dataclass(frozen=True)
class Unlesbar:
    """A record that the adapter recognised as one and could not read; reported by the import."""

    kennung: str
    grund: str  # German


class ParlamentAdapter(Protocol):
    code: str

    def fetch(self, since: datetime) -> Iterator[AntragEntwurf | Unlesbar]:
        """Everything that the source changed since then; raises UnerkannteAntwort."""
        ...
