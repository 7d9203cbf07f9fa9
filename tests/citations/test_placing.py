"""The rule of ADR 0006, as laws over generated sentences and as the traps that were measured."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citations.comparison import Grad, compare_form
from citations.placing import place
from citations.platz import Hindernis
from citations.quelltext import Quelltext, cut

WORDS = ["Wasser", "Schule", "Brücke", "Gemeinde", "fördert", "baut", "zahlt", "Straße", "Öffnung"]
SATZ = "Wir bauen bis 2029 in jeder Gemeinde einen kühlen Raum und zahlen die vollen Kosten."
ZAHLEN = "Das Land zahlt 1,5 Millionen Euro im Jahr für den Ausbau der Wege in allen Gemeinden."
NEIN = "Wir werden den Ausbau der Autobahn durch das Moor in dieser Zeit nicht unterstützen."
TEXT = Quelltext(f"Vorher steht ein Satz. {SATZ} {ZAHLEN}\n{NEIN} Nachher steht auch einer.")

word_lists = st.lists(st.sampled_from(WORDS), min_size=8, max_size=25)


def quoted(platz):
    return cut(TEXT.text, platz.spans)


@given(before=word_lists, quote=word_lists, after=word_lists)
@settings(max_examples=60, deadline=None)
def test_any_run_of_whole_words_is_placed_and_shown_as_it_stands(before, quote, after):
    text = Quelltext(" ".join(before + quote + after) + ".")
    platz = place(" ".join(quote), text)
    assert platz.is_placed
    assert platz.grad is Grad.WOERTLICH
    assert compare_form(cut(text.text, platz.spans)) == compare_form(" ".join(quote))


@given(quote=word_lists, position=st.integers(0, 30))
@settings(max_examples=60, deadline=None)
def test_an_inserted_negation_is_never_placed(quote, position):
    text = Quelltext(" ".join(quote) + ".")
    changed = list(quote)
    changed.insert(1 + position % (len(quote) - 1), "nicht")
    assert not place(" ".join(changed), text).is_placed


@given(quote=word_lists, number=st.integers(10, 99_999), digit=st.integers(1, 8))
@settings(max_examples=60, deadline=None)
def test_another_number_is_never_placed(quote, number, digit):
    text = Quelltext(" ".join([*quote, str(number), "Euro"]) + ".")
    changed = str(number)[:-1] + str((int(str(number)[-1]) + digit) % 10)
    assert not place(" ".join([*quote, changed, "Euro"]), text).is_placed


@given(quote=word_lists)
@settings(max_examples=40, deadline=None)
def test_blanks_and_punctuation_do_not_matter(quote):
    text = Quelltext(" ".join(quote) + ".")
    loose = ",  ".join(quote) + " …"
    assert place(loose, text).grad is Grad.WOERTLICH


@pytest.mark.parametrize(
    ("quote", "hindernis"),
    [
        ("Wir verbieten ab morgen alle Klimageräte in sämtlichen Häusern.", "nicht_gefunden"),
        (SATZ.replace("bauen", "bauen nicht"), "verneinung"),
        (NEIN.replace(" nicht", ""), "verneinung"),
        (SATZ.replace("2029", "2039"), "zahl"),
        (ZAHLEN.replace("1,5", "15"), "zahl"),
        (ZAHLEN.replace("1,5", "5"), "zahl"),
        (SATZ.replace("kühlen", "warmen"), "weicht_ab"),
        (SATZ.replace("jeder", "mancher"), "weicht_ab"),
        ("uen bis 2029 in jeder Gemeinde einen kühlen Raum", "wortgrenze"),
        ("einen kühlen Raum", "zu_kurz"),
        ("Wir werden den Ausbau der Autobahn durch das Moor", "abgeschnitten"),
    ],
)
def test_what_must_not_be_placed_says_why(quote, hindernis):
    platz = place(quote, TEXT)
    assert platz.hindernis == Hindernis(hindernis)


def test_the_sentence_to_extend_to_is_proposed():
    platz = place("Wir werden den Ausbau der Autobahn durch das Moor", TEXT)
    assert TEXT.text[slice(*platz.satz)] == NEIN


def test_one_inflection_is_matched_and_the_source_shown():
    platz = place(SATZ.replace("Raum", "Raumes"), TEXT)
    assert platz.grad is Grad.ANGEGLICHEN
    assert "Raum und" in quoted(platz)


def test_a_moved_comma_is_verbatim():
    assert place(SATZ.replace("2029 in", "2029, in"), TEXT).grad is Grad.WOERTLICH


def test_an_ellipsis_shows_only_what_stands_there():
    platz = place("Wir bauen bis 2029 in […] einen kühlen Raum und zahlen", TEXT)
    assert platz.grad is Grad.AUSLASSUNG
    assert quoted(platz) == "Wir bauen bis 2029 in […] einen kühlen Raum und zahlen"


@pytest.mark.parametrize(
    "quote",
    [
        "einen kühlen Raum und zahlen … Wir bauen bis 2029",  # reversed
        "Wir bauen bis 2029 in jeder ... Nachher steht auch einer",  # over a negation
        "Wir bauen bis 2029 … ein Haus aus Gold und Silber",  # half invented
    ],
)
def test_a_false_ellipsis_is_not_placed(quote):
    assert not place(quote, TEXT).is_placed


def test_two_halves_far_apart_are_no_quote():
    middle = "Dazwischen liegt sehr viel anderer Text über andere Dinge. " * 8
    text = Quelltext(f"Wir bauen eine neue Brücke im Tal. {middle}Sie gehört dann den Gemeinden.")
    platz = place("Wir bauen eine neue Brücke im Tal. … Sie gehört dann den Gemeinden.", text)
    assert platz.hindernis is Hindernis.AUSLASSUNG


def test_a_preferred_place_is_taken_among_several():
    text = Quelltext(f"{SATZ} Etwas anderes. {SATZ}")
    second = text.text.rindex("Wir bauen")
    platz = place(SATZ, text, preferred=((second, len(text.text)),))
    assert platz.spans[0][0] == second


def test_a_text_without_letters_places_nothing():
    assert not place(SATZ, Quelltext("")).is_placed
    assert not place("", TEXT).is_placed
    assert not place("… […] …", TEXT).is_placed


@pytest.mark.shared
def test_no_false_quote_of_the_development_set_is_placed(shared):
    """795 true and false quotes against the real files; figures in ADR 0006."""
    import json
    from collections import Counter, defaultdict

    from citations.pdf.reader import read

    data = shared / "data"
    rows = [
        json.loads(line)
        for line in (data / "eval" / "quotes_adversarial_dev.jsonl").read_text().splitlines()
    ]
    small = sorted({row["datei"] for row in rows}, key=lambda f: (data / f).stat().st_size)[:6]
    by_file = defaultdict(list)
    for row in rows:
        if row["datei"] in small:
            by_file[row["datei"]].append(row)
    missed: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for name, quotes in by_file.items():
        pages = read((data / name).read_bytes(), max_pages=1000)["pages"]
        text = Quelltext("".join(page["text"] for page in pages))
        for row in quotes:
            platz = place(row["zitat"], text)
            assert not (platz.is_placed and row["erwartet"] == "not_publish"), row
            total[row["erwartet"]] += 1
            missed[row["erwartet"]] += row["erwartet"] == "publish" and not platz.is_placed
    assert missed["publish"] <= 0.1 * total["publish"]
