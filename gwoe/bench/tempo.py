"""How fast quotes are placed in one programme, and files read and stored."""

import random
import statistics
import time
from collections.abc import Callable, Iterator, Sequence

from citations.placing import place_in_reading
from citations.quelltext import Lesetext
from citations.reading import store_dokument

from .datenbank import scratch
from .faelschen import faelschungen
from .quellen import Quelle
from .zeile import Zeile

VERBATIM, REPAIRED = ("A_raw", "B_drift", "E_trunc"), ("D_inflect",)
# The programme that is searched is the one whose number of pages is nearest to this.
PAGES = 160


def zeilen(quellen: Sequence[Quelle]) -> Iterator[Zeile]:
    """Rates in one programme, warm; milliseconds per page over all files."""
    if not quellen:
        return
    long = sorted(quellen, key=lambda quelle: abs(len(quelle.text.seiten) - PAGES))[0]
    for name, classes, bar in (("wörtlich", VERBATIM, 10_000), ("angeglichen", REPAIRED, 500)):
        rate = _rate(long.text, classes)
        was = f"Zitate je Sekunde in {len(long.text.seiten)} Seiten, {name}"
        yield Zeile(was, f"{rate:,.0f}", f"≥ {bar:,}", rate >= bar)
    with scratch():
        median = statistics.median(_reading(quelle) for quelle in quellen)
    was = "Lesen mit Kästen und Speichern, Median der Dateien"
    yield Zeile(was, f"{median:.1f} ms je Seite", "≤ 25 ms", median <= 25)


def _rate(text: Lesetext, classes: tuple[str, ...]) -> float:
    """Quotes placed per second of processor time, the fastest of five rounds."""
    made = faelschungen(text, text, je_klasse=400, seed=5)
    quotes = [one.zitat for one in made if one.klasse in classes]
    random.Random(5).shuffle(quotes)  # noqa: S311  the same order every time
    for quote in quotes[:20]:
        place_in_reading(quote, text)
    return len(quotes) / min(_timed(lambda: _place_all(quotes, text)) for _ in range(5))


def _place_all(quotes: Sequence[str], text: Lesetext) -> None:
    for quote in quotes:
        place_in_reading(quote, text)


def _timed(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def _reading(quelle: Quelle) -> float:
    """Milliseconds per page of wall clock for reading in the child and storing."""
    started = time.perf_counter()
    store_dokument(quelle.data, name=quelle.name)
    elapsed = time.perf_counter() - started
    return 1000 * elapsed / max(len(quelle.text.seiten), 1)
