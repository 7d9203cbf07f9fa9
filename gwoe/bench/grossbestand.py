"""Ten thousand assessments with a hundred thousand quotes, copied from three real ones.

The three are made by the pipeline from the shipped samples. A copy has rows of its own everywhere,
its motion's document and its reading included; the programmes are shared, and their sentences are
quoted in turn. Made for a database that holds nothing else.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.core.files.base import ContentFile
from django.core.management import call_command
from django.db import connection, transaction
from django.test.utils import override_settings

from assessments.models import Lauf
from assessments.tasks import run_lauf
from citations.binding import make_zitat
from citations.comparison import Grad
from citations.lesetext import lesetext
from citations.models import Dokument, Extraktion, Pruefung, Zitat
from gwoe.demo import loading
from gwoe.demo.replay import ReplayServer

from .bestand import quotable

LAND = "ML"
# Copy n of row k has the key k + n * STRIDE: the keys of the originals are smaller than that.
STRIDE = 10_000
# Whose copies have files, so that their pages can be drawn: the queue, and so many public ones.
MIT_DATEI = 60
PEOPLE = {"redaktion": "Redaktion", "freigabe": "Freigabe", "leitung": "Leitung"}
# Foreign keys that lead to a row of the same copy.
OWN = {
    *("id", "dokument_id", "extraktion_id", "antrag_id", "fassung_id", "urheber_id", "lauf_id"),
    *("assessment_id", "feldbewertung_id", "vergleich_id", "verbesserung_id", "zitat_id"),
    *("vorschlag_id", "beleg_id"),
}


@dataclass(frozen=True)
class Umfang:
    """The first copies wait in the queue and keep all evidence of their original; the others have
    so many quotes that there are `zitate` in all.
    """

    bewertungen: int = 10_000
    zitate: int = 100_000
    schlange: int = 300

    @property
    def je_bewertung(self) -> float:
        # An original has 27 pieces of evidence on the average.
        return (self.zitate - 27 * self.schlange) / max(self.bewertungen - self.schlange, 1)


def fill(umfang: Umfang) -> None:
    """People of all groups, the samples, and the copies."""
    for command in ("load_parlamente", "setup_groups"):
        call_command(command, verbosity=0, stdout=StringIO())
    for username, group in PEOPLE.items():
        person = get_user_model().objects.create(username=username, is_staff=True)
        person.groups.add(Group.objects.get(name=group))
    _assess_samples()
    _quote_programmes()
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")  # past the triggers
        cursor.execute(KOPIEN, [umfang.schlange, umfang.schlange, umfang.bewertungen])
        cursor.execute(STELLEN)
        cursor.execute(RANG)
        cursor.execute(INDEX)
        for table, (rows, values) in _tables(umfang).items():
            cursor.execute(_copy(cursor, table, rows, values))
        for statement in AFTERWARDS:
            cursor.execute(statement)
        cursor.execute("SET LOCAL session_replication_role = origin")
    _store_files(umfang)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")


def _assess_samples() -> None:
    loading.load_parlamente()
    list(loading.load_programme())
    antraege = [antrag for antrag in loading.load_antraege() if antrag.parlament.code == LAND]
    with (
        ReplayServer(loading.SAMPLES / "antworten") as server,
        override_settings(LLM_BASE_URL=server.base_url, LLM_API_KEY="x", LLM_MODEL="muster-1"),
        override_settings(EIGENURTEIL_ANTEIL=0.0),  # else some show nothing but two questions
    ):
        for antrag in antraege:
            run_lauf(Lauf.open(antrag.fassung).pk)


def _quote_programmes() -> None:
    """Every sentence of every programme as a proved quote."""
    for lesung in Extraktion.objects.filter(dokument__programm__isnull=False):
        text = lesetext(lesung)
        rows = [make_zitat(lesung, (span,), Grad.WOERTLICH) for span in quotable(text)]
        zitate = Zitat.objects.bulk_create(rows, ignore_conflicts=True)
        stored = Zitat.objects.filter(extraktion=lesung, pruefungen=None)
        assert zitate  # noqa: S101  every programme of the samples has sentences
        Pruefung.objects.bulk_create(
            Pruefung(zitat=zitat, ergebnis=Pruefung.Ergebnis.BEWIESEN) for zitat in stored
        )


# --- The copies ---------------------------------------------------------------------------------

# Copy `nr`, the keys of its original, and what has become of it.
KOPIEN = """
CREATE TEMP TABLE kopie ON COMMIT DROP AS
SELECT g.nr, a.id AS assessment_id, a.antrag_id, a.fassung_id, a.lauf_id, f.dokument_id,
    e.id AS extraktion_id, g.nr <= %s AS wartet,
    CASE WHEN g.nr <= %s THEN CASE WHEN g.nr %% 5 = 0 THEN 'approved' ELSE 'in_review' END
         WHEN g.nr %% 50 = 1 THEN 'draft' WHEN g.nr %% 50 = 2 THEN 'rejected'
         WHEN g.nr %% 50 = 3 THEN 'withdrawn' ELSE 'published' END AS stand
FROM generate_series(1, %s) AS g(nr)
JOIN (SELECT *, row_number() OVER (ORDER BY id) - 1 AS n FROM assessments_assessment) a
    ON a.n = g.nr %% (SELECT count(*) FROM assessments_assessment)
JOIN parlamente_fassung f ON f.id = a.fassung_id
JOIN citations_extraktion e ON e.dokument_id = f.dokument_id
"""
# The sentences of each programme, numbered.
STELLEN = """
CREATE TEMP TABLE stelle ON COMMIT DROP AS
SELECT z.id, z.extraktion_id, row_number() OVER (PARTITION BY z.extraktion_id ORDER BY z.id) - 1
    AS n, count(*) OVER (PARTITION BY z.extraktion_id) AS alle
FROM citations_zitat z JOIN citations_extraktion e ON e.id = z.extraktion_id
JOIN programme_programm p ON p.dokument_id = e.dokument_id
"""
# Evidence of the originals: accepted pieces numbered, first what a comparison's value rests on.
RANG = """
CREATE TEMP TABLE rang ON COMMIT DROP AS
WITH b AS (SELECT *, zustand = 'angenommen' AND seite = 'programm' AND id = min(id) OVER (
    PARTITION BY vergleich_id, seite, zustand) AS traegt FROM assessments_beleg)
SELECT b.id, z.grade, b.traegt, CASE WHEN b.zustand = 'angenommen' THEN row_number() OVER (
    PARTITION BY b.assessment_id, b.zustand ORDER BY b.traegt DESC, b.seite DESC, b.id) END AS n
FROM b LEFT JOIN citations_zitat z ON z.id = b.zitat_id
"""
INDEX = """
CREATE INDEX ON stelle (extraktion_id, n); CREATE INDEX ON stelle (id);
ANALYZE stelle; ANALYZE kopie; ANALYZE rang
"""
# What leads from a row to the copy that it belongs to.
THROUGH = {
    "parlamente_urheber_parteien": "JOIN parlamente_urheber u ON u.id = t.urheber_id",
    "citations_pruefung": "JOIN citations_zitat z ON z.id = t.zitat_id",
    "assessments_beleg": "JOIN rang r ON r.id = t.id",
}
# Open in a third of the queue; decided by editors in the others, and nowhere else there.
BLEIBT_OFFEN = "(t.zustand = 'offen' AND k.stand = 'in_review' AND k.nr % 3 = 0)"
ANGENOMMEN = (
    "(t.zustand = 'angenommen' AND NOT (k.wartet AND k.nr % 2 = 0 AND NOT r.traegt "
    "AND r.grade = 'angeglichen'))"
)
# No source, no score: what nobody accepted in the original is not accepted in a copy either.
OHNE_BELEG = (
    "(t.ergebnis_modell = 'bewertet' AND NOT EXISTS (SELECT FROM assessments_beleg b "
    "WHERE b.vergleich_id = t.id AND b.seite = 'programm' AND b.zustand = 'angenommen'))"
)


def _place(column: str) -> str:
    """The copy of a place in the motion; for one in a programme, the next of its sentences."""
    return f"""coalesce(
        (SELECT s.id FROM stelle s JOIN stelle own ON own.extraktion_id = s.extraktion_id
         WHERE own.id = t.{column} AND s.n = (k.nr * 7 + t.id) % s.alle),
        t.{column} + k.nr * {STRIDE}::bigint)"""  # noqa: S608  names of our own columns


def _tables(umfang: Umfang) -> dict[str, tuple[str, Mapping[str, str]]]:
    """Which rows of the original are copied, and what in the copy is not as there."""
    whole, rest = divmod(umfang.je_bewertung, 1)
    part = "t.assessment_id = k.assessment_id"
    of_queue = "k.wartet AND k.nr"
    approved = "k.stand IN ('approved', 'published', 'withdrawn')"
    published = "k.stand IN ('published', 'withdrawn')"
    day = f"now() - k.nr * interval '{4 if umfang.bewertungen > 1000 else 24} hours'"
    return {
        "citations_dokument": (
            "t.id = k.dokument_id",
            {"sha256": "encode(sha256(k.nr::text::bytea), 'hex')", "name": "k.nr || '-' || t.name"},
        ),
        "citations_extraktion": (
            "t.id = k.extraktion_id",
            {
                "befunde": f"CASE WHEN {of_queue} % 10 = 1 THEN jsonb_build_array("
                "jsonb_build_object('art', 'versteckter_text', 'seite', 1, 'text', 'Wertvoll')) "
                "ELSE t.befunde END"
            },
        ),
        "citations_seite": (
            "t.extraktion_id = k.extraktion_id",
            {"pruefbar": f"t.pruefbar AND NOT (t.index = 1 AND {of_queue} % 12 = 1)"},
        ),
        "parlamente_antrag": (
            "t.id = k.antrag_id",
            {"nummer": "(10000 + k.nr)::text", "titel": "t.titel || ' ' || k.nr"},
        ),
        "parlamente_fassung": ("t.id = k.fassung_id", {}),
        "parlamente_urheber": ("t.antrag_id = k.antrag_id", {}),
        "parlamente_urheber_parteien": (
            "u.antrag_id = k.antrag_id",
            {},
        ),
        "assessments_lauf": ("t.id = k.lauf_id", {"angelegt_am": day}),
        "assessments_assessment": (
            "t.id = k.assessment_id",
            {
                "status": "k.stand",
                "erstellt_am": day,
                "version": f"CASE WHEN {published} THEN 1 END",
                "approved_by_id": f"CASE WHEN {approved} THEN {_person('freigabe')} END",
                "approved_at": f"CASE WHEN {approved} THEN {day} END",
                "published_by_id": f"CASE WHEN {published} THEN {_person('leitung')} END",
                "published_at": f"CASE WHEN {published} THEN {day} END",
            },
        ),
        "assessments_feldbewertung": (
            part,
            {"wert_redaktion": f"CASE WHEN {of_queue} % 4 > 0 AND t.wert_modell IN ('m', 'mm') "
             "THEN 'o' ELSE t.wert_redaktion END"},
        ),
        "assessments_vergleich": (
            part,
            {
                "ergebnis_modell": f"CASE WHEN {OHNE_BELEG} THEN 'ohne_beleg' "
                "ELSE t.ergebnis_modell END",
                "score_modell": f"CASE WHEN {OHNE_BELEG} THEN NULL ELSE t.score_modell END",
            },
        ),
        "assessments_verbesserung": (part, {}),
        "citations_zitat": ("t.extraktion_id = k.extraktion_id", {}),
        "citations_pruefung": (
            "z.extraktion_id = k.extraktion_id",
            {},
        ),
        "assessments_beleg": (
            f"{part} AND (k.wartet OR r.n <= {int(whole)} + (k.nr % 100 < {100 * rest})::int)",
            {
                "zustand": f"CASE WHEN {BLEIBT_OFFEN} THEN 'offen' "
                f"WHEN {ANGENOMMEN} THEN 'angenommen' ELSE 'verworfen' END",
                "zitat_id": f"CASE WHEN {ANGENOMMEN} THEN {_place('zitat_id')} END",
                "vorschlag_id": f"CASE WHEN t.vorschlag_id IS NOT NULL "
                f"THEN {_place('vorschlag_id')} END",
            },
        ),
        "assessments_reviewevent": (part, {"am": day}),
    }  # fmt: skip


def _person(username: str) -> str:
    return f"(SELECT id FROM auth_user WHERE username = '{username}')"  # noqa: S608  of our own


def _copy(cursor: Any, table: str, rows: str, values: Mapping[str, str]) -> str:
    columns = [info.name for info in connection.introspection.get_table_description(cursor, table)]
    sources = [values.get(name) or _source(name) for name in columns]
    through = THROUGH.get(table, "")
    return (
        f"INSERT INTO {table} ({', '.join(columns)}) "  # noqa: S608  names of our own tables
        f"SELECT {', '.join(sources)} FROM {table} t {through} JOIN kopie k ON {rows}"
    )


def _source(column: str) -> str:
    return f"t.{column} + k.nr * {STRIDE}::bigint" if column in OWN else f"t.{column}"


# New rows are numbered behind the copies; and what the verbs would have left behind.
AFTERWARDS = (
    *(
        f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table}"  # noqa: S608
        for table in _tables(Umfang())
    ),
    *(
        f"""INSERT INTO assessments_reviewevent (assessment_id, verb, von, nach, by_id, note, am)
        SELECT a.id, '{verb}', '{von}', '{nach}', a.{column}_by_id, '', a.{column}_at
        FROM assessments_assessment a WHERE a.{column}_by_id IS NOT NULL"""  # noqa: S608
        for verb, von, nach, column in (
            ("approve", "in_review", "approved", "approved"),
            ("publish", "approved", "published", "published"),
        )
    ),
    *(
        f"""INSERT INTO assessments_reviewevent (assessment_id, verb, von, nach, note, am)
        SELECT a.id, '{verb}', '{von}', '{nach}', 'Ein Grund.', now()
        FROM assessments_assessment a WHERE a.status = '{nach}'"""  # noqa: S608
        for verb, von, nach in (
            ("return", "in_review", "draft"),
            ("reject", "in_review", "rejected"),
            ("withdraw", "published", "withdrawn"),
        )
    ),
    f"""INSERT INTO assessments_reviewevent (assessment_id, beleg_id, verb, von, nach, by_id, note,
        am) SELECT b.assessment_id, b.id, 'drop', 'offen', 'verworfen', {_person("redaktion")}, '',
        now() FROM assessments_beleg b WHERE b.zustand = 'verworfen'""",  # noqa: S608
)


def _store_files(umfang: Umfang) -> None:
    """The original's bytes and a comment behind them: the same pages, another checksum."""
    originals = {row.pk: row for row in Dokument.objects.filter(pk__lt=STRIDE)}
    last = (umfang.schlange + MIT_DATEI + 1) * STRIDE
    for dokument in Dokument.objects.filter(pk__gt=STRIDE, pk__lt=last).iterator():
        original = originals[dokument.pk % STRIDE]
        data = Path(original.file.path).read_bytes() + f"\n% {dokument.pk}\n".encode()
        dokument.sha256, dokument.bytes = hashlib.sha256(data).hexdigest(), len(data)
        dokument.file.save(original.name, ContentFile(data))
