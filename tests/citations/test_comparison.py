from hypothesis import given
from hypothesis import strategies as st

from citations.comparison import compare_form, vergleichsform


@given(st.text(max_size=200))
def test_the_form_is_stable(text):
    """Comparing forms is comparing texts: the form of a form is the form."""
    form = compare_form(text)
    assert compare_form(form) == form


@given(st.text(max_size=200))
def test_every_sign_of_the_form_leads_back_into_the_text(text):
    form = vergleichsform(text)
    assert len(form.text) == len(form.offsets)
    assert list(form.offsets) == sorted(form.offsets)
    assert all(0 <= offset < len(text) for offset in form.offsets)


@given(st.text(max_size=100), st.text(alphabet=" -\u00ad„“»«\n\t\u00a0", max_size=5))
def test_blanks_quotation_marks_and_hyphens_say_nothing(text, noise):
    text = f"a{text}z"  # right before a figure a hyphen is its sign
    assert compare_form(noise + text + noise) == compare_form(text)


def test_figures_keep_their_separators():
    assert compare_form("1,5") != compare_form("15")
    assert compare_form("2.000 Euro.") == "2.000euro"
    assert compare_form("18/2318") == "18/2318"


def test_ligatures_and_composed_letters_are_the_same_words():
    assert compare_form("ﬁnden") == compare_form("finden")
    assert compare_form("fu\u0308r") == compare_form("für")
    assert compare_form("STRASSE") == compare_form("Straße")


SIMPLE = st.text(alphabet="aZäß190 \n„“'…*%–-.,:/", max_size=60)


@given(SIMPLE)
def test_the_short_way_leads_to_the_same_form(text):
    assert compare_form(text) == vergleichsform(text).text
