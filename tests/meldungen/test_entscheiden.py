"""What becomes of a report: one verb each, one winner, a lasting record, a public outcome."""

from datetime import timedelta
from threading import Barrier, Thread

import pytest
from django.contrib.auth.models import Group
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.urls import reverse
from django.utils import timezone

from assessments.addresses import antrag_address, version_address, zitat_address
from assessments.desk.rahmen import desk_url
from assessments.models import InvalidTransition
from meldungen.models import MAX_BEGRUENDUNG, Meldung, Meldungsereignis
from meldungen.oeffentlich import COUNTED, SHOWN
from meldungen.schlange import bearbeiten_address
from meldungen.tasks import forget
from tests.assessments.am_tisch import desk, said
from tests.assessments.factories import AssessmentFactory, UserFactory
from tests.assessments.seiten import correction_of, published, read, words

from .factories import MeldungFactory, cited, decider

pytestmark = pytest.mark.django_db
GEHEIM = "Dieser geheime Satz steht nur im Hinweis."
GRUND = "Im Antrag steht es so, wie es zitiert ist."
HOSTILE = (
    "<script>alert(1)</script><img src=x onerror=alert(2)> https://boese.example/x "
    "javascript:alert(3) {{ 7|add:7 }}"
)


@pytest.fixture
def assessment():
    return published()


@pytest.fixture
def meldung(assessment):
    return MeldungFactory(assessment=assessment, text=GEHEIM)


@pytest.fixture
def me(client):
    person = decider()
    client.force_login(person)
    return person


def press(client, meldung, verb, *, gesehen=None, follow=True, **data):
    """Presses a button of the page as it is now, or as `gesehen` says that it was."""
    meldung.refresh_from_db()
    form = {"note": GRUND, "gesehen": gesehen or meldung.status} | data
    address = reverse("admin:meldungen_meldung_entscheiden", args=[meldung.pk, verb])
    response = client.post(address, form, follow=follow)
    meldung.refresh_from_db()
    return response


def editors_page(client, meldung) -> str:
    return read(client, bearbeiten_address(meldung))


# --- Verbs ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("verb", "status"), [("dismiss", "abgewiesen"), ("discard", "unbrauchbar")]
)
def test_a_verb_decides_and_is_recorded(meldung, verb, status):
    person = decider()
    getattr(meldung, verb)(by=person, note=GRUND)
    assert (meldung.status, meldung.begruendung) == (status, GRUND)
    event = meldung.ereignisse.get(verb=verb)
    assert (event.von, event.nach, event.by, event.note) == ("offen", status, person, GRUND)


def test_correcting_names_a_newer_version(assessment, meldung):
    newer = correction_of(assessment)
    meldung.correct(by=decider(), note=GRUND, durch=newer)
    assert (meldung.status, meldung.berichtigt_durch) == ("berichtigt", newer)


def test_only_a_newer_public_version_of_the_same_motion_corrects(assessment, meldung):
    waiting = AssessmentFactory(antrag=assessment.antrag, in_review=True)
    for other in (None, assessment, waiting, published()):
        with pytest.raises(InvalidTransition, match="neueren veröffentlichten Fassung"):
            meldung.correct(by=decider(), note=GRUND, durch=other)
    assert Meldung.objects.get().is_open


@pytest.mark.parametrize("note", ["", "  \n", "x" * (MAX_BEGRUENDUNG + 1), "\u202eDreht um"])
@pytest.mark.parametrize("verb", ["dismiss", "discard"])
def test_every_decision_asks_for_a_reason(meldung, verb, note):
    with pytest.raises(InvalidTransition, match="Begründung"):
        getattr(meldung, verb)(by=decider(), note=note)
    assert Meldung.objects.get().is_open


@pytest.mark.parametrize("verb", ["dismiss", "discard", "correct"])
def test_a_decision_is_taken_back_by_another_event(assessment, meldung, verb):
    extra = {"durch": correction_of(assessment)} if verb == "correct" else {}
    person = decider()
    getattr(meldung, verb)(by=person, note=GRUND, **extra)
    meldung.reopen(by=person, note="Doch nicht.")
    assert (meldung.status, meldung.begruendung, meldung.berichtigt_durch) == ("offen", "", None)
    assert [e.verb for e in meldung.ereignisse.order_by("pk")] == ["receive", verb, "reopen"]
    meldung.dismiss(by=person, note=GRUND)


def test_a_withdrawal_closes_what_is_open_and_leaves_what_is_decided(assessment):
    decided, waiting = (MeldungFactory(assessment=assessment) for _ in range(2))
    elsewhere = MeldungFactory(assessment=published())
    decided.dismiss(by=decider(), note=GRUND)
    assessment.withdraw(by=UserFactory(publisher=True), note="Überholt.")
    for row, status in (
        (decided, "abgewiesen"),
        (waiting, "zurueckgezogen"),
        (elsewhere, "offen"),
    ):
        row.refresh_from_db()
        assert row.status == status
    event = waiting.ereignisse.get(verb="withdraw")
    assert (event.von, event.nach, event.by) == ("offen", "zurueckgezogen", None)
    for row in (waiting, decided):
        row.assessment.refresh_from_db()
        with pytest.raises(InvalidTransition, match="nicht zurücknehmen"):
            row.reopen(by=decider(), note="Doch nicht.")


def test_who_is_late_hears_what_was_decided(meldung):
    late = Meldung.objects.get(pk=meldung.pk)
    meldung.dismiss(by=decider(), note=GRUND)
    with pytest.raises(InvalidTransition, match="Der Hinweis ist unbegründet"):
        late.discard(by=decider(), note=GRUND)
    assert meldung.ereignisse.count() == 2


@pytest.mark.django_db(transaction=True)
def test_of_two_decisions_at_once_one_wins():
    meldung = MeldungFactory(assessment=published())
    people, start, won, refused = [decider() for _ in range(4)], Barrier(4), [], []

    def decide(person):
        row = Meldung.objects.get(pk=meldung.pk)
        try:
            start.wait()
            row.dismiss(by=person, note=GRUND)
            won.append(person)
        except InvalidTransition:
            refused.append(person)
        finally:
            connection.close()

    threads = [Thread(target=decide, args=[person]) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(won), len(refused)) == (1, 3)
    assert meldung.ereignisse.get(verb="dismiss").by == won[0]


# --- The database --------------------------------------------------------------------------------


def sql_refused(statement: str, constraint: str) -> None:
    refusal = pytest.raises(IntegrityError)
    with refusal as error, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert error.value.__cause__.diag.constraint_name == constraint


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE meldungen_meldungsereignis SET note = 'anders'",
        "DELETE FROM meldungen_meldungsereignis",
    ],
)
def test_the_record_cannot_be_changed(meldung, statement):
    sql_refused(statement, "append_only")
    assert Meldungsereignis.objects.count() == 1


UPDATE = "UPDATE meldungen_meldung SET "


@pytest.mark.parametrize(
    ("change", "constraint"),
    [
        ("text = 'anders'", "meldung_ways"),
        ("art = 'anderes'", "meldung_ways"),
        (
            "status = 'abgewiesen', begruendung = 'x', entschieden_am = now(), text = 'x'",
            "meldung_frozen",
        ),
        ("status = 'abgewiesen', entschieden_am = now()", "decided_meldung_has_reason"),
        ("status = 'zurueckgezogen', entschieden_am = now()", "meldung_follows_withdrawal"),
        (
            "status = 'berichtigt', begruendung = 'x', entschieden_am = now(), "
            "berichtigt_durch_id = assessment_id",
            "meldung_corrected_by_newer",
        ),
    ],
)
def test_raw_sql_cannot_pass_by_the_verbs(meldung, change, constraint):
    sql_refused(UPDATE + change, constraint)


def test_a_decided_report_goes_nowhere_else(meldung):
    meldung.dismiss(by=decider(), note=GRUND)
    sql_refused("UPDATE meldungen_meldung SET status = 'unbrauchbar'", "meldung_ways")
    sql_refused("UPDATE meldungen_meldung SET begruendung = 'anders'", "meldung_ways")
    sql_refused("DELETE FROM meldungen_meldung", "meldung_frozen")


def test_nothing_that_is_not_public_can_be_reported_by_any_way(assessment):
    draft = AssessmentFactory()
    for target, zitat, constraint in (
        (draft, None, "meldung_on_readable"),
        (assessment, cited(draft), "meldung_on_cited_zitat"),
    ):
        with pytest.raises(IntegrityError) as error, transaction.atomic():
            Meldung.objects.create(
                assessment=target, zitat=zitat, art="anderes", text="x", fingerabdruck="x"
            )
        assert error.value.__cause__.diag.constraint_name == constraint


def test_the_text_is_forgotten_long_after_the_decision(settings, assessment):
    decided, waiting = (MeldungFactory(assessment=assessment) for _ in range(2))
    decided.dismiss(by=decider(), note=GRUND)
    assert forget().endswith("und 0 Texte gelöscht")
    settings.MELDUNG_TEXT_TAGE = 0
    assert forget().endswith("und 1 Texte gelöscht")
    decided.refresh_from_db()
    waiting.refresh_from_db()
    assert (decided.text, decided.begruendung, bool(waiting.text)) == ("", GRUND, True)


# --- Permissions ---------------------------------------------------------------------------------


@pytest.mark.parametrize("verb", ["abweisen", "berichtigt", "unbrauchbar", "oeffnen"])
def test_who_may_only_look_decides_nothing(client, meldung, verb):
    client.force_login(UserFactory(may=["review_assessment", "view_meldung"]))
    html = editors_page(client, meldung)
    assert GEHEIM in html
    assert "entscheiden/" not in html
    assert press(client, meldung, verb).status_code == 403
    assert meldung.is_open


def test_editors_without_the_right_see_no_report(client, meldung):
    client.force_login(UserFactory(reviewer=True))
    assert client.get(bearbeiten_address(meldung)).status_code == 403
    assert client.get(reverse("admin:meldungen_meldung_changelist")).status_code == 403
    queue = read(client, reverse("admin:assessments_pruefauftrag_changelist"))
    assert "offener Hinweis" not in queue


def test_strangers_are_sent_to_the_login(client, meldung):
    assert client.get(bearbeiten_address(meldung)).status_code == 302
    assert press(client, meldung, "abweisen", follow=False).status_code == 302
    assert meldung.is_open


def test_a_decision_is_a_post(client, me, meldung):
    address = reverse("admin:meldungen_meldung_entscheiden", args=[meldung.pk, "abweisen"])
    assert client.get(address).status_code == 405
    assert client.post(bearbeiten_address(meldung)).status_code == 405
    assert press(client, meldung, "erfunden").status_code == 404
    assert meldung.is_open


@pytest.mark.parametrize("group", ["Redaktion", "Freigabe", "Leitung"])
def test_the_groups_may_decide(client, meldung, group):
    call_command("setup_groups", verbosity=0)
    person = UserFactory()
    person.groups.add(Group.objects.get(name=group))
    client.force_login(person)
    press(client, meldung, "abweisen")
    assert meldung.status == "abgewiesen"


# --- The editors' pages --------------------------------------------------------------------------


def test_reports_stand_above_the_queue_the_oldest_first(client, me, assessment):
    AssessmentFactory(in_review=True)
    newer = MeldungFactory(assessment=assessment, zitat=cited(assessment), art="zitat")
    older = MeldungFactory(assessment=assessment)
    html = read(client, reverse("admin:assessments_pruefauftrag_changelist"))
    first, second = html.index(bearbeiten_address(newer)), html.index(bearbeiten_address(older))
    assert first < second < html.index('id="result_list"')
    text = words(html)
    assert "2 offene Hinweise" in text
    assert "Zitat: Antrag, S. 1" in text
    assert zitat_address(newer.zitat) in html
    assert version_address(assessment) in html
    assert newer.text not in html


def test_the_count_stands_on_start_page_and_desk(client, me, meldung):
    waiting = AssessmentFactory(in_review=True)
    assert "1 offener Hinweis aus der Leserschaft" in words(read(client, reverse("admin:index")))
    assert "1 offener Hinweis" in words(read(client, desk(waiting)))
    meldung.dismiss(by=me, note=GRUND)
    assert "offener Hinweis" not in read(client, desk(waiting))


def test_the_page_shows_quote_page_and_report(client, me, assessment):
    zitat = cited(assessment)
    meldung = MeldungFactory(assessment=assessment, zitat=zitat, text=GEHEIM)
    html = editors_page(client, meldung)
    assert f"<mark>{zitat.text}</mark>" in html
    assert desk_url("seite", zitat.extraktion.dokument_id, zitat.seite) in html
    assert html.count('<rect class="mk"') == len(zitat.rects)
    assert zitat_address(zitat) in html
    assert GEHEIM in html


def test_hostile_text_is_text(client, me, assessment):
    meldung = MeldungFactory(assessment=assessment, text=HOSTILE)
    html = editors_page(client, meldung)
    assert "<script>alert" not in html
    assert "<img src=x" not in html
    assert "&lt;script&gt;alert(1)" in html
    assert 'href="https://boese' not in html
    assert "{{ 7|add:7 }}" in html


def test_after_a_decision_the_next_open_report_opens(client, me, assessment):
    first, second = (MeldungFactory(assessment=assessment) for _ in range(2))
    response = press(client, first, "abweisen")
    assert response.redirect_chain[-1][0] == bearbeiten_address(second)
    assert "Als unbegründet abgewiesen" in said(response)
    assert f'<a href="{bearbeiten_address(first)}">Ansehen' in response.content.decode()
    response = press(client, second, "unbrauchbar")
    queue = reverse("admin:assessments_pruefauftrag_changelist")
    assert response.redirect_chain[-1][0] == queue


def test_correcting_and_taking_it_back_on_the_page(client, me, assessment, meldung):
    assert "berichtigt/" not in editors_page(client, meldung)
    newer = correction_of(assessment)
    assert "Berichtigt in dieser Fassung" in editors_page(client, meldung)
    press(client, meldung, "berichtigt", durch=newer.pk)
    assert meldung.berichtigt_durch == newer
    response = press(client, meldung, "oeffnen", note="Doch nicht.")
    assert response.redirect_chain[-1][0] == bearbeiten_address(meldung)
    assert meldung.is_open


@pytest.mark.parametrize("durch", ["", "0", "abc", "999999"])
def test_a_version_that_does_not_exist_corrects_nothing(client, me, meldung, durch):
    assert "neueren veröffentlichten" in said(press(client, meldung, "berichtigt", durch=durch))
    assert meldung.is_open


def test_a_decision_counts_for_what_its_page_showed(client, me, meldung):
    meldung.dismiss(by=me, note=GRUND)
    response = press(client, meldung, "unbrauchbar", gesehen="offen", note="Mein langer Text")
    assert "Der Hinweis ist unbegründet" in said(response)
    assert "Mein langer Text" in said(response)
    assert "schon geschehen" in said(press(client, meldung, "oeffnen", gesehen="unbrauchbar"))
    assert "nicht zurücknehmen" in said(press(client, meldung, "oeffnen", gesehen="erfunden"))
    assert "erfunden" not in said(press(client, meldung, "abweisen", gesehen="erfunden"))
    assert meldung.status == "abgewiesen"


def test_a_reason_is_asked_for_on_the_page_too(client, me, meldung):
    assert "Begründung" in said(press(client, meldung, "abweisen", note=" "))
    assert meldung.is_open


def test_the_list_of_all_shows_no_text(client, me, meldung):
    html = read(client, reverse("admin:meldungen_meldung_changelist"))
    assert "Bewertung falsch begründet" in html
    assert GEHEIM not in html


def test_an_unknown_report_is_unknown(client, me):
    for pk in ("0", "99999", "abc"):
        assert client.get(f"/redaktion/meldungen/meldung/{pk}/change/").status_code == 404


def test_queries_of_the_queue_do_not_grow_with_reports(
    client, me, assessment, django_assert_num_queries
):
    address = reverse("admin:assessments_pruefauftrag_changelist")
    for _ in range(2):
        MeldungFactory(assessment=assessment, zitat=cited(assessment))
    read(client, address)
    with django_assert_num_queries(QUEUE_QUERIES):
        read(client, address)
    other = published()
    for _ in range(4):
        MeldungFactory(assessment=other, zitat=cited(other, "A4"))
    with django_assert_num_queries(QUEUE_QUERIES):
        read(client, address)


# Found by counting; a change here should have a reason.
QUEUE_QUERIES = 15


# --- The outcome in public -----------------------------------------------------------------------


def section(client, assessment) -> str:
    """The text of the section, or ""."""
    html = read(client, antrag_address(assessment.antrag))
    _, found, rest = html.partition('id="hinweise"')
    return words("<p " + rest.partition("</section>")[0]) if found else ""


def test_without_reports_there_is_no_section(client, assessment):
    assert section(client, assessment) == ""


def test_an_open_report_is_only_counted(client, assessment, meldung):
    text = section(client, assessment)
    assert "1 Hinweis wird geprüft." in text
    assert "Bewertung falsch begründet" not in text


def test_a_large_number_of_open_reports_is_not_shown(client, assessment):
    for _ in range(COUNTED + 2):
        MeldungFactory(assessment=assessment)
    assert "Mehr als 10 Hinweise werden geprüft." in section(client, assessment)


def test_a_dismissed_report_stands_there_with_its_reason(client, assessment, meldung):
    meldung.dismiss(by=decider(), note=GRUND)
    text = section(client, assessment)
    assert f"Bewertung falsch begründet, zu dieser Fassung: unbegründet. {GRUND}" in text
    assert "wird geprüft" not in text


def test_a_corrected_report_leads_to_the_version(client, assessment, meldung):
    newer = correction_of(assessment)
    meldung.correct(by=decider(), note=GRUND, durch=newer)
    assert f"zu Fassung 1 : in dieser Fassung berichtigt. {GRUND}" in section(client, assessment)
    older = read(client, version_address(assessment))
    assert f'berichtigt in <a href="{version_address(newer)}">Fassung 2</a>' in older


def test_a_useless_report_is_only_counted(client, assessment, meldung):
    meldung.discard(by=decider(), note="Werbung für Schuhe")
    text = section(client, assessment)
    assert "1 Hinweis war unbrauchbar." in text
    assert "Werbung" not in text


def test_a_withdrawn_assessment_says_what_became_of_its_reports(client, assessment, meldung):
    assessment.withdraw(by=UserFactory(publisher=True), note="Überholt.")
    html = read(client, antrag_address(assessment.antrag), status=410)
    assert "Bewertung zurückgezogen." in words(html)


def test_the_text_of_a_report_is_never_public(client, assessment, meldung):
    addresses = [
        antrag_address(assessment.antrag),
        zitat_address(cited(assessment)),
        f"/api/v1/assessments{antrag_address(assessment.antrag).rstrip('/')}",
        "/korrekturen/",
        "/",
    ]
    for verb in (None, "dismiss", "reopen", "discard"):
        if verb:
            getattr(meldung, verb)(by=decider(), note=GRUND)
        for address in addresses:
            assert GEHEIM not in read(client, address), address


def test_who_decided_is_not_public(client, assessment, meldung):
    person = decider(username="maxi.muster", last_name="Muster")
    meldung.dismiss(by=person, note=GRUND)
    assert "maxi" not in section(client, assessment)


def test_a_hostile_reason_is_text(client, assessment, meldung):
    meldung.dismiss(by=decider(), note=HOSTILE)
    html = read(client, antrag_address(assessment.antrag))
    assert "<script>alert" not in html
    assert "&lt;script&gt;alert(1)" in html


def test_a_decision_changes_the_page_in_every_cache(client, assessment, meldung):
    address = antrag_address(assessment.antrag)
    for verb in ("dismiss", "reopen", "discard"):
        etag = client.get(address).headers["ETag"]
        assert client.get(address, headers={"if-none-match": etag}).status_code == 304
        getattr(meldung, verb)(by=decider(), note=GRUND)
        assert client.get(address, headers={"if-none-match": etag}).status_code == 200


def test_the_newest_decisions_are_shown_and_the_others_counted(
    client, assessment, django_assert_num_queries
):
    now, person = timezone.now(), decider()
    for _ in range(2):
        MeldungFactory(assessment=assessment).dismiss(by=person, note=GRUND)
    address = antrag_address(assessment.antrag)
    read(client, address)
    with django_assert_num_queries(PAGE_QUERIES):
        read(client, address)
    for number in range(SHOWN):
        Meldung.objects.create(
            assessment=assessment, art="anderes", text="x", fingerabdruck=str(number)
        )
    Meldung.objects.offen().update(
        status="abgewiesen", begruendung=GRUND, entschieden_am=now + timedelta(days=1)
    )
    with django_assert_num_queries(PAGE_QUERIES):
        text = section(client, assessment)
    assert text.count(GRUND) == SHOWN
    assert "2 ältere Hinweise sind hier nicht aufgeführt." in text


# One more than QUERIES of tests/assessments/test_pages_assessment.py: the closed ones themselves.
PAGE_QUERIES = 25
