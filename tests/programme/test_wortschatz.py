"""The words of all passages: numbered once, counted as they are."""

import pytest
from django.core.management import call_command
from django.db import DataError, connection

from programme import wortschatz
from programme.ingesting import reindex
from programme.models import Chunk, Wort, Wortgebrauch, Wortschatzstand
from programme.wortschatz import count_words, weigh_words

from .factories import ChunkFactory, ProgrammFactory

pytestmark = pytest.mark.django_db


def passagen(lexem):
    return Wort.objects.get(lexem=lexem).passagen


def test_a_word_is_numbered_once_however_often_it_is_met():
    """The numbers are dimensions of a vector, of which there is an end."""
    chunk = ChunkFactory(text="Ein Tempolimit hilft.")
    with connection.cursor() as cursor:
        cursor.execute("SELECT last_value FROM programme_wort_id_seq")
        (before,) = cursor.fetchone()
        for _ in range(3):
            weigh_words(chunk.programm)
            count_words()
        cursor.execute("SELECT last_value FROM programme_wort_id_seq")
        assert cursor.fetchone() == (before,)


def test_counts_rise_and_fall_with_the_passages():
    programm = ChunkFactory(text="Ein Tempolimit hilft.").programm
    ChunkFactory(programm=programm, text="Das Tempolimit wirkt, das Tempolimit gilt.")
    assert passagen("tempolimit") == 2
    programm.delete()
    count_words()
    assert passagen("tempolimit") == 0


def uses(programm):
    found = Wortgebrauch.objects.filter(programm=programm)
    return dict(found.values_list("wort__lexem", "passagen"))


def test_each_programme_has_its_words_with_the_number_of_its_passages():
    programm = ChunkFactory(text="Das Tempolimit wirkt, das Tempolimit gilt.").programm
    ChunkFactory(programm=programm, text="Ein Tempolimit.")
    ChunkFactory(text="Tempolimit.")
    assert uses(programm) == {"tempolimit": 2, "wirkt": 1, "gilt": 1}


def test_a_programme_that_is_indexed_again_loses_the_words_that_it_no_longer_says():
    chunk = ChunkFactory(text="Ein Tempolimit hilft.")
    Chunk.objects.filter(pk=chunk.pk).update(text="Eine Bahnstrecke hilft.")
    weigh_words(chunk.programm)
    count_words()
    assert uses(chunk.programm) == {"bahnstreck": 1, "hilft": 1}
    assert passagen("tempolimit") == 0


def test_a_passage_without_any_word_has_an_empty_vector():
    """So that its programme is not taken for one that was never indexed."""
    chunk = ChunkFactory(text="und der die das")
    assert Chunk.objects.get(pk=chunk.pk).woerter.to_text().startswith("{}/")


def test_building_indexes_again_counts_the_words():
    programm = ProgrammFactory(seiten=["Ein Tempolimit hilft allen Leuten im Land."])
    Chunk.objects.update(woerter=None)
    Wort.objects.all().delete()
    call_command("index_programme", verbosity=0)
    assert Wort.objects.filter(passagen__gt=0).exists()
    assert programm.chunks.exists()


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


def test_words_are_counted_by_passages():
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


@pytest.mark.django_db(transaction=True)
def test_a_count_that_is_broken_off_leaves_everything_as_it_was(monkeypatch):
    """A killed process; or the vocabulary would be read before all of its words are counted."""
    chunk = ChunkFactory(text="Ein Tempolimit hilft.")
    Chunk.objects.filter(pk=chunk.pk).update(text="Eine Bahnstrecke hilft.")
    weigh_words(chunk.programm)
    before = Wortschatzstand.objects.get().stand
    monkeypatch.setattr(wortschatz, "FORGET_WORDS", "SELECT 1 / 0")
    with pytest.raises(DataError):
        count_words()
    assert Wortschatzstand.objects.get().stand == before
    assert (passagen("tempolimit"), passagen("bahnstreck")) == (1, 0)
