"""Why a PDF file is refused: one code per kind, and what people read. Free of Django."""

import re
from enum import StrEnum
from typing import Self

# What Python, the C library and the engines say when the address space is used up.
MEMORY_SIGNS = re.compile(
    r"MemoryError|bad_alloc|[mc]alloc|realloc|out of memory|Cannot allocate memory|failed to map",
    re.IGNORECASE,
)


class Ablehnung(StrEnum):
    """The kind of a refusal."""

    LEER = "leer"
    KEIN_PDF = "kein_pdf"
    POLYGLOTT = "polyglott"
    BESCHAEDIGT = "beschaedigt"
    PASSWORT = "passwort"
    ZU_GROSS = "zu_gross"
    ZU_VIELE_SEITEN = "zu_viele_seiten"
    SEITENMASS = "seitenmass"
    ZU_AUFWENDIG = "zu_aufwendig"
    SPEICHER = "speicher"
    ABSTURZ = "absturz"
    ABHANDEN = "abhanden"

    @property
    def satz(self) -> str:
        """A German sentence for who brought the file."""
        return _SAETZE[self]


_SAETZE = {
    Ablehnung.LEER: "Die Datei ist leer.",
    Ablehnung.KEIN_PDF: "Das ist keine PDF-Datei.",
    Ablehnung.POLYGLOTT: "Die Datei ist nicht nur eine PDF-Datei: Sie enthält davor oder dahinter "
    "etwas, das andere Programme als Datei eigener Art öffnen.",
    Ablehnung.BESCHAEDIGT: "Die PDF-Datei ist beschädigt und lässt sich nicht öffnen.",
    Ablehnung.PASSWORT: "Die PDF-Datei ist mit einem Passwort geschützt.",
    Ablehnung.ZU_GROSS: "Die Datei oder das, was in ihr gepackt ist, ist zu groß.",
    Ablehnung.ZU_VIELE_SEITEN: "Die PDF-Datei hat zu viele Seiten.",
    Ablehnung.SEITENMASS: "Die PDF-Datei hat eine Seite von unmöglicher Größe.",
    Ablehnung.ZU_AUFWENDIG: "Das Lesen der Datei dauert zu lange.",
    Ablehnung.SPEICHER: "Die Datei braucht beim Lesen zu viel Speicher.",
    Ablehnung.ABSTURZ: "Das Leseprogramm ist an der PDF-Datei abgestürzt.",
    Ablehnung.ABHANDEN: "Die gespeicherte Datei fehlt oder ist eine andere.",
}


class Abgelehnt(Exception):
    """The file cannot be used: `art` is the kind, the message a German sentence."""

    def __init__(self, art: Ablehnung, satz: str = "") -> None:
        super().__init__(satz or art.satz)
        self.art = art

    def __reduce__(self) -> tuple[type[Self], tuple[Ablehnung, str]]:
        """Worker processes hand it to the one that started them."""
        return type(self), (self.art, str(self))

    @property
    def answer(self) -> bytes:
        """What a child process says of it (citations/pdf/child.py)."""
        return f"refused\n{self.art}\n{self}".encode()
