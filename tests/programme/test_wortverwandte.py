"""The relatives of a stem: as pg_trgm counts sequences, and always of the words as last counted."""

import pytest
from django.db import connection
from hypothesis import given, settings
from hypothesis import strategies as st

from programme.models import Wort
from programme.wortschatz import count_words
from programme.wortverwandte import KINSHIP_POWER, Wortschatz, folgen, stems, wortschatz

from .factories import ChunkFactory

pytestmark = pytest.mark.django_db
# Stems have no umlauts. Whether é is a letter depends on a database's locale; here it is one.
WORDS = st.text("abcdefgnorstu0-9 .", max_size=14)


@settings(max_examples=200)
@given(word=WORDS)
def test_sequences_are_those_of_the_database(word):
    with connection.cursor() as cursor:
        cursor.execute("SELECT show_trgm(%s)", [word])
        (shown,) = cursor.fetchone()
    assert folgen(word) == set(shown)


@settings(max_examples=100)
@given(stem=WORDS, words=st.lists(WORDS.filter(str.strip), min_size=1, unique=True))
def test_kin_and_like_nouns_are_what_the_database_would_find(stem, words):
    known = dict(enumerate(words, start=7))
    vocabulary = Wortschatz((key, word, 1) for key, word in known.items())
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT nr, similarity(word, stem)::float8, cardinality(show_trgm(word)), "
            "cardinality(show_trgm(stem)), word LIKE '%%' || stem || '%%' "
            "FROM unnest(%s::int[], %s::text[]) AS w(nr, word), (SELECT %s AS stem) AS s",
            [list(known), words, stem],
        )
        rows = cursor.fetchall()
    kin = weights(vocabulary, stem)
    alike = vocabulary.same_noun(stem)
    for key, share, size, own, inside in rows:
        shared = share * (size + own) / (1 + share)
        near = shared / (size * own) ** 0.5 / 2 + shared / own / 2 if shared else 0
        if min(abs(near - 0.4), abs(share - 0.25)) > 1e-5:
            assert (key in kin) == (near >= 0.4 and share >= 0.25)
        if key in kin:
            assert kin[key] == pytest.approx(near**KINSHIP_POWER, abs=1e-5)
        if abs(share - 0.5) > 1e-5:
            assert (key in alike) == (share >= 0.5 or (inside and len(stem) > 4))


def test_letters_beyond_ascii_are_letters():
    assert folgen("café") == {"  c", " ca", "caf", "afé", "fé "}


def weights(vocabulary, stem):
    return {one.id: one.naehe for one in vocabulary.relatives(stem)}


def test_a_stem_is_its_own_next_of_kin():
    vocabulary = Wortschatz([(3, "tempolimit", 8), (4, "tempolimits", 2)])
    itself, other = vocabulary.relatives("tempolimit")
    assert itself == (3, 1.0, 8, True)
    assert (other.id, other.passagen, other.ist_gleich) == (4, 2, False)
    assert (vocabulary.passagen("tempolimit"), vocabulary.passagen("unbekannt")) == (8, 0)


def test_compounds_say_the_noun():
    words = ("bahnstreck", "regionalbahn", "bahn", "strasse")
    vocabulary = Wortschatz((key, word, 1) for key, word in enumerate(words, start=1))
    assert vocabulary.same_noun("regio") == {2}
    assert vocabulary.same_noun("bahn") == {3}  # so short a stem stands in too many words


def test_stems_have_the_number_of_their_text_and_stand_once_in_each():
    assert stems(["Häuser, Häuser", "", "Das Haus"]) == [(0, "haus"), (2, "haus")]


def test_a_counted_word_is_found_and_words_are_read_once(django_assert_num_queries):
    ChunkFactory(text="Ein Tempolimit hilft.")
    count_words()
    (key,) = Wort.objects.filter(lexem="tempolimit").values_list("pk", flat=True)
    assert key in weights(wortschatz(), "tempolimit")
    with django_assert_num_queries(1):
        wortschatz()
    ChunkFactory(text="Eine Bahnstrecke hilft.")
    count_words()
    (new,) = Wort.objects.filter(lexem="bahnstreck").values_list("pk", flat=True)
    assert weights(wortschatz(), "bahnstreck") == {new: 1.0}


def test_without_a_count_there_are_no_words():
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM programme_wortschatzstand")
    Wort.objects.create(lexem="tempolimit")
    assert wortschatz().relatives("tempolimit") == []
