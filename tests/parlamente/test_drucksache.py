import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlamente.drucksache import Drucksache, KeineDrucksache, parse_drucksache


@pytest.mark.parametrize(
    ("roh", "expected"),
    [
        ("17/10323", Drucksache(17, "10323")),
        ("Drucksache 18/123", Drucksache(18, "123")),
        ("Drucksache Nr. 19/8661", Drucksache(19, "8661")),
        ("Drs. 7/2318", Drucksache(7, "2318")),
        ("19/0328", Drucksache(19, "328")),
        ("08/30", Drucksache(8, "30")),
        (" 7 / 12 ", Drucksache(7, "12")),
        ("21/905 S", Drucksache(21, "905", zusatz="S")),
        ("21/730S", Drucksache(21, "730", zusatz="S")),
        ("KA 7/1525", Drucksache(7, "1525", zusatz="KA")),
        ("Kleine Anfrage 8/3789", Drucksache(8, "3789", zusatz="KA")),
        ("16/716-neu", Drucksache(16, "716", bezeichnung="neu")),
        ("16/0716-NEU", Drucksache(16, "716", bezeichnung="neu")),
        ("19/1 (neu)", Drucksache(19, "1", bezeichnung="neu")),
        ("8/673 Neudruck", Drucksache(8, "673", bezeichnung="neu")),
    ],
)
def test_the_spellings_of_the_parliaments(roh, expected):
    assert parse_drucksache(roh) == expected


@pytest.mark.parametrize(
    "roh", ["", "16", "16/", "/5", "123/26", "16/0", "0/5", "16/123 neuer", "16-123", "16/12345678"]
)
def test_nonsense_is_refused_in_german(roh):
    with pytest.raises(KeineDrucksache, match="ist keine Drucksachennummer"):
        parse_drucksache(roh)


@given(
    st.builds(
        Drucksache,
        wahlperiode=st.integers(1, 99),
        nummer=st.integers(1, 999_999).map(str),
        zusatz=st.sampled_from(["", "S", "KA"]),
        bezeichnung=st.sampled_from(["", "neu"]),
    )
)
def test_the_canonical_form_reads_back_as_itself(drucksache):
    assert parse_drucksache(str(drucksache)) == drucksache
