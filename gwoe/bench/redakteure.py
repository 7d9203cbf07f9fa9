"""Many editors at once at the real desk, who do everything and some of it twice; and what must
hold afterwards, whatever was killed meanwhile.
"""

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.db import connection
from django.db.models import F

from assessments.desk.rahmen import desk_url
from assessments.models import Assessment, Beleg, ReviewEvent, Vergleich

from .betrieb import Betrieb, betrieb
from .formulare import Browser, Formular, Seite
from .grossbestand import Umfang, fill
from .zeile import Zeile

PASSWORD = "nur-fuer-das-messen-1"  # noqa: S105  of people in a database that is thrown away
LOGIN = "/redaktion/login/"
GROUPS = ("Redaktion", "Freigabe", "Leitung")
OK = 200
# A page may fail so long after something was killed; before and after it may not.
RECOVERY_SECONDS = 15
# Verbs of one piece of evidence, and of the whole assessment.
DECISIONS = {"annehmen", "erweitern", "verwerfen", "oeffnen"}
STEPS = {"freigeben", "ablehnen", "zurueck", "veroeffentlichen", "zurueckziehen", "einreichen"}
KILLS: tuple[tuple[str, Callable[[Betrieb], None]], ...] = (
    ("Prozess des Webservers getötet", Betrieb.kill_web_worker),
    ("Prozess der Warteschlange getötet", Betrieb.kill_queue_worker),
    ("Datenbank ohne Ankündigung beendet und neu gestartet", Betrieb.restart_database),
)


@dataclass
class Protokoll:
    """What the editors saw; `bestaetigt` are the marks of what was said to be done."""

    versucht: Counter[str] = field(default_factory=Counter)
    erfolge: Counter[str] = field(default_factory=Counter)
    bestaetigt: set[str] = field(default_factory=set)
    fehler: list[tuple[float, str]] = field(default_factory=list)
    verloren: int = 0
    antworten: int = 0


@dataclass
class Redakteur:
    """One person with one browser; everything it writes carries a mark of its own."""

    name: str
    browser: Browser
    keys: list[int]
    seed: int
    protokoll: Protokoll = field(default_factory=Protokoll)
    alte: list[Formular] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)  # noqa: S311  the same behaviour every time

    def work_until(self, end: float) -> None:
        is_in = False
        while time.monotonic() < end:
            try:
                is_in = is_in or self._log_in()
                if is_in:
                    self.chance.choices([self._try_something, self._finish_one], [3, 1])[0]()
            except OSError:
                self.protokoll.verloren += 1
                time.sleep(0.5)

    def _log_in(self) -> bool:
        form = next(iter(self._seen(self.browser.get(LOGIN)).formulare()), None)
        if form is None:
            return False
        fields = form.felder | {"username": self.name, "password": PASSWORD}
        return "/login/" not in self._seen(self.browser.post(form.adresse, fields)).adresse

    def _try_something(self) -> None:
        """Any form of any page of any assessment; now and then one from long ago."""
        page = self._open(self.chance.choice(("pruefen", "pruefen", "felder", "texte")))
        forms = [form for form in page.formulare() if "/pruefauftrag/" in form.adresse]
        if self.alte and self.chance.random() < 0.15:
            forms = [self.chance.choice(self.alte)]
        if forms:
            form = self.chance.choice(forms)
            self.alte = [*self.alte[-20:], form]
            self._send(form, twice=self.chance.random() < 0.2)

    def _finish_one(self) -> None:
        """Takes one over and brings it as far as this person may."""
        key = self.chance.choice(self.keys)
        for _ in range(60):
            page = self._seen(self.browser.get(desk_url("pruefen", key)))
            forms = {form.verb: form for form in page.formulare() if not form.gesperrt}
            wanted = ("uebernehmen", "freigeben", "veroeffentlichen")
            chosen = next((forms[verb] for verb in wanted if verb in forms), None)
            decisions = [forms[verb] for verb in ("annehmen", "verwerfen") if verb in forms]
            if chosen is None and decisions:
                chosen = self.chance.choice(decisions)
            if chosen is not None:
                self._send(chosen)
            elif page.status != OK or "/pruefen/" not in page.adresse or not unseen(page):
                return

    def _open(self, name: str) -> Seite:
        return self._seen(self.browser.get(desk_url(name, self.chance.choice(self.keys))))

    def _send(self, form: Formular, *, twice: bool = False) -> None:
        mark = f"{self.name}-{self.chance.getrandbits(40):x}"
        fields = dict(form.felder)
        if form.knoepfe:
            fields |= [self.chance.choice(form.knoepfe)]
        is_noted = form.verb in DECISIONS | STEPS
        text = next((n for n in ("begruendung", "zusammenfassung", "wortlaut") if n in fields), "")
        if is_noted:
            fields["note"] = mark
        elif text and "/aendern/" in form.adresse:
            fields[text] = mark
        kind = form.verb if not form.verb.isdigit() else "aendern"
        for _ in range(1 + twice):
            self.protokoll.versucht[kind] += 1
            page = self._seen(self.browser.post(form.adresse, fields))
            if page.erfolg:
                self.protokoll.erfolge[kind] += 1
                if mark in fields.values():
                    self.protokoll.bestaetigt.add(mark)

    def _seen(self, page: Seite) -> Seite:
        self.protokoll.antworten += 1
        if page.status >= 500:
            self.protokoll.fehler.append((time.monotonic(), f"{page.status} {page.adresse}"))
        return page


def unseen(page: Seite) -> bool:
    """Whether approval still waits for this person to be shown something."""
    return "Freigeben geht noch nicht" in page.text


def zeilen(*, editors: int, seconds: float, kill: bool, seed: int = 1) -> Iterator[Zeile]:
    with betrieb() as running:
        fill(Umfang(bewertungen=2 * editors, zitate=0, schlange=2 * editors))
        people = _people(running, editors, seed)
        end = time.monotonic() + seconds
        threads = [threading.Thread(target=one.work_until, args=[end]) for one in people]
        for thread in threads:
            thread.start()
        kills = _kill(running, seconds) if kill else []
        for thread in threads:
            thread.join()
        yield from _figures(people, seconds)
        yield Zeile("Prozesse getötet", str(len(kills)))
        connection.close()  # to the database as it was before a restart
        yield from _outcome(people, kills)


def _people(running: Betrieb, editors: int, seed: int) -> list[Redakteur]:
    keys = list(Assessment.objects.to_review().values_list("pk", flat=True))
    first = get_user_model()(is_staff=True)
    first.set_password(PASSWORD)
    people = []
    for n in range(editors):
        person = get_user_model().objects.create(
            username=f"person{n}", is_staff=True, password=first.password
        )
        person.groups.add(Group.objects.get(name=GROUPS[n % len(GROUPS)]))
        people.append(Redakteur(person.username, Browser(running.base), keys, seed + n))
    return people


def _kill(running: Betrieb, seconds: float) -> list[tuple[float, float]]:
    """From when until when each was being killed, and the database started again."""
    moments = []
    for _, kill in KILLS:
        time.sleep(seconds / (len(KILLS) + 1))
        begin = time.monotonic()
        kill(running)
        moments.append((begin, time.monotonic()))
    return moments


def _figures(people: list[Redakteur], seconds: float) -> Iterator[Zeile]:
    tried = sum((one.protokoll.versucht for one in people), Counter[str]())
    done = sum((one.protokoll.erfolge for one in people), Counter[str]())
    answers = sum(one.protokoll.antworten for one in people)
    yield Zeile("Antworten in allem, je Sekunde", f"{answers:,}, {answers / seconds:.0f}")
    for verb in sorted(tried):
        yield Zeile(f"  {verb}: versucht, gelungen", f"{tried[verb]}, {done[verb]}")
    lost = sum(one.protokoll.verloren for one in people)
    yield Zeile("Verbindungen verloren", str(lost))


# --- What must hold -----------------------------------------------------------------------------


def _outcome(people: list[Redakteur], kills: list[tuple[float, float]]) -> Iterator[Zeile]:
    errors = [
        text
        for one in people
        for moment, text in one.protokoll.fehler
        if not any(begin <= moment <= end + RECOVERY_SECONDS for begin, end in kills)
    ]
    marks = [mark for one in people for mark in one.protokoll.bestaetigt]
    faults: dict[str, list[Any]] = {
        "Fehler des Servers": errors,
        f"verlorene oder doppelte von {len(marks)} bestätigten Taten": _lost(marks),
        **broken_invariants(),
    }
    for was, found in faults.items():
        shown = f" ({'; '.join(map(str, found[:3]))})" if found else ""
        yield Zeile(f"{was}{shown}", str(len(found)), "0", not found)


def _lost(marks: list[str]) -> list[str]:
    """Those of which the record has not exactly one event."""
    notes = Counter(ReviewEvent.objects.exclude(note="").values_list("note", flat=True))
    texts = Counter(ReviewEvent.objects.filter(verb="change").values_list("nach", flat=True))
    return [mark for mark in marks if notes[mark] + texts[mark] != 1]


def broken_invariants() -> dict[str, list[Any]]:
    """What must hold in any database at any time, and the keys for which it does not."""
    closed = Assessment.objects.filter(status__in=["approved", *Assessment.READABLE])
    published = Assessment.objects.filter(published_by__isnull=False, vier_augen=True)
    public = Counter(Assessment.objects.public().values_list("antrag", flat=True))
    return {
        "freigegeben mit offenem Beleg": _keys(closed.with_open_evidence()),
        "freigegeben ohne Beleg für einen Wert": _keys(
            closed.filter(vergleiche__in=Vergleich.objects.without_source())
        ),
        "freigegeben und veröffentlicht von einer Person": _keys(
            published.filter(published_by=F("approved_by"))
        ),
        "Anträge mit zwei öffentlichen Fassungen": [pk for pk, n in public.items() if n > 1],
        "Bewertungen, deren Ereignisse anderes sagen": list(_not_as_recorded()),
        "Belege, deren Ereignisse anderes sagen": list(_evidence_not_as_recorded()),
    }


def _keys(rows: Any) -> list[int]:
    return list(rows.values_list("pk", flat=True).distinct())


def _not_as_recorded() -> Iterator[int]:
    """The events of each assessment, one after the other, from draft to what it is."""
    events: dict[int, list[tuple[str, str]]] = {}
    turns = ReviewEvent.objects.filter(beleg=None, nach__in=Assessment.Status.values)
    for pk, von, nach in turns.order_by("pk").values_list("assessment", "von", "nach"):
        events.setdefault(pk, []).append((von, nach))
    for pk, status in Assessment.objects.values_list("pk", "status"):
        if not _leads_to(events.get(pk, []), "draft", status):
            yield pk


def _evidence_not_as_recorded() -> Iterator[int]:
    events: dict[int, list[tuple[str, str]]] = {}
    turns = ReviewEvent.objects.filter(beleg__isnull=False)
    for pk, von, nach in turns.order_by("pk").values_list("beleg", "von", "nach"):
        events.setdefault(pk, []).append((von, nach))
    states = dict(Beleg.objects.values_list("pk", "zustand"))
    for pk, found in events.items():
        if not _leads_to(found, found[0][0], states[pk]):
            yield pk


def _leads_to(turns: list[tuple[str, str]], start: str, end: str) -> bool:
    state = start
    for von, nach in turns:
        if von != state:
            return False
        state = nach
    return state == end
