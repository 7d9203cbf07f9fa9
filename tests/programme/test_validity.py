from datetime import date, timedelta

import pytest
from hypothesis import given as for_all
from hypothesis import strategies as st

from programme.models import Programm
from programme.validity import UnklareGeltung, given, gueltig

from .factories import ProgrammFactory

# Baden-Württemberg: the Landtag elected on 13 March 2016 first sat on 11 May 2016.
WAHLTAGE = [date(2021, 3, 14), date(2011, 3, 27), date(2016, 3, 13)]


def contains(zeitraum, tag):
    return zeitraum.lower <= tag and (zeitraum.upper is None or tag < zeitraum.upper)


@pytest.mark.parametrize(
    ("tag", "counts"),
    [
        (date(2016, 3, 12), False),  # the day before the election
        (date(2016, 3, 13), True),  # election day
        (date(2016, 4, 20), True),  # elected, but the old Landtag still sits
        (date(2021, 3, 13), True),
        (date(2021, 3, 14), False),  # the next election day
    ],
)
def test_election_programme_counts_from_election_day_to_the_next(tag, counts):
    assert contains(gueltig(2016, WAHLTAGE), tag) is counts


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("tag", "jahr"),
    [
        (date(2016, 3, 12), 2011),  # the day before the election
        (date(2016, 3, 13), 2016),  # election day
        (date(2016, 5, 10), 2016),  # elected, the day before the first sitting
        (date(2021, 3, 13), 2016),
        (date(2021, 3, 14), 2021),
        (date(2026, 3, 7), 2021),
    ],
)
def test_one_programme_counts_on_each_day(tag, jahr):
    for wahljahr in (2011, 2016, 2021):
        ProgrammFactory(jahr=wahljahr, gueltig=gueltig(wahljahr, WAHLTAGE))
    assert Programm.objects.valid_on(tag).get().jahr == jahr


@for_all(
    st.lists(st.dates(date(1946, 1, 1), date(2090, 1, 1)), min_size=1, unique_by=lambda d: d.year),
    st.integers(0, 2000),
)
def test_between_elections_there_is_neither_a_gap_nor_an_overlap(wahltage, days):
    spans = [gueltig(tag.year, wahltage) for tag in wahltage]
    for around in wahltage:
        for tag in (around + timedelta(days=days), around - timedelta(days=days)):
            counting = [span.lower for span in spans if contains(span, tag)]
            assert counting == sorted(t for t in wahltage if t <= tag)[-1:]


def test_programme_of_the_last_election_has_an_open_end():
    assert gueltig(2021, WAHLTAGE).upper is None


def test_basic_programme_counts_from_new_year_until_the_next_one():
    zeitraum = gueltig(2002, [date(2002, 1, 1), date(2020, 1, 1), date(1993, 1, 1)])
    assert (zeitraum.lower, zeitraum.upper) == (date(2002, 1, 1), date(2020, 1, 1))


def test_year_without_election_is_refused_and_names_the_options():
    with pytest.raises(UnklareGeltung, match="--gueltig-ab"):
        gueltig(2014, WAHLTAGE)


def test_two_elections_in_one_year_are_not_guessed():
    with pytest.raises(UnklareGeltung, match="mehr als eine"):
        gueltig(2016, [*WAHLTAGE, date(2016, 9, 1)])


def test_stated_last_day_is_included():
    zeitraum = given(date(2016, 3, 13), date(2018, 12, 31), WAHLTAGE)
    assert contains(zeitraum, date(2018, 12, 31))
    assert not contains(zeitraum, date(2019, 1, 1))


def test_stated_beginning_without_end_runs_to_the_next_election():
    assert given(date(2017, 5, 1), None, WAHLTAGE).upper == date(2021, 3, 14)


def test_stated_end_before_beginning_is_refused():
    with pytest.raises(UnklareGeltung, match="vor ihrem Beginn"):
        given(date(2016, 3, 13), date(2016, 3, 12), WAHLTAGE)
