"""How good the drafts of each model and version of the instructions are, and what got worse.

Counted are drafts that a run with a model made (`Assessment.lauf`); a correction is the work of
editors and counts nowhere. A **quote** is evidence with the model's words (`wortlaut_modell`),
whoever chose its place later. A draft is **decided** once it was approved.

* `abgegeben`: quotes, of drafts.
* `ungebunden`: quotes that the server left open (`grund`), whatever became of them; of all quotes.
* `angeglichen`: quotes placed by the server whose words differ in trifles; of those placed.
* `offen`: quotes that wait for an editor now; of all.
* `verworfen`: quotes that were dropped; of all. `verworfen_entschieden`: in decided drafts only.
* `falsche_quelle`: quotes that stand elsewhere than the model claimed; of the comparable ones.
* `geaendert`: fields whose rating the editors changed; of those that the model rated, in decided
  drafts.

All but the first are bad when they grow. `offen` and `verworfen` of drafts that still wait say how
far the editors are, not how good the model is; they are shown, and never an alarm.

**Alarm.** The newest `NEWEST` drafts that have something to count are compared with all earlier
ones of the same model and instructions. A share got worse if it grew by at least `MIN_GROWTH` and
by at least `MIN_Z` standard errors. Quotes of one draft resemble each other, so the error of a
share is taken from the differences between drafts (a ratio estimate, clustered by draft), and never
less than that of as many independent quotes, smoothed by one success and one failure, as without
any difference it would be nothing.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from math import sqrt
from typing import Any

from django.db import connection
from django.utils import timezone

from .models import Bilanzstand
from .models.lauf import version_key

# Two weeks of ten motions a day, or a month of one: enough for a share, soon enough to act.
NEWEST = 30
# The same number again, or the past is no past.
MIN_PAST = 30
# One in 4000 by the normal distribution: five shares are looked at again with every new draft.
MIN_Z = 3.5
# Less than five in a hundred nobody would act upon, however sure it is.
MIN_GROWTH = 0.05

# The query looks at every quote and rating, so the queue counts every few minutes
# (`setup_schedules`). Where it does not, whoever opens the start page counts.
STALE = timedelta(hours=1)

# One row per model, instructions, figure, and whether it is about the newest drafts.
SUMS = """
WITH quotes AS (
    SELECT b.assessment_id,
        count(*) AS emitted,
        count(*) FILTER (WHERE b.grund = '') AS placed,
        count(*) FILTER (WHERE b.grund = '' AND z.grade = 'angeglichen') AS adapted,
        count(*) FILTER (WHERE b.zustand = 'offen') AS open,
        count(*) FILTER (WHERE b.zustand = 'verworfen') AS dropped,
        count(b.quelle_stimmt) AS comparable,
        count(*) FILTER (WHERE NOT b.quelle_stimmt) AS wrong
    FROM assessments_beleg b
    LEFT JOIN citations_zitat z
        ON z.id = coalesce(b.zitat_id, b.vorschlag_id) AND z.grade = 'angeglichen'
    WHERE b.wortlaut_modell <> ''
    GROUP BY b.assessment_id
), ratings AS (
    SELECT f.assessment_id,
        count(*) AS rated,
        count(*) FILTER (WHERE f.wert_redaktion NOT IN ('', f.wert_modell)) AS changed
    FROM assessments_feldbewertung f
    WHERE f.wert_modell <> ''
    GROUP BY f.assessment_id
), drafts AS (
    SELECT a.id, l.modell, l.prompt_version,
        a.status IN ('approved', 'published', 'superseded', 'withdrawn') AS decided,
        coalesce(q.emitted, 0) AS emitted, q.placed, q.adapted, q.open, q.dropped,
        q.comparable, q.wrong, r.rated, r.changed
    FROM assessments_assessment a
    JOIN assessments_lauf l ON l.id = a.lauf_id AND l.modell <> ''
    LEFT JOIN quotes q ON q.assessment_id = a.id
    LEFT JOIN ratings r ON r.assessment_id = a.id
), figures AS (
    SELECT d.modell, d.prompt_version, v.figure, v.x, v.n,
        row_number() OVER (
            -- By bytes: sorting by the rules of a language takes three times as long.
            PARTITION BY d.modell COLLATE "C", d.prompt_version COLLATE "C", v.figure COLLATE "C"
            ORDER BY d.id DESC
        ) <= %s AS newest
    FROM drafts d
    CROSS JOIN LATERAL (VALUES
        ('abgegeben', d.emitted, 1, true),
        ('ungebunden', d.emitted - d.placed, d.emitted, true),
        ('angeglichen', d.adapted, d.placed, true),
        ('offen', d.open, d.emitted, true),
        ('verworfen', d.dropped, d.emitted, true),
        ('verworfen_entschieden', d.dropped, d.emitted, d.decided),
        ('falsche_quelle', d.wrong, d.comparable, true),
        ('geaendert', d.changed, d.rated, d.decided)
    ) AS v (figure, x, n, counts)
    WHERE v.counts AND v.n > 0
)
SELECT modell, prompt_version, figure, newest, count(*)::bigint, sum(x)::bigint, sum(n)::bigint,
    sum(x * x)::bigint, sum(x * n)::bigint, sum(n * n)::bigint
FROM figures
GROUP BY modell, prompt_version, figure, newest
"""


@dataclass(frozen=True)
class Summe:
    """Sums over drafts: `x` of `n`, with their squares and product."""

    drafts: int = 0
    x: int = 0
    n: int = 0
    xx: int = 0
    xn: int = 0
    nn: int = 0

    def __add__(self, other: "Summe") -> "Summe":
        return Summe(*(a + b for a, b in zip(self._values, other._values, strict=True)))

    @property
    def _values(self) -> tuple[int, ...]:
        return (self.drafts, self.x, self.n, self.xx, self.xn, self.nn)

    @property
    def share(self) -> float | None:
        return self.x / self.n if self.n else None

    @property
    def prozent(self) -> str:
        return "–" if self.share is None else percent(self.share)

    @property
    def variance(self) -> float:
        """Of the share: between drafts, and never less than that of independent quotes."""
        share = self.x / self.n
        squares = self.xx - 2 * share * self.xn + share**2 * self.nn
        clustered = self.drafts / (self.drafts - 1) * squares / self.n**2
        smoothed = (self.x + 1) / (self.n + 2)
        return max(clustered, smoothed * (1 - smoothed) / self.n)


# Of a stored row: model, instructions, figure, whether of the newest, and a Summe.
COLUMNS = 4 + len(fields(Summe))


def got_worse(newest: Summe, past: Summe) -> bool:
    """The rule of the alarm (see above)."""
    if newest.drafts < NEWEST or past.drafts < MIN_PAST:
        return False
    growth = newest.x / newest.n - past.x / past.n
    return growth >= max(MIN_GROWTH, MIN_Z * sqrt(newest.variance + past.variance))


@dataclass(frozen=True)
class Alarm:
    """What is said of a figure that got worse: what grew, and what to do."""

    was: str
    tun: str


ALARMS = {
    "ungebunden": Alarm(
        "Zitate, die der Server nicht gefunden hat,",
        "Sehen Sie die offenen Belege dieser Bewertungen an. Ist der Text der Anträge richtig "
        "gelesen, zitiert das Modell schlechter; lassen Sie die Anweisungen oder das Modell "
        "prüfen, bevor Sie neue Läufe starten.",
    ),
    "angeglichen": Alarm(
        "Zitate, die nur angeglichen stimmen,",
        "Sehen Sie die angeglichenen Belege dieser Bewertungen an. Das Modell schreibt um, statt "
        "abzuschreiben; lassen Sie die Anweisungen prüfen.",
    ),
    "verworfen_entschieden": Alarm(
        "Zitate, die die Redaktion verworfen hat,",
        "Lesen Sie im Verlauf dieser Bewertungen, warum. Lassen Sie danach die Anweisungen oder "
        "das Modell prüfen.",
    ),
    "falsche_quelle": Alarm(
        "Zitate mit falscher Quellenangabe",
        "Veröffentlicht wird immer die gefundene Stelle, nie die Angabe des Modells. Prüfen Sie "
        "aber, ob ein Programm fehlt oder falsch zugeordnet ist.",
    ),
    "geaendert": Alarm(
        "Felder, deren Wert die Redaktion geändert hat,",
        "Sehen Sie unter „Unterschiede ansehen“, welche Felder es sind. Häufen sie sich, passen "
        "Anweisungen und Matrix nicht mehr zusammen.",
    ),
}
NOTHING = Summe()


@dataclass(frozen=True)
class Bilanz:
    """The figures of one model and version of the instructions: all time, newest, and before."""

    modell: str
    prompt_version: str
    newest: dict[str, Summe]
    past: dict[str, Summe]

    def total(self, figure: str) -> Summe:
        """Of all time."""
        return self.newest.get(figure, NOTHING) + self.past.get(figure, NOTHING)

    @property
    def bewertungen(self) -> int:
        return self.total("abgegeben").drafts

    @property
    def falsche_quelle(self) -> Summe:
        return self.total("falsche_quelle")

    @property
    def geaendert(self) -> Summe:
        return self.total("geaendert")

    @property
    def je_bewertung(self) -> dict[str, str]:
        """Numbers of quotes per draft."""
        emitted = self.total("abgegeben").x
        counts = {
            "abgegeben": emitted,
            "gebunden": emitted - self.total("ungebunden").x,
            **{name: self.total(name).x for name in ("angeglichen", "offen", "verworfen")},
        }
        return {
            name: f"{count / self.bewertungen:.1f}".replace(".", ",")
            for name, count in counts.items()
        }

    @property
    def alarme(self) -> list[str]:
        """A sentence for each share that got worse: what, from what to what, and what to do."""
        return [
            self._sentence(alarm, self.newest[figure], self.past[figure])
            for figure, alarm in ALARMS.items()
            if got_worse(self.newest.get(figure, NOTHING), self.past.get(figure, NOTHING))
        ]

    def _sentence(self, alarm: Alarm, newest: Summe, past: Summe) -> str:
        return (
            f"{self.modell}, Anweisungen Fassung {self.prompt_version}: Der Anteil der {alarm.was} "
            f"ist von {past.prozent} bei {past.drafts} früheren Bewertungen auf {newest.prozent} "
            f"bei den neuesten {newest.drafts} gestiegen. {alarm.tun}"
        )


@dataclass(frozen=True)
class Bilanzen:
    """The rows, and when they were counted."""

    am: datetime
    zeilen: list[Bilanz]


def recent_bilanzen() -> Bilanzen:
    """As they were last counted, which is an hour ago at most."""
    stand = Bilanzstand.objects.filter(am__gt=timezone.now() - STALE).first()
    if stand is None or any(len(row) != COLUMNS for row in stand.zeilen):  # of another release
        stand = count_bilanzen()
    return Bilanzen(stand.am, _bilanzen(stand.zeilen))


def count_bilanzen() -> Bilanzstand:
    """Counts anew and keeps it."""
    values = {"am": timezone.now(), "zeilen": _sums()}
    return Bilanzstand.objects.update_or_create(pk=1, defaults=values)[0]


def bilanzen() -> list[Bilanz]:
    """One for each model and version of the instructions, the newest version first."""
    return _bilanzen(_sums())


def _sums() -> list[list[Any]]:
    with connection.cursor() as cursor:
        cursor.execute(SUMS, [NEWEST])
        return [list(row) for row in cursor.fetchall()]


def _bilanzen(rows: Iterable[Sequence[Any]]) -> list[Bilanz]:
    sums: dict[tuple[str, str], tuple[dict[str, Summe], dict[str, Summe]]]
    sums = defaultdict(lambda: ({}, {}))
    for modell, prompt_version, figure, is_newest, *values in rows:
        newest, past = sums[modell, prompt_version]
        (newest if is_newest else past)[figure] = Summe(*values)
    found = [Bilanz(*key, *sums[key]) for key in sorted(sums)]
    return sorted(found, key=lambda row: version_key(row.prompt_version), reverse=True)


def percent(share: float) -> str:
    return f"{share * 100:.0f}\u00a0%"
