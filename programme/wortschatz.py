"""The words of all passages: what the text leg of the search counts."""

from django.db import connection, transaction

from .models import WORTSCHATZ, Programm

# A word that stands twice counts less than double, and a long passage less per word. The damping
# keeps very short passages from winning by their shortness.
DAMPING = 20

# A row that ON CONFLICT turns away has taken a key, and keys are the dimensions of the vectors: so
# only words that are not there yet are inserted.
NEW_WORDS = """
INSERT INTO programme_wort (lexem, passagen)
SELECT lexeme, 0 FROM (
    SELECT DISTINCT lexeme FROM programme_chunk passage, unnest(passage.suche) AS l
    WHERE passage.programm_id = %(programm)s
) AS wort
WHERE NOT EXISTS (SELECT FROM programme_wort bekannt WHERE bekannt.lexem = wort.lexeme)
ORDER BY lexeme
ON CONFLICT (lexem) DO NOTHING
"""

# Weighed once, whatever the planner believes of a table that is being filled: with a programme's
# rows taken for one it weighed all of them for each, seconds instead of a tenth of one.
WEIGH_WORDS = """
WITH gewogen AS MATERIALIZED (
    SELECT id, (
        '{' || string_agg(wort_id || ':' || (1 + ln(anzahl)) / sqrt(laenge + %(damping)s), ','
            ORDER BY wort_id) || '}/' || %(dimensions)s
    )::sparsevec AS woerter
    FROM (
        SELECT passage.id, wort.id AS wort_id, cardinality(l.positions) AS anzahl,
            sum(cardinality(l.positions)) OVER (PARTITION BY passage.id) AS laenge
        FROM programme_chunk passage, unnest(passage.suche) AS l(lexeme, positions, weights)
            JOIN programme_wort wort ON wort.lexem = l.lexeme
        WHERE passage.programm_id = %(programm)s
    ) AS einzeln
    GROUP BY id
)
UPDATE programme_chunk passage
SET woerter = coalesce(gewogen.woerter, ('{}/' || %(dimensions)s)::sparsevec)
FROM programme_chunk eigene LEFT JOIN gewogen USING (id)
WHERE eigene.id = passage.id AND eigene.programm_id = %(programm)s
"""

FORGET_USES = "DELETE FROM programme_wortgebrauch WHERE programm_id = %(programm)s"

NOTE_USES = """
INSERT INTO programme_wortgebrauch (wort_id, programm_id, passagen)
SELECT wort.id, %(programm)s, count(*)
FROM programme_chunk passage, unnest(passage.suche) AS l
    JOIN programme_wort wort ON wort.lexem = l.lexeme
WHERE passage.programm_id = %(programm)s
GROUP BY wort.id
"""

# Two statements that need no more than a key's look-up per word, whatever the planner knows of a
# table that has just been filled: joined with itself it took minutes.
COUNT_WORDS = """
UPDATE programme_wort wort SET passagen = gezaehlt.passagen
FROM (
    SELECT wort_id, sum(passagen) AS passagen FROM programme_wortgebrauch GROUP BY wort_id
) AS gezaehlt
WHERE gezaehlt.wort_id = wort.id AND gezaehlt.passagen <> wort.passagen
"""

FORGET_WORDS = """
UPDATE programme_wort wort SET passagen = 0
WHERE passagen > 0 AND NOT EXISTS (
    SELECT FROM programme_wortgebrauch gebrauch WHERE gebrauch.wort_id = wort.id
)
"""

NOTE_COUNT = """
INSERT INTO programme_wortschatzstand (id, stand, passagen)
SELECT 1, gen_random_uuid(), count(*) FROM programme_chunk
ON CONFLICT (id) DO UPDATE SET stand = excluded.stand, passagen = excluded.passagen
"""


def weigh_words(programm: Programm) -> None:
    """Gives each of the programme's passages the weights of its words, and notes which it uses."""
    parameters = {"programm": programm.pk, "damping": DAMPING, "dimensions": WORTSCHATZ}
    with transaction.atomic(), connection.cursor() as cursor:
        for statement in (NEW_WORDS, WEIGH_WORDS, FORGET_USES, NOTE_USES):
            cursor.execute(statement, parameters)


def count_words() -> None:
    """Counts anew in how many passages each word stands: how rare it is, none where it has gone.

    Called once behind the last of many programmes. Whole or not at all, and one at a time: the row
    of the count is written first, so a second call waits for it.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        for statement in (NOTE_COUNT, COUNT_WORDS, FORGET_WORDS):
            cursor.execute(statement)
