"""An editor's browser: cookies, redirects, and the forms of a page."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from http.cookiejar import CookieJar
from urllib.error import HTTPError
from urllib.parse import urlencode, urljoin
from urllib.request import HTTPCookieProcessor, OpenerDirector, ProxyHandler, build_opener

# An answer that takes longer has been lost with its worker.
SECONDS = 60


@dataclass
class Formular:
    """A form that is sent by POST; `felder` as the page has filled them in."""

    adresse: str
    felder: dict[str, str] = field(default_factory=dict)
    knoepfe: list[tuple[str, str]] = field(default_factory=list)
    gesperrt: bool = False

    @property
    def verb(self) -> str:
        """What the address ends with: `annehmen`, `freigeben`, a number for a value."""
        return self.adresse.rstrip("/").rpartition("/")[2]


@dataclass
class Seite:
    """`erfolg` is whether the page says that what was asked for is done."""

    adresse: str
    status: int
    text: str = ""

    @property
    def erfolg(self) -> bool:
        return self.status == 200 and 'class="success"' in self.text

    def formulare(self) -> list[Formular]:
        parser = _Formulare(self.adresse)
        parser.feed(self.text)
        return parser.found


class _Formulare(HTMLParser):
    def __init__(self, address: str) -> None:
        super().__init__()
        self.address, self.found = address, list[Formular]()
        self.current: Formular | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag == "form" and values.get("method") == "post":
            self.current = Formular(urljoin(self.address, values.get("action", "")))
            self.found.append(self.current)
        elif self.current is not None and values.get("name"):
            name, value = values["name"], values.get("value", "")
            if tag == "button" or values.get("type") == "radio":
                self.current.knoepfe.append((name, value))
            elif tag in ("input", "textarea"):
                self.current.felder[name] = value
        if tag == "button" and self.current is not None and "disabled" in values:
            self.current.gesperrt = True

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.current = None


class Browser:
    """One person's; an error of the server is an answer, a lost connection an OSError."""

    def __init__(self, base: str) -> None:
        self.base = base
        jar = HTTPCookieProcessor(CookieJar())
        self.opener: OpenerDirector = build_opener(ProxyHandler({}), jar)

    def get(self, path: str) -> Seite:
        return self._open(urljoin(self.base, path), None)

    def post(self, path: str, fields: Mapping[str, str]) -> Seite:
        return self._open(urljoin(self.base, path), urlencode(fields).encode())

    def _open(self, address: str, data: bytes | None) -> Seite:
        try:
            with self.opener.open(address, data, timeout=SECONDS) as answer:
                return Seite(answer.url, answer.status, answer.read().decode())
        except HTTPError as error:
            with error:
                return Seite(address, error.code)
