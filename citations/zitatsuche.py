"""Places a person's own quotes in a folder of PDF files, without any database."""

import os
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

from .comparison import Grad, compare_form
from .models import Pruefung
from .placing import MAX_EQUAL_PLACES, MIN_LETTERS, equal_places, place_in_reading
from .platz import NOWHERE, Hindernis, Platz
from .quelltext import Lesetext, Span, cut
from .reading import UnbrauchbaresDokument, file_bytes, read_file_texts
from .stelle import Stelle, stelle_at
from .verification import Urteil, second_reading
from .wortdiff import Art, wortdiff
from .zitatzeilen import FIELDS, Zitatzeile

PUBLISH, REVIEW, REJECT = "publish", "review", "reject"
# The process that reads a file needs a core to itself.
READERS = max(os.cpu_count() or 1, 1)
# Other places of the same words that are listed.
MAX_STELLEN = 50
NUR_DANEBEN = "Die Worte stehen neben dem Text der Seite: in ihrem Kopf, Fuß oder Rand."
NUR_VERSTECKT = "Die Worte stehen nur in Text, den man auf der Seite nicht sieht."


@dataclass
class _Stand:
    """What is known of one row so far."""

    zeile: Zitatzeile
    dateien: frozenset[str]
    platz: Platz = NOWHERE
    datei: str = ""
    stelle: Stelle | None = None
    gedruckt: str = ""
    vorschlag: str = ""
    urteil: Urteil | None = None
    daneben: dict[str, Any] | None = None
    versteckt_in: str = ""
    stellen: list[dict[str, Any]] = field(default_factory=list)
    unpruefbar: list[str] = field(default_factory=list)
    weitere: list[Platz] = field(default_factory=list)

    @property
    def is_proved(self) -> bool:
        return self.urteil is not None and self.urteil.ergebnis == Pruefung.Ergebnis.BEWIESEN

    def take(self, platz: Platz, name: str, text: Lesetext) -> None:
        """This is the row's place from now on, and nobody has judged it yet."""
        self.platz, self.datei, self.urteil = platz, name, None
        self.stelle = stelle_at(text, platz.spans, platz.grad) if platz.spans else None
        self.gedruckt = text.seiten[self.stelle.seite - 1].zahl if self.stelle else ""
        self.vorschlag = cut(text.text, (platz.satz,)) if platz.satz else ""


class Zitatsuche:
    """`folder` is searched; `says_party(stem, partei)` tells whether a file is of a party."""

    def __init__(self, folder: Path, says_party: Callable[[str, str], bool]) -> None:
        self.folder = folder.resolve()
        self.says_party = says_party
        self.paths = {
            _readable(path.relative_to(self.folder)): path
            for path in sorted(self.folder.rglob("*"))
            if path.suffix.casefold() == ".pdf" and path.is_file()
        }
        self.names = sorted(self.paths)

    def run(
        self,
        zeilen: Sequence[Zitatzeile],
        progress: Callable[[Iterable[Any], int], Iterable[Any]] = lambda files, total: files,
    ) -> list[dict[str, Any]]:
        """One result per row, in order. Every file that a row needs is read once."""
        staende = [self._begin(zeile) for zeile in zeilen]
        needed = [name for name in self.names if any(name in s.dateien for s in staende)]
        for name, gelesen in progress(self._read(needed), len(needed)):
            self._search(name, gelesen, [s for s in staende if name in s.dateien])
        return [_result(stand) for stand in staende]

    def _begin(self, zeile: Zitatzeile) -> _Stand:
        if zeile.fehler:
            return _Stand(zeile, frozenset())
        names = self.names
        if zeile.datei:
            slashed = os.path.normpath(zeile.datei.replace("\\", "/"))
            named = {_composed(zeile.datei), _composed(slashed)}
            names = [name for name in names if _composed(name) in named]
            if not names:
                fehler = f"Die Datei „{zeile.datei}“ gibt es im Ordner nicht."
                return _Stand(replace(zeile, fehler=fehler), frozenset())
        if zeile.partei:
            names = [name for name in names if self.says_party(Path(name).stem, zeile.partei)]
        return _Stand(zeile, frozenset(names))

    def _read(self, names: Sequence[str]) -> Iterator[tuple[str, "_Gelesen"]]:
        """In order, some files ahead of what is asked for."""
        with ThreadPoolExecutor(READERS) as pool:
            waiting = [pool.submit(self._read_one, name) for name in names[:READERS]]
            for position, name in enumerate(names):
                gelesen = waiting.pop(0).result()
                ahead = position + READERS
                if ahead < len(names):
                    waiting.append(pool.submit(self._read_one, names[ahead]))
                yield name, gelesen

    def _read_one(self, name: str) -> "_Gelesen":
        try:
            data = file_bytes(self.paths[name])
            text, versteckt = read_file_texts(data)
            return _Gelesen(data, text, versteckt=compare_form(versteckt))
        except OSError as error:
            return _Gelesen(b"", None, f"Die Datei lässt sich nicht öffnen ({error.strerror}).")
        except UnbrauchbaresDokument as error:
            return _Gelesen(b"", None, str(error))

    def _search(self, name: str, gelesen: "_Gelesen", staende: Sequence[_Stand]) -> None:
        text = gelesen.text
        if text is None:
            for stand in staende:
                stand.unpruefbar.append(f"{name}: {gelesen.fehler}")
            return
        better = [stand for stand in staende if _look(stand, name, text)]
        for stand in staende:
            form = compare_form(stand.zeile.zitat)
            if len(form) >= MIN_LETTERS and form in gelesen.versteckt:
                stand.versteckt_in = stand.versteckt_in or name
        placed = [stand for stand in better if stand.platz.is_placed]
        _prove(placed, gelesen.data, text)
        for _ in range(MAX_EQUAL_PLACES - 1):
            unproved = [stand for stand in placed if not stand.is_proved and stand.weitere]
            for stand in unproved:
                stand.take(stand.weitere.pop(0), name, text)
            _prove(unproved, gelesen.data, text)


def _readable(path: Path) -> str:
    """The name as text: what is no UTF-8 in it as \\xe4."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _composed(name: str) -> str:
    """Some systems store "ü" as "u" and two dots."""
    return unicodedata.normalize("NFC", name)


@dataclass(frozen=True)
class _Gelesen:
    data: bytes
    text: Lesetext | None
    fehler: str = ""
    versteckt: str = ""


def _look(stand: _Stand, name: str, text: Lesetext) -> bool:
    """Places the row's quote in one more file; True where that is the best place so far."""
    zeile = stand.zeile
    nearly = not stand.platz.is_placed or stand.platz.grad is Grad.ANGEGLICHEN
    platz = place_in_reading(zeile.zitat, text, preferred=_hinted(zeile, text), nearly=nearly)
    if seite := text.unpruefbar(platz.spans):
        stand.unpruefbar.append(f"{name}, S. {seite.zahl}: {seite.grund}")
    elif not platz.is_placed:
        stand.unpruefbar += _unusable(zeile, name, text)
        stand.daneben = stand.daneben or _beside(zeile, name, text)
    if platz.grad in (Grad.WOERTLICH, Grad.AUSLASSUNG):
        _note_places(stand, name, text, platz)
    is_equal = platz.is_placed and not stand.is_proved and platz.rang == stand.platz.rang
    if platz.rang <= stand.platz.rang and not is_equal:
        return False
    stand.take(platz, name, text)
    stand.weitere = list(islice(equal_places(zeile.zitat, platz, text), MAX_EQUAL_PLACES - 1))
    return True


def _prove(staende: Sequence[_Stand], data: bytes, text: Lesetext) -> None:
    """Has the second engine judge the place of each row, which all stand in one file."""
    stellen = [stand.stelle for stand in staende if stand.stelle]
    printed = [text.seiten[stelle.seite - 1].gedruckt for stelle in stellen]
    for stand, urteil in zip(staende, second_reading(data, stellen, printed), strict=True):
        stand.urteil = urteil


def _beside(zeile: Zitatzeile, name: str, text: Lesetext) -> dict[str, Any] | None:
    """Where the words stand beside the text of the page that the row names: in head or foot."""
    if zeile.seite is None or zeile.seite > len(text.seiten):
        return None
    seite, wanted = text.seiten[zeile.seite - 1], compare_form(zeile.zitat)
    for _, words, (x0, y0, x1, y1) in seite.beiwerk:
        if compare_form(words) == wanted:
            rect = {"seite": seite.index, "x0": x0, "y0": y0, "x1": x1, "y1": y1}
            found = {"datei": name, "seite": seite.index, "seite_gedruckt": seite.zahl}
            return found | {"text": words, "rects": [rect]}
    return None


def _hinted(zeile: Zitatzeile, text: Lesetext) -> tuple[Span, ...]:
    if zeile.seite is None or zeile.seite > len(text.seiten):
        return ()
    seite = text.seiten[zeile.seite - 1]
    return ((seite.start, seite.ende),)


def _unusable(zeile: Zitatzeile, name: str, text: Lesetext) -> list[str]:
    """The page that the row names, or the whole file, where no machine can read it."""
    if zeile.seite and zeile.seite <= len(text.seiten):
        seite = text.seiten[zeile.seite - 1]
        return [] if seite.pruefbar else [f"{name}, S. {seite.zahl}: {seite.grund}"]
    if not any(seite.pruefbar for seite in text.seiten):
        return [f"{name}: {text.seiten[0].grund}"]
    return []


def _note_places(stand: _Stand, name: str, text: Lesetext, platz: Platz) -> None:
    for spans in (platz.spans, *platz.weitere):
        if len(stand.stellen) < MAX_STELLEN:
            seite = text.seite_at(spans[0][0])
            gedruckt = text.seiten[seite - 1].zahl
            stand.stellen.append({"datei": name, "seite": seite, "seite_gedruckt": gedruckt})


def _result(stand: _Stand) -> dict[str, Any]:
    zeile, stelle = stand.zeile, stand.stelle
    urteil, grund = _judge(stand)
    if stand.daneben and urteil != PUBLISH:
        return _empty(zeile) | stand.daneben | {"urteil": REVIEW, "grund": NUR_DANEBEN}
    if stand.versteckt_in and not stand.platz.is_placed:
        found = {"datei": stand.versteckt_in, "urteil": REVIEW, "grund": NUR_VERSTECKT}
        return _empty(zeile) | found
    placed = urteil == PUBLISH or stand.platz.hindernis is Hindernis.ABGESCHNITTEN
    return _empty(zeile) | {
        "urteil": urteil,
        "grad": str(stand.platz.grad if placed else Grad.UNGEPRUEFT),
        "datei": stand.datei or zeile.datei,
        "seite": stelle.seite if stelle else None,
        "seite_gedruckt": stand.gedruckt,
        "text": stelle.text if stelle else "",
        "grund": grund,
        "vorschlag": stand.vorschlag,
        "unterschied": _unterschied(zeile.zitat, stelle) if not placed else "",
        "rects": list(stelle.rects) if stelle else [],
        "stellen": stand.stellen if len(stand.stellen) > 1 else [],
        "fehler": zeile.fehler,
    }


def _empty(zeile: Zitatzeile) -> dict[str, Any]:
    """A result that says nothing yet."""
    return dict.fromkeys(FIELDS, "") | {
        "grad": str(Grad.UNGEPRUEFT),
        "seite": None,
        "rects": [],
        "stellen": [],
        "zitat": zeile.zitat,
    }


def _judge(stand: _Stand) -> tuple[str, str]:
    """The verdict and its reason in German."""
    if stand.zeile.fehler:
        return REVIEW, stand.zeile.fehler
    if stand.platz.is_placed:
        return _judge_placed(stand)
    if not stand.dateien:
        return REJECT, _nothing_searched(stand.zeile.partei)
    hindernis = stand.platz.hindernis or Hindernis.NICHT_GEFUNDEN
    # In a whole folder some scan is always unreadable; where one is named, it could hold the words.
    is_named = bool(stand.zeile.datei or stand.zeile.partei)
    if stand.unpruefbar and (is_named or hindernis is Hindernis.NICHT_PRUEFBAR):
        return REVIEW, "Nicht maschinell prüfbar. " + " ".join(stand.unpruefbar[:3])
    if stand.stelle is None:
        return REJECT, " ".join([hindernis.erklaerung, *_not_searched(stand)])
    return REVIEW, hindernis.erklaerung


def _nothing_searched(partei: str) -> str:
    if not partei:
        return "Im Ordner liegt keine PDF-Datei."
    return f"Keine Datei im Ordner trägt den Namen der Partei „{partei}“."


def _not_searched(stand: _Stand) -> list[str]:
    """What could hold the words all the same."""
    return [f"Nicht durchsuchbar: {'; '.join(stand.unpruefbar[:3])}"] if stand.unpruefbar else []


def _judge_placed(stand: _Stand) -> tuple[str, str]:
    if not stand.is_proved:
        grund = stand.urteil.grund if stand.urteil else Hindernis.NICHT_PRUEFBAR.erklaerung
        return REVIEW, grund
    said = stand.zeile.seite
    if said and stand.stelle and said != stand.stelle.seite:
        return PUBLISH, f"Steht auf Seite {stand.stelle.seite} der Datei, nicht auf {said}."
    return PUBLISH, ""


def _unterschied(zitat: str, stelle: Stelle | None) -> str:
    """Word by word: [-what the quote has-] {+what the source has+}."""
    if stelle is None:
        return ""
    forms = {Art.GLEICH: "{}", Art.WEG: "[-{}-]", Art.NEU: "{{+{}+}}"}
    return "".join(forms[teil.art].format(teil.text) for teil in wortdiff(zitat, stelle.text))
