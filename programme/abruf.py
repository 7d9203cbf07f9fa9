"""Fetches one file or one JSON answer from the net; every step is checked, nothing is trusted.

Redirects are followed here and not by a library, so that each of their addresses is checked like
the first one. A name is resolved once, all its addresses must be public, and the connection is made
to one of just these: what the name means a moment later does not matter. There are no cookies, no
proxies and no environment, and each hop has a connection of its own.
"""

import json
import socket
import ssl
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import httpcore2
from django.conf import settings

from .adressen import PORTS, Adresse, VerweigerteAdresse, parse, require_allowed
from .verbindung import Angeheftet, ZeitUm, system_tls

MAX_REDIRECTS = 5
CONNECT_SECONDS = 15.0
READ_SECONDS = 30.0
JSON_MAX_BYTES = 20 * 1024 * 1024
PIECE = 64 * 1024
# Within these a PDF says that it is one.
HEAD = 1024
PDF_TYPES = {
    *("application/pdf", "application/x-pdf", "application/octet-stream", "binary/octet-stream"),
    *("application/force-download", "application/download", "application/x-download", ""),
}
REDIRECTS = {301, 302, 303, 307, 308}

Resolve = Callable[[str, int], list[str]]


class AbrufGescheitert(Exception):
    """Nothing usable came; the message is German."""


def resolve(host: str, port: int) -> list[str]:
    """The host's numbers, in the system's order."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


@dataclass(frozen=True)
class Abrufer:
    """The client with its limits; what is not given comes from the settings."""

    test_address: str = field(default_factory=lambda: settings.FETCH_TEST_ADDRESS)
    max_bytes: int = field(default_factory=lambda: settings.PDF_MAX_BYTES)
    seconds: float = field(default_factory=lambda: settings.FETCH_MAX_SECONDS)
    resolve: Resolve = resolve
    tls: ssl.SSLContext | None = None

    def download_pdf(self, url: str, path: Path) -> None:
        """Writes the file to `path`, which may hold a part of it already. Raises AbrufGescheitert.

        A part stays there for the next time, unless it is of no use.
        """
        # A part that no longer fits is thrown away: once more, from the beginning.
        if not self._download(url, path):
            self._download(url, path)

    def _download(self, url: str, path: Path) -> bool:
        part = _Teil.of(path, url)
        with self._open(url, part.range_headers) as answer:
            if not part.fits(answer):
                part.discard()
                return False
            answer.require_type(PDF_TYPES, "keine PDF-Datei")
            with part.open(answer) as file:
                _write(answer, file, part, self.max_bytes)
        part.done()
        return True

    def get_json(self, url: str) -> Any:
        """Raises AbrufGescheitert."""
        with self._open(url, {}) as answer:
            answer.require_type({"application/json", "application/vnd.api+json"}, "kein JSON")
            data = b"".join(answer.pieces(min(self.max_bytes, JSON_MAX_BYTES)))
        try:
            return json.loads(data)
        except ValueError:
            raise AbrufGescheitert("Die Antwort ist kein gültiges JSON.") from None

    @contextmanager
    def _open(self, url: str, headers: Mapping[str, str]) -> "Iterator[Antwort]":
        """The answer behind all redirects, its status 200, 206 or 416."""
        ende, first = time.monotonic() + self.seconds, url
        try:
            for _ in range(MAX_REDIRECTS + 1):
                with self._hop(parse(url), headers, ende) as answer:
                    if answer.status not in REDIRECTS:
                        answer.require_success(partial=bool(headers))
                        yield answer
                        return
                    url = _target(url, answer.headers.get("location", ""))
        except VerweigerteAdresse as refusal:
            where = "" if url == first else f" (Weiterleitung nach {_short(url)})"
            raise AbrufGescheitert(f"{refusal}{where}") from refusal
        except (httpcore2.TimeoutException, ZeitUm) as failure:
            raise AbrufGescheitert("Der Server antwortet nicht rechtzeitig.") from failure
        except (httpcore2.NetworkError, httpcore2.ProtocolError) as failure:
            raise AbrufGescheitert(_network_reason(failure)) from failure
        raise AbrufGescheitert(f"Mehr als {MAX_REDIRECTS} Weiterleitungen.")

    @contextmanager
    def _hop(
        self, adresse: Adresse, headers: Mapping[str, str], ende: float
    ) -> "Iterator[Antwort]":
        backend = Angeheftet(self._checked(adresse), ende)
        sent = {"Host": _host_header(adresse), **_SAID, **headers}
        tls = self.tls or system_tls()
        waits = {"timeout": {"connect": CONNECT_SECONDS, "read": READ_SECONDS}}
        with (
            httpcore2.ConnectionPool(ssl_context=tls, network_backend=backend) as pool,
            pool.stream("GET", adresse.url, headers=list(sent.items()), extensions=waits) as raw,
        ):
            yield Antwort(raw)

    def _checked(self, adresse: Adresse) -> list[str]:
        """The host's addresses, every one of them allowed."""
        try:
            ips = self.resolve(adresse.host, adresse.port)
        except (OSError, UnicodeError):
            raise AbrufGescheitert(f"Den Rechner {adresse.host} gibt es nicht.") from None
        for ip in ips:
            require_allowed(ip, adresse.port, test_address=self.test_address)
        return ips


_SAID = {
    "User-Agent": "GWOe-Antragspruefer",
    "Accept": "application/pdf, */*;q=0.5",
    "Accept-Encoding": "identity",
}


class Antwort:
    """Status, headers in lower case, and the unpacked body in pieces."""

    def __init__(self, raw: httpcore2.Response) -> None:
        self.status = raw.status
        self.headers = {
            name.decode("latin-1").lower(): value.decode("utf-8", "replace")
            for name, value in raw.headers
        }
        self._raw = raw

    @property
    def packed(self) -> str:
        return self.headers.get("content-encoding", "").strip().lower().replace("identity", "")

    def require_success(self, *, partial: bool) -> None:
        if self.status != 200 and not (partial and self.status in (206, 416)):
            raise AbrufGescheitert(f"Der Server antwortet mit dem Fehler {self.status}.")

    def require_type(self, allowed: set[str], what: str) -> None:
        kind = self.headers.get("content-type", "").split(";")[0].strip().lower()
        if kind not in allowed:
            raise AbrufGescheitert(f"Die Antwort ist {what}, sondern {kind[:60] or 'ohne Art'}.")

    def pieces(self, limit: int) -> Iterator[bytes]:
        """Raises ZuGross when more than `limit` bytes come, packed or unpacked."""
        total = 0
        for piece in self._unpacked():
            total += len(piece)
            if total > limit:
                raise ZuGross(limit)
            yield piece

    def _unpacked(self) -> Iterator[bytes]:
        stream: Iterable[bytes] = self._raw.iter_stream()
        if not self.packed:
            return iter(stream)
        if self.packed not in ("gzip", "x-gzip", "deflate"):
            raise AbrufGescheitert("Die Antwort ist auf unbekannte Weise gepackt.")
        return _inflated(stream)


class ZuGross(AbrufGescheitert):
    def __init__(self, limit: int) -> None:
        super().__init__(f"Die Datei ist größer als {limit / (1024 * 1024):.0f} MB.")


def _inflated(stream: Iterable[bytes]) -> Iterator[bytes]:
    """Never more than one piece at a time in memory, however well it was packed."""
    unpacking = zlib.decompressobj(zlib.MAX_WBITS | 32)
    try:
        for packed in stream:
            while packed:
                yield unpacking.decompress(packed, PIECE)
                packed = unpacking.unconsumed_tail
    except zlib.error:
        raise AbrufGescheitert("Die gepackte Antwort ist beschädigt.") from None
    if not unpacking.eof:
        raise AbrufGescheitert("Die gepackte Antwort ist unvollständig.")


def _write(answer: Antwort, file: Any, part: "_Teil", max_bytes: int) -> None:
    head = part.head()
    try:
        for piece in answer.pieces(max_bytes - file.tell()):
            file.write(piece)
            head = _checked_head(head, piece)
    except ZuGross:
        part.discard()
        raise ZuGross(max_bytes) from None
    except KeinPdf:
        part.discard()
        raise
    if b"%PDF-" not in head:
        part.discard()
        raise KeinPdf


def _checked_head(head: bytes, piece: bytes) -> bytes:
    if len(head) < HEAD:
        head = (head + piece)[:HEAD]
        if len(head) == HEAD and b"%PDF-" not in head:
            raise KeinPdf
    return head


class KeinPdf(AbrufGescheitert):
    def __init__(self) -> None:
        super().__init__("Die Antwort beginnt nicht wie eine PDF-Datei.")


@dataclass
class _Teil:
    """A file on its way, with a note beside it of whose part it is and by which mark it goes on."""

    path: Path
    url: str
    mark: str

    @classmethod
    def of(cls, path: Path, url: str) -> "_Teil":
        part = cls(path, url, "")
        try:
            noted = json.loads(part.note.read_text("utf-8"))
        except (OSError, ValueError):
            noted = {}
        if path.exists() and noted.get("url") == url:
            part.mark = str(noted.get("mark", ""))
        return part

    @property
    def note(self) -> Path:
        return self.path.with_name(f"{self.path.name}.json")

    @property
    def range_headers(self) -> dict[str, str]:
        if not self.mark:
            return {}
        return {"Range": f"bytes={self.path.stat().st_size}-", "If-Range": self.mark}

    def fits(self, answer: Antwort) -> bool:
        """Not where the server has no such part, or goes on at another place."""
        if answer.status == 206:
            start = f"bytes {self.path.stat().st_size}-"
            return answer.headers.get("content-range", "").startswith(start) and not answer.packed
        return answer.status != 416

    @contextmanager
    def open(self, answer: Antwort) -> Iterator[Any]:
        """For appending where the server goes on, else from the beginning."""
        if answer.status != 206:
            self.path.unlink(missing_ok=True)
            self.note.write_text(json.dumps({"url": self.url, "mark": _mark(answer)}), "utf-8")
        with self.path.open("ab") as file:
            yield file

    def head(self) -> bytes:
        with self.path.open("rb") as file:
            return file.read(HEAD)

    def discard(self) -> None:
        self.path.unlink(missing_ok=True)
        self.note.unlink(missing_ok=True)

    def done(self) -> None:
        self.note.unlink(missing_ok=True)


def _mark(answer: Antwort) -> str:
    """By which the server knows the same bytes again; a weak or no mark means a new beginning,
    and so does one that cannot be sent back."""
    etag = answer.headers.get("etag", "")
    mark = etag if etag.startswith('"') else answer.headers.get("last-modified", "")
    return mark if mark.isascii() and not answer.packed else ""


def _host_header(adresse: Adresse) -> str:
    host = f"[{adresse.host}]" if ":" in adresse.host else adresse.host
    return host if adresse.port == PORTS[adresse.scheme] else f"{host}:{adresse.port}"


def _target(url: str, location: str) -> str:
    try:
        return urljoin(url, location.replace(" ", "%20"))
    except ValueError:
        raise VerweigerteAdresse("Die Weiterleitung ist keine Internetadresse.") from None


def _network_reason(failure: Exception) -> str:
    causes = (failure, failure.__cause__, failure.__context__)
    if any(isinstance(cause, ssl.SSLError) for cause in causes):
        return "Das Zertifikat des Servers ist nicht gültig."
    if isinstance(failure, httpcore2.ConnectError):
        return "Der Server ist nicht erreichbar."
    return "Die Verbindung brach ab."


def _short(url: str) -> str:
    return url if len(url) <= 120 else f"{url[:119]}…"
