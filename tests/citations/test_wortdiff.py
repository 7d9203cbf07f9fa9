from hypothesis import given
from hypothesis import strategies as st

from citations.wortdiff import Art, Teil, wortdiff

# Few letters and many blanks, so that the two texts share words.
TEXTE = st.text(alphabet="ab ä.,\n-1", max_size=60)


def joined(parts: list[Teil], *arts: Art) -> str:
    return "".join(part.text for part in parts if part.art in arts)


@given(TEXTE, TEXTE)
def test_kept_and_removed_parts_are_the_old_text(alt, neu):
    assert joined(wortdiff(alt, neu), Art.GLEICH, Art.WEG) == alt


@given(TEXTE, TEXTE)
def test_kept_and_added_parts_are_the_new_text(alt, neu):
    assert joined(wortdiff(alt, neu), Art.GLEICH, Art.NEU) == neu


@given(TEXTE)
def test_equal_texts_differ_nowhere(text):
    assert {part.art for part in wortdiff(text, text)} <= {Art.GLEICH}


def test_changes_are_whole_words():
    assert wortdiff("Aufträge bis 100.000 Euro", "Aufträge bis 25.000 Euro") == [
        Teil(Art.GLEICH, "Aufträge bis "),
        Teil(Art.WEG, "100.000"),
        Teil(Art.NEU, "25.000"),
        Teil(Art.GLEICH, " Euro"),
    ]


def test_neighbouring_changes_become_one():
    parts = wortdiff("Es entfallen die Nachweise hier", "Es genügt eine Erklärung hier")
    assert parts == [
        Teil(Art.GLEICH, "Es "),
        Teil(Art.WEG, "entfallen die Nachweise"),
        Teil(Art.NEU, "genügt eine Erklärung"),
        Teil(Art.GLEICH, " hier"),
    ]
