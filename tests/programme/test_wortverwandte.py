"""What is like a question's words: sequences as pg_trgm counts them, of the words last counted."""

from math import log

import pytest
from django.db import connection
from hypothesis import given, settings
from hypothesis import strategies as st

from programme.models import Wort, Wortgebrauch
from programme.wortschatz import count_words
from programme.wortverwandte import (
    MOST,
    RARE,
    Wortschatz,
    _read,
    folgen,
    gewogene_folgen,
    rarity,
    stems,
    wortschatz,
)

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
    assert {folge for folge in gewogene_folgen(word) if len(folge) == 3} <= set(shown)


@settings(max_examples=100)
@given(stem=WORDS, words=st.lists(WORDS.filter(str.strip), min_size=1, unique=True))
def test_like_nouns_are_what_the_database_would_find(stem, words):
    known = dict(enumerate(words, start=7))
    vocabulary = Wortschatz(((key, word, 1) for key, word in known.items()), 9)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT nr, similarity(word, stem)::float8, word LIKE '%%' || stem || '%%' "
            "FROM unnest(%s::int[], %s::text[]) AS w(nr, word), (SELECT %s AS stem) AS s",
            [list(known), words, stem],
        )
        rows = cursor.fetchall()
    alike = {list(known)[place] for place in vocabulary._same_noun(stem)}
    for key, share, inside in rows:
        if abs(share - 0.5) > 1e-5:
            assert (key in alike) == (share >= 0.5 or (inside and len(stem) > 4))


def test_letters_beyond_ascii_are_letters():
    assert folgen("café") == {"  c", " ca", "caf", "afé", "fé "}
    assert gewogene_folgen("café") == {" ca", "caf", "afé", "fé ", " caf", "café", "afé "}


def weights(vocabulary, *stems):
    return dict(vocabulary.like(stems))


@settings(max_examples=100)
@given(
    asked=st.lists(WORDS, max_size=4, unique=True),
    words=st.lists(WORDS.filter(str.strip), min_size=1, unique=True),
    passages=st.integers(1, 50),
)
def test_a_word_counts_by_the_rarity_of_what_it_shares(asked, words, passages):
    """The dot product of both as vectors of sequences, through the length of the question's."""
    known = {key: (word, 1 + key % 5) for key, word in enumerate(words, start=7)}
    vocabulary = Wortschatz(((key, *word) for key, word in known.items()), passages)
    counts = {}
    for word, count in known.values():
        for folge in gewogene_folgen(word):
            counts[folge] = counts.get(folge, 0) + count
    rarity = {folge: log((passages + 1) / (min(n, passages) + 0.5)) for folge, n in counts.items()}
    times = {folge: sum(folge in gewogene_folgen(stem) for stem in asked) for folge in counts}
    length = sum((times[folge] * rarity[folge]) ** 2 for folge in counts) ** 0.5
    found = weights(vocabulary, *asked)
    for key, (word, _) in known.items():
        product = sum(times[folge] * rarity[folge] ** 2 for folge in gewogene_folgen(word))
        expected = product / length if length else 0
        assert found.get(key, 0) == pytest.approx(expected)


def test_the_stem_itself_counts_most_then_its_compounds():
    words = ("tempolimit", "tempolimits", "limit", "bahnstreck")
    vocabulary = Wortschatz(((key, word, 3) for key, word in enumerate(words)), 1000)
    found = weights(vocabulary, "tempolimit")
    assert sorted(found, key=found.get, reverse=True) == [0, 1, 2]


def test_of_a_large_vocabulary_only_the_most_like_words_count():
    words = [(nr, f"wohnung{nr}", 1) for nr in range(MOST + 50)]
    found = weights(Wortschatz(words, 10_000), "wohnung", "wohnung7")
    assert len(found) == MOST
    assert max(found, key=found.get) == 7


@settings(max_examples=100)
@given(
    counts=st.dictionaries(WORDS, st.integers(1, 20), min_size=1),
    passages=st.integers(222, 5000),
)
def test_of_the_rare_stems_each_has_its_share(counts, passages):
    keys = dict(zip(counts, range(7, 7 + len(counts)), strict=True))
    vocabulary = Wortschatz(((keys[stem], stem, n) for stem, n in counts.items()), passages)
    shares = dict(vocabulary.rare([*counts, "niegesagt"]))
    rarities = {keys[stem]: rarity(n, passages) for stem, n in counts.items()}
    assert set(shares) == {key for key, one in rarities.items() if one > RARE}
    total = sum(rarities[key] ** 2 for key in shares)
    assert shares == pytest.approx({key: rarities[key] ** 2 / total for key in shares})


def test_a_stem_in_every_hundred_and_fiftieth_passage_is_the_first_that_is_not_rare():
    vocabulary = Wortschatz([(7, "neckar", 6), (8, "ulm", 7), (9, "bahn", 400)], 1000)
    assert vocabulary.rare(["neckar", "ulm", "bahn"]) == [(7, 1.0)]
    in_few = Wortschatz([(7, "neckar", 1)], 200)
    assert in_few.rare(["neckar"]) == []


def test_compounds_say_the_noun():
    words = ("bahnstreck", "regionalbahn", "bahn", "strasse")
    vocabulary = Wortschatz(((key, word, 1) for key, word in enumerate(words, start=1)), 9)
    assert vocabulary._same_noun("regio") == [1]
    assert vocabulary._same_noun("bahn") == [2]  # so short a stem stands in too many words


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
    assert new in weights(wortschatz(), "bahnstreck")


def test_what_no_passage_says_any_more_weighs_nothing():
    ChunkFactory(text="Ein Tempolimit hilft.")
    count_words()
    before = weights(wortschatz(), "tempolimit", "limousin")
    Wort.objects.create(lexem="limousin", passagen=0)
    count_words()
    assert weights(wortschatz(), "tempolimit", "limousin") == pytest.approx(before)


def test_the_order_of_the_stems_changes_nothing():
    words = [(nr, f"wohnung{nr}", 1 + nr % 7) for nr in range(MOST + 500)]
    vocabulary = Wortschatz(words, 10_000)
    asked = ["wohnung", "wohnbau", "mietrecht7", "nung"]
    assert vocabulary.like(asked) == vocabulary.like(asked[::-1])


def test_of_the_words_only_those_of_the_programmes_that_are_searched_are_given():
    one, other = (ChunkFactory(text=f"Eine {word} hilft.") for word in ("Mietpreisbremse", "Miete"))
    count_words()
    vocabulary = wortschatz()
    everywhere = weights(vocabulary, "mietpreis")
    both = [(one.programm_id, one.pk), (other.programm_id, other.pk)]
    of_both = dict(vocabulary.like(["mietpreis"], both))
    of_one = dict(vocabulary.like(["mietpreis"], both[:1]))
    assert everywhere.items() >= of_both.items() > of_one.items() > set()
    words = Wort.objects.filter(pk__in=of_one).values_list("lexem", flat=True)
    assert "mietpreisbrems" in words
    assert "miet" not in words


def test_a_programme_says_a_noun_in_any_word_with_it():
    bridge, rent = (ChunkFactory(text=f"Eine {word}.") for word in ("Brücke", "Mietpreisbremse"))
    count_words()
    programme = [(bridge.programm_id, bridge.pk), (rent.programm_id, rent.pk)]
    assert wortschatz().who_says("mietpreis", programme) == [rent.programm_id]
    assert wortschatz().who_says("limousin", programme) == []


def test_a_word_that_came_after_the_count_is_not_said_yet():
    programm = ChunkFactory(text="Eine Brücke.").programm
    vocabulary = wortschatz()
    later = Wort.objects.create(lexem="tempolimit")
    Wortgebrauch.objects.create(wort=later, programm=programm, passagen=1)
    assert vocabulary.who_says("tempolimit", [(programm.pk, 1)]) == []
    assert vocabulary.who_says("bruck", [(programm.pk, 1)]) == [programm.pk]


def test_every_process_weighs_as_of_the_count():
    """What went since is still counted, whoever reads the vocabulary for the first time now."""
    ChunkFactory(text="Ein Tempolimit hilft.")
    others = [ChunkFactory(text="Eine Bahnstrecke hilft.") for _ in range(5)]
    count_words()
    before = weights(wortschatz(), "tempolimit")
    for other in others:
        other.delete()
    _read.cache_clear()
    assert weights(wortschatz(), "tempolimit") == before
    count_words()
    assert weights(wortschatz(), "tempolimit") != before


def test_without_a_count_there_are_no_words():
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM programme_wortschatzstand")
    Wort.objects.create(lexem="tempolimit")
    assert wortschatz().like(["tempolimit"]) == []
    assert wortschatz().rare(["tempolimit"]) == []
