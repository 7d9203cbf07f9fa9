"""The words of all passages: what the text leg of the search counts."""

from django.db import connection

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

WEIGH_WORDS = """
UPDATE programme_chunk passage
SET woerter = coalesce(gewogen.woerter, ('{}/' || %(dimensions)s)::sparsevec)
FROM programme_chunk eigene LEFT JOIN (
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
) AS gewogen USING (id)
WHERE eigene.id = passage.id AND eigene.programm_id = %(programm)s
"""

COUNT_WORDS = """
UPDATE programme_wort wort SET passagen = gezaehlt.passagen
FROM (
    SELECT id, coalesce(ndoc, 0) AS passagen FROM programme_wort
        LEFT JOIN ts_stat('SELECT suche FROM programme_chunk') ON word = lexem
) AS gezaehlt
WHERE gezaehlt.id = wort.id AND gezaehlt.passagen <> wort.passagen
"""


def weigh_words(programm: Programm) -> None:
    """Gives each of the programme's passages the weights of its words."""
    parameters = {"programm": programm.pk, "damping": DAMPING, "dimensions": WORTSCHATZ}
    with connection.cursor() as cursor:
        cursor.execute(NEW_WORDS, parameters)
        cursor.execute(WEIGH_WORDS, parameters)


def count_words() -> None:
    """Counts anew in how many passages each word stands: how rare it is, none where it has gone.

    A second for a hundred thousand passages; called once behind the last of many programmes.
    """
    with connection.cursor() as cursor:
        cursor.execute(COUNT_WORDS)
