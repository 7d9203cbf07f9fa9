import itertools

from hypothesis import given
from hypothesis import strategies as st

from programme.chunking import (
    MAX_CHARACTERS,
    OVERLAP_CHARACTERS,
    chunk,
    split_long,
)

word = st.text("abcdefgäöüß,;", min_size=1, max_size=14)
sentence = st.lists(word, min_size=1, max_size=40).map(lambda words: " ".join(words) + ".")
# Some sentences are longer than a passage, a few without any place to cut.
long_sentence = st.lists(word, min_size=120, max_size=300).map(" ".join) | st.just("x" * 2000)


@st.composite
def flow_texts(draw):
    """A text and the spans of its sentences, with blanks and line ends between them."""
    text, spans = "", []
    for satz in draw(st.lists(sentence | sentence | sentence | long_sentence, max_size=40)):
        text += draw(st.sampled_from(["", " ", "\n", "\n\n"]))
        spans.append((len(text), len(text) + len(satz)))
        text += satz
    return text, spans


@given(flow_texts())
def test_every_sentence_lies_whole_in_a_passage(flow):
    text, spans = flow
    saetze = {satz for passage in chunk(text, spans) for satz in passage.saetze}
    for start, ende in spans:
        if ende - start <= MAX_CHARACTERS:
            assert (start, ende) in saetze


@given(flow_texts())
def test_no_word_of_a_long_sentence_is_lost(flow):
    text, spans = flow
    covered = {
        offset for passage in chunk(text, spans) for offset in range(passage.start, passage.ende)
    }
    for start, ende in spans:
        assert all(offset in covered or text[offset].isspace() for offset in range(start, ende))


@given(flow_texts())
def test_passages_are_ordered_short_and_made_of_their_sentences(flow):
    passages = chunk(*flow)
    for passage in passages:
        assert 0 < passage.ende - passage.start <= MAX_CHARACTERS
        assert (passage.start, passage.ende) == (passage.saetze[0][0], passage.saetze[-1][1])
    for before, after in itertools.pairwise(passages):
        assert before.start < after.start
        assert before.ende < after.ende


@given(flow_texts())
def test_overlap_is_whole_sentences_and_never_more_than_twice_the_wanted(flow):
    passages = chunk(*flow)
    for before, after in itertools.pairwise(passages):
        shared = [satz for satz in after.saetze if satz in before.saetze]
        assert shared == list(after.saetze[: len(shared)])
        assert max(before.ende - after.start, 0) <= 2 * OVERLAP_CHARACTERS
        assert (after.start < before.ende) == bool(shared)


def test_neighbours_share_the_sentence_at_their_boundary():
    satz = (
        "Dieser Satz hat mit seinem Punkt und allen Wörtern genau hundert Zeichen, "
        + "x" * 25
        + "."
    )
    text = " ".join([satz] * 20)
    spans = [(i * 101, i * 101 + 100) for i in range(20)]
    first, second, *_ = chunk(text, spans)
    assert len(first.saetze) == 7
    assert second.saetze[0] == first.saetze[-1]


def test_long_sentence_is_cut_behind_a_clause():
    clause = "wir bauen die Bahn aus und erneuern jede Strecke im Land, "
    text = (clause * 20).strip(", ") + "."
    first, *_ = list(split_long(text, (0, len(text))))
    assert text[: first[1]].endswith(",")


def test_empty_text_has_no_passages():
    assert chunk("", []) == []
