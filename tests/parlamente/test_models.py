from datetime import date

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError

from parlamente.models import Antrag, Regierungsstand

from .factories import (
    AntragFactory,
    FassungFactory,
    ParlamentFactory,
    ParteiFactory,
    RegierungFactory,
    UrheberFactory,
    WahlperiodeFactory,
)

pytestmark = pytest.mark.django_db


def kuerzel(parteien):
    return [partei.kuerzel for partei in parteien]


def test_the_same_number_in_another_land_is_another_motion():
    """Regression of the first system, which overwrote one with the other."""
    first = AntragFactory(nummer="123")
    second = AntragFactory(nummer="123")
    assert first.parlament != second.parlament
    assert first.drucksache == second.drucksache == "16/123"
    assert Antrag.objects.count() == 2


def test_the_same_number_in_the_same_land_is_refused():
    first = AntragFactory(nummer="123")
    with pytest.raises(IntegrityError):
        AntragFactory(parlament=first.parlament, nummer="123")


def test_the_city_series_of_bremen_has_numbers_of_its_own():
    land = AntragFactory(nummer="905")
    stadt = AntragFactory(parlament=land.parlament, nummer="905", zusatz="S")
    assert stadt.drucksache == "16/905 S"


def test_submitters_come_in_the_order_of_the_paper_and_once():
    spd, gruene = ParteiFactory(kuerzel="SPD"), ParteiFactory(kuerzel="GRÜNE")
    antrag = AntragFactory(einbringende=[spd, gruene, spd])
    assert kuerzel(antrag.einbringende()) == ["SPD", "GRÜNE"]


def test_a_fraktion_of_two_parties_counts_as_both():
    cdu, csu = ParteiFactory(kuerzel="CDU"), ParteiFactory(kuerzel="CSU")
    antrag = AntragFactory()
    UrheberFactory(antrag=antrag, parteien=[csu, cdu])
    assert kuerzel(antrag.einbringende()) == ["CDU", "CSU"]


def test_a_list_of_motions_with_submitters_needs_a_fixed_number_of_queries(
    django_assert_num_queries,
):
    spd = ParteiFactory(kuerzel="SPD")
    for _ in range(3):
        AntragFactory(einbringende=[spd])
    with django_assert_num_queries(3):
        assert [kuerzel(a.einbringende()) for a in Antrag.objects.with_urheber()] == [["SPD"]] * 3


def test_the_government_of_the_motions_day_governs_until_its_last_day():
    antrag = AntragFactory(datum=date(2016, 10, 12))
    alt, neu = ParteiFactory(kuerzel="ALT"), ParteiFactory(kuerzel="NEU")
    RegierungFactory(parlament=antrag.parlament, bis=antrag.datum, parteien=[alt])
    RegierungFactory(parlament=antrag.parlament, von=date(2016, 10, 13), parteien=[neu])
    assert kuerzel(antrag.regierende()) == ["ALT"]
    antrag.datum = date(2016, 10, 13)
    assert kuerzel(antrag.regierende()) == ["NEU"]


@pytest.mark.parametrize(
    ("sicherheit", "stand", "governing"),
    [
        ("belegt", Regierungsstand.BEKANNT, ["SPD"]),
        ("wissen", Regierungsstand.BEKANNT, ["SPD"]),
        ("unsicher", Regierungsstand.UNSICHER, ["SPD"]),
        ("unbekannt", Regierungsstand.UNBEKANNT, []),
    ],
)
def test_how_sure_a_government_is_decides_who_is_compared(sicherheit, stand, governing):
    antrag = AntragFactory()
    spd = ParteiFactory(kuerzel="SPD")
    RegierungFactory(parlament=antrag.parlament, sicherheit=sicherheit, parteien=[spd])
    assert antrag.regierungsstand() == stand
    assert kuerzel(antrag.regierende()) == governing


def test_no_government_row_is_told_from_a_government_nobody_knows():
    antrag = AntragFactory()
    assert antrag.regierungsstand() == Regierungsstand.KEIN_EINTRAG
    RegierungFactory(parlament=antrag.parlament, unbekannt=True)
    assert antrag.regierungsstand() == Regierungsstand.UNBEKANNT
    assert antrag.regierende() == []


def test_a_wahlperiode_lasts_including_its_last_day():
    alt = WahlperiodeFactory(abgelaufen=True)
    neu = WahlperiodeFactory(
        parlament=alt.parlament, nummer=17, wahltag=date(2021, 3, 14), beginn=date(2021, 5, 11)
    )
    assert alt.parlament.wahlperiode_am(date(2021, 5, 10)) == alt
    assert alt.parlament.wahlperiode_am(date(2021, 5, 11)) == neu
    assert alt.parlament.wahlperiode_am(date(2016, 1, 1)) is None


def test_spellings_of_invented_parties_mean_nothing_in_a_real_parliament():
    ParteiFactory(kuerzel="UFER", muster=True)
    ParteiFactory(kuerzel="SPD")
    assert "ufer" not in ParlamentFactory().tafel().kuerzel
    assert set(ParlamentFactory(muster=True).tafel().kuerzel) == {"ufer", "partei ufer"}


def test_own_spellings_must_name_known_parties():
    parlament = ParlamentFactory(schreibweisen={"Liste": ["NIX"]})
    with pytest.raises(ValidationError, match="Unbekannte Partei: NIX"):
        parlament.full_clean()
    parlament.schreibweisen = {"Liste": "NIX"}
    with pytest.raises(ValidationError, match="Erwartet wird"):
        parlament.clean_fields()


def test_the_newest_fassung_is_the_one_with_the_highest_number():
    antrag = AntragFactory(mit_text=True)
    neu = FassungFactory(antrag=antrag, neu=True)
    assert (neu.nr, antrag.fassung) == (2, neu)
