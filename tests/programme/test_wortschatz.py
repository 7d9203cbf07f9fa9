"""The vocabulary: words are counted anew, and keys, which are dimensions, are not used up."""

import pytest
from django.db import connection

from programme.ingesting import reindex
from programme.models import Wort
from programme.wortschatz import count_words

from .factories import ChunkFactory, ProgrammFactory

pytestmark = pytest.mark.django_db

WOHNEN = "Wir bauen mehr bezahlbare Wohnungen und begrenzen den Anstieg der Mieten im Land."
BAHN = "Die Bahnstrecken im Land werden elektrifiziert und ausgebaut."


def next_key():
    with connection.cursor() as cursor:
        cursor.execute("SELECT nextval(pg_get_serial_sequence('programme_wort', 'id'))")
        return cursor.fetchone()[0]


def test_indexing_and_counting_again_use_up_no_keys():
    programm = ProgrammFactory(seiten=[WOHNEN])
    count_words()
    before = next_key()
    for _ in range(3):
        reindex(programm)
        count_words()
    assert next_key() == before + 1


def test_a_new_programme_uses_one_key_for_each_new_word():
    ProgrammFactory(seiten=[WOHNEN])
    known, before = Wort.objects.count(), next_key()
    ProgrammFactory(seiten=[f"{WOHNEN} {BAHN}"])
    assert next_key() == before + 1 + Wort.objects.count() - known


def test_words_are_counted_by_passages_also_those_that_nobody_has_weighed():
    ProgrammFactory(seiten=[WOHNEN])
    ProgrammFactory(seiten=[f"{BAHN} Noch ein Land."])
    ChunkFactory(text="Wohnungen im Hinterland.")
    count_words()
    counts = dict(Wort.objects.values_list("lexem", "passagen"))
    assert {w: counts[w] for w in ("land", "wohnung", "bahnstreck", "hinterland")} == {
        "land": 2,
        "wohnung": 2,
        "bahnstreck": 1,
        "hinterland": 1,
    }
    ChunkFactory(text="Wohnungen.")
    count_words()
    assert Wort.objects.get(lexem="wohnung").passagen == 3
