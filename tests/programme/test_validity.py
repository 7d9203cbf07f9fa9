from datetime import date

import pytest

from programme.validity import UnklareGeltung, given, gueltig

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
