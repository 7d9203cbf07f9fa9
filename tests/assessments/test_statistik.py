"""The figures of the models' drafts, and that the alarm fires on what got worse and on no noise."""

import random
from dataclasses import astuple
from io import StringIO

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone
from django.utils.module_loading import import_string
from django_q.models import Schedule

from assessments.models import Assessment, Beleg, Bilanzstand, Lauf
from assessments.statistik import (
    MIN_PAST,
    NEWEST,
    STALE,
    Bilanz,
    Summe,
    bilanzen,
    count_bilanzen,
    got_worse,
    recent_bilanzen,
)

from .am_tisch import sit_down
from .factories import AssessmentFactory, BelegFactory, LaufFactory, UserFactory

QUOTES = 7


def only() -> Bilanz:
    (row,) = bilanzen()
    return row


def keep(row: Bilanz) -> None:
    """As if it had been counted just now."""
    zeilen = [
        [row.modell, row.prompt_version, figure, sums is row.newest, *astuple(summe)]
        for sums in (row.newest, row.past)
        for figure, summe in sums.items()
    ]
    Bilanzstand.objects.create(pk=1, am=timezone.now(), zeilen=zeilen)


@pytest.fixture
def draft():
    """Seven quotes of the model, all placed."""
    assessment = AssessmentFactory()
    assert assessment.belege.count() == QUOTES
    return assessment


@pytest.mark.django_db
def test_nothing_is_counted_before_a_model_drafted_anything():
    assert bilanzen() == []
    AssessmentFactory(lauf=None)
    assessment = AssessmentFactory()
    Lauf.objects.filter(pk=assessment.lauf_id).update(modell="")
    assert bilanzen() == []


@pytest.mark.django_db
def test_quotes_are_counted_by_what_became_of_them(draft):
    field = draft.feldbewertungen.get(feld="D1")
    BelegFactory(owner_row=field, offen=True)
    BelegFactory(owner_row=field, offen=True, zustand=Beleg.Zustand.VERWORFEN)
    # What search and editors bring is no quote of the model.
    BelegFactory(owner_row=field, offen=True, herkunft="suche", grund="vorschlag",
                 wortlaut_modell="")  # fmt: skip
    row = only()
    assert row.total("abgegeben").x == QUOTES + 2
    assert (row.total("ungebunden").x, row.total("ungebunden").n) == (2, QUOTES + 2)
    assert (row.total("offen").x, row.total("verworfen").x) == (1, 1)
    assert row.je_bewertung == {
        "abgegeben": "9,0",
        "gebunden": "7,0",
        "angeglichen": "0,0",
        "offen": "1,0",
        "verworfen": "1,0",
    }


@pytest.mark.django_db
def test_a_quote_stays_the_models_when_an_editor_chooses_its_place(draft):
    before = only()
    draft.belege.filter(seite="programm").update(herkunft=Beleg.Herkunft.REDAKTION)
    assert only() == before


@pytest.mark.django_db
def test_what_the_server_placed_stays_placed_when_an_editor_drops_it(draft):
    draft.submit()
    beleg = draft.belege.first()
    person = UserFactory(reviewer=True)
    beleg.reopen(by=person)
    beleg.drop(by=person)
    row = only()
    assert (row.total("ungebunden").x, row.total("verworfen").x) == (0, 1)


@pytest.mark.django_db
def test_wrong_sources_are_counted_among_the_comparable(draft):
    draft.belege.update(quelle_stimmt=None)
    one, other, *_ = draft.belege.all()
    Beleg.objects.filter(pk=one.pk).update(quelle_stimmt=True)
    Beleg.objects.filter(pk=other.pk).update(quelle_stimmt=False)
    sums = only().total("falsche_quelle")
    assert (sums.x, sums.n, sums.prozent) == (1, 2, "50\u00a0%")


@pytest.mark.django_db
def test_changed_ratings_count_once_the_draft_is_approved():
    assessment = AssessmentFactory(in_review=True)
    assessment.feldbewertungen.filter(feld="D1").update(wert_redaktion="p")
    assessment.feldbewertungen.filter(feld="D5").update(wert_redaktion="o")  # the model's own
    assert only().total("geaendert") == Summe()
    other = AssessmentFactory(published=True)
    assert (only().total("geaendert").x, only().total("geaendert").n) == (0, 25)
    assert other.lauf.modell == assessment.lauf.modell


@pytest.mark.django_db
def test_a_correction_is_not_counted_as_a_draft():
    assessment = AssessmentFactory(published=True)
    before = only()
    assessment.correct(by=UserFactory(reviewer=True), note="Ein Fehler.")
    assert only() == before


@pytest.mark.django_db
def test_each_model_and_version_has_a_row_the_newest_first(draft):
    for modell, version in (("muster-1", "10"), ("muster-2", "9")):
        AssessmentFactory(lauf=LaufFactory(fassung=draft.fassung, modell=modell,
                          prompt_version=version), antrag=draft.antrag)  # fmt: skip
    assert [(row.modell, row.prompt_version) for row in bilanzen()] == [
        ("muster-1", "10"),
        ("muster-2", "9"),
        ("muster-1", "1"),
    ]


@pytest.mark.django_db
def test_only_the_newest_are_set_against_the_past(monkeypatch, draft):
    monkeypatch.setattr("assessments.statistik.NEWEST", 1)
    AssessmentFactory()
    newest = AssessmentFactory()
    newest.belege.update(quelle_stimmt=False)
    row = only()
    assert row.newest["falsche_quelle"].drafts == 1
    assert (row.newest["abgegeben"].drafts, row.past["abgegeben"].drafts) == (1, 2)
    assert row.total("abgegeben").drafts == Assessment.objects.count()


@pytest.mark.django_db
def test_it_is_one_query(draft, django_assert_num_queries):
    with django_assert_num_queries(1):
        bilanzen()


# --- The page --------------------------------------------------------------------------------


@pytest.mark.django_db
def test_the_start_page_does_not_count_anew_each_time(draft, django_assert_num_queries):
    counted = recent_bilanzen()
    AssessmentFactory()
    with django_assert_num_queries(1):
        assert recent_bilanzen() == counted
    assert counted.zeilen[0].bewertungen == 1


@pytest.mark.django_db
def test_the_queue_counts_anew_every_ten_minutes(draft):
    recent_bilanzen()
    AssessmentFactory()
    call_command("setup_schedules", stdout=StringIO())
    schedule = Schedule.objects.get(name="count_drafts")
    assert (schedule.schedule_type, schedule.minutes) == (Schedule.MINUTES, 10)
    import_string(schedule.func)()
    assert recent_bilanzen().zeilen == bilanzen()
    assert recent_bilanzen().zeilen[0].bewertungen == 2


@pytest.mark.django_db
def test_where_the_queue_does_not_count_the_page_does_after_an_hour(draft):
    stand = count_bilanzen()
    AssessmentFactory()
    Bilanzstand.objects.update(am=stand.am - STALE)
    assert recent_bilanzen().zeilen[0].bewertungen == 2


@pytest.mark.django_db
def test_what_another_release_counted_is_counted_anew(draft):
    stand = count_bilanzen()
    Bilanzstand.objects.update(zeilen=[row[:-1] for row in stand.zeilen])
    assert recent_bilanzen().zeilen == bilanzen()


@pytest.mark.django_db
def test_the_start_page_shows_the_figures_to_those_who_may_look(client, draft):
    sit_down(client)
    html = client.get(reverse("admin:index")).content.decode()
    assert "Entwürfe der Modelle" in html
    assert "muster-1" in html
    sit_down(client, may=[])
    assert "Entwürfe der Modelle" not in client.get(reverse("admin:index")).content.decode()


@pytest.mark.django_db
def test_an_alarm_says_what_from_what_to_what_and_what_to_do(client):
    newest = {"abgegeben": Summe(30, 300, 30), "ungebunden": worse()}
    row = Bilanz("muster-1", "3", newest, {"ungebunden": history(0.05, 200, 1)})
    keep(row)
    (sentence,) = row.alarme
    assert sentence.startswith("muster-1, Anweisungen Fassung 3: Der Anteil der Zitate, die der")
    assert "von 5\u00a0% bei 200 früheren Bewertungen auf 30\u00a0% bei den neuesten 30" in sentence
    assert "Sehen Sie die offenen Belege" in sentence
    sit_down(client)
    assert sentence in client.get(reverse("admin:index")).content.decode()


# --- The rule of the alarm -------------------------------------------------------------------


def summed(drafts: list[tuple[int, int]]) -> Summe:
    """Of drafts as (bad, all) quotes."""
    total = Summe()
    for x, n in drafts:
        total += Summe(1, x, n, x * x, x * n, n * n)
    return total


def history(share: float, drafts: int, seed: int, *, alike: float = 0.0) -> Summe:
    """Random drafts of 4 to 14 quotes; with `alike`, drafts differ from each other.

    The share of each is drawn from a beta distribution; `alike` is the correlation of two quotes
    of one draft.
    """
    rng = random.Random(seed)  # noqa: S311  repeatable, not secret
    rows = []
    for _ in range(drafts):
        n = rng.randint(4, 14)
        p = share
        if alike:
            strength = 1 / alike - 1
            p = rng.betavariate(share * strength, (1 - share) * strength)
        rows.append((sum(rng.random() < p for _ in range(n)), n))
    return summed(rows)


def worse() -> Summe:
    return summed([(3, 10)] * NEWEST)


@pytest.mark.parametrize("share", [0.01, 0.05, 0.2, 0.5])
@pytest.mark.parametrize("alike", [0.0, 0.2, 0.4])
@pytest.mark.parametrize("past", [MIN_PAST, 300])
def test_noise_raises_no_alarm(share, alike, past):
    """Of 500 unchanged models at most two alarm, also where the quotes of a draft are alike."""
    false = sum(
        got_worse(
            history(share, NEWEST, 2 * seed, alike=alike),
            history(share, past, 2 * seed + 1, alike=alike),
        )
        for seed in range(500)
    )
    assert false <= 2


@pytest.mark.parametrize("alike", [0.0, 0.2])
@pytest.mark.parametrize(("before", "after"), [(0.05, 0.25), (0.1, 0.4), (0.3, 0.65)])
def test_what_got_much_worse_raises_one(before, after, alike):
    found = sum(
        got_worse(
            history(after, NEWEST, 2 * seed, alike=alike),
            history(before, 200, 2 * seed + 1, alike=alike),
        )
        for seed in range(100)
    )
    assert found >= 80


def test_what_got_better_or_a_little_worse_raises_none():
    past = history(0.3, 300, 1)
    assert not got_worse(history(0.05, NEWEST, 2), past)
    sure = summed([(4, 100)] * NEWEST)  # 4 of 100 after 1 of 100, in every single draft
    assert not got_worse(sure, summed([(1, 100)] * 300))


@pytest.mark.parametrize(("newest", "past"), [(NEWEST - 1, 500), (NEWEST, MIN_PAST - 1)])
def test_too_few_drafts_raise_none(newest, past):
    assert not got_worse(summed([(9, 10)] * newest), summed([(0, 10)] * past))


def test_a_past_without_any_fault_is_no_proof_of_perfection():
    """Its variance would be nothing, and a single fault an alarm."""
    past = summed([(0, 2)] * MIN_PAST)
    assert not got_worse(summed([(0, 2)] * (NEWEST - 4) + [(1, 2)] * 4), past)
    assert got_worse(worse(), summed([(0, 10)] * 300))


def test_an_empty_sum_has_no_share():
    assert Summe().prozent == "–"
