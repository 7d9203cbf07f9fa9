"""The desk in a real browser: by keyboard alone, without JavaScript, under the strict policy."""

import io

import pytest
from django.urls import reverse
from django.utils import timezone
from PIL import Image
from playwright.sync_api import expect

from assessments.models import Assessment, Beleg, Sichtung
from konten.models import Anmeldeversuch
from tests.assessments.am_tisch import HALBSATZ, SATZ, desk, open_evidence
from tests.assessments.factories import AUFTRAG, AssessmentFactory
from tests.citations.factories import PruefungFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def assessment():
    return AssessmentFactory(in_review=True)


def state(beleg):
    beleg.refresh_from_db()
    return beleg.zustand


def press(page, key):
    """Presses a key that leads to another page."""
    with page.expect_navigation():
        page.keyboard.press(key)


def test_two_open_pieces_are_decided_and_approved_by_keyboard_alone(open_page, log_in, assessment):
    first, second = open_evidence(assessment, feld="B5"), open_evidence(assessment, feld="D1")
    page = open_page()
    log_in(page)
    page.goto(desk(assessment))
    press(page, "s")
    press(page, "x")
    assert (state(first), first.zitat.text, state(second)) == ("angenommen", SATZ, "verworfen")
    press(page, "z")
    assert state(second) == Beleg.Zustand.OFFEN
    press(page, "a")
    assert (state(second), second.zitat.text) == ("angenommen", HALBSATZ)
    approve = page.get_by_role("button", name="Freigeben")
    while approve.is_disabled():  # what must be shown comes up by itself, then with J
        press(page, "j")
    page.keyboard.press("f")
    assert approve.evaluate("button => button === document.activeElement")
    press(page, "Enter")
    assessment.refresh_from_db()
    assert assessment.status == Assessment.Status.APPROVED


def test_two_open_pieces_and_four_to_be_shown_take_twelve_keys(open_page, log_in, assessment):
    belege = list(assessment.belege.filter(feldbewertung__isnull=False)[:4])
    for beleg in assessment.belege.all():
        PruefungFactory(zitat=beleg.zitat)
    assessment.feldbewertungen.filter(wert_modell__in=["m", "mm"]).update(wert_modell="p")
    assessment.belege.filter(pk__in=[beleg.pk for beleg in belege]).update(los=0.1)
    for feld in ("B5", "D1"):
        open_evidence(assessment, feld=feld)
    page = open_page()
    log_in(page)
    page.goto(desk(assessment))
    keys = 0
    approve = page.get_by_role("button", name="Freigeben")
    while approve.is_disabled():
        is_open = page.get_by_role("button", name="Wortlaut der Quelle annehmen").is_visible()
        press(page, "a" if is_open else "j")
        keys += 1
    page.keyboard.press("f")
    press(page, "Enter")
    assessment.refresh_from_db()
    assert assessment.status == Assessment.Status.APPROVED
    assert Sichtung.objects.filter(beleg__in=belege).count() == 4
    assert keys + 2 <= 12


def test_another_passage_is_picked_by_keyboard_alone(open_page, log_in, assessment):
    beleg = open_evidence(assessment, None, wortlaut_modell="Nachweise über die Lieferkette")
    page = open_page()
    log_in(page)
    page.goto(desk(assessment))
    press(page, "w")
    for _ in range(30):
        page.keyboard.press("Tab")
        focused = page.evaluate("document.activeElement.closest('label')?.innerText ?? ''")
        if AUFTRAG in focused:
            break
    page.keyboard.press("Space")
    press(page, "Enter")
    press(page, "a")
    assert state(beleg) == Beleg.Zustand.ANGENOMMEN
    assert beleg.zitat.text == AUFTRAG


def test_a_key_that_cannot_do_its_thing_says_why(open_page, log_in, assessment):
    beleg = open_evidence(assessment, None)
    page = open_page()
    log_in(page)
    page.goto(desk(assessment))
    page.keyboard.press("a")
    said = page.evaluate("document.activeElement.textContent")
    assert "Es gibt keine Stelle, die man annehmen kann." in said
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    press(page, "x")
    page.goto(desk(assessment, beleg=beleg.pk))
    page.keyboard.press("a")
    assert "erst wieder öffnen" in page.evaluate("document.activeElement.textContent")
    assert state(beleg) == Beleg.Zustand.VERWORFEN


def test_new_evidence_is_added_by_keyboard_and_mouse(open_page, log_in, assessment):
    page = open_page()
    log_in(page)
    page.goto(desk(assessment).replace("pruefen/", "felder/"))
    page.locator("#D5").get_by_role("link", name="Beleg im Antrag suchen").click()
    page.get_by_label("Wonach suchen Sie?").fill("Lieferkette")
    page.get_by_role("button", name="Suchen", exact=True).click()
    page.get_by_label(AUFTRAG).check()
    page.get_by_role("button", name="Auf den Tisch legen").click()
    expect(page.get_by_text("Von der Redaktion ergänzt")).to_be_visible()
    press(page, "a")
    assert assessment.belege.filter(feldbewertung__feld="D5", zitat__text=AUFTRAG).exists()


def test_a_message_has_no_picture_under_its_words(open_page, log_in, assessment):
    open_evidence(assessment, None)
    page = open_page()
    log_in(page)
    page.goto(desk(assessment).replace("pruefen/", "felder/"))
    for kind in ("success", "warning", "error"):
        picture = page.evaluate(
            """kind => {
                const list = document.createElement("ul");
                list.className = "messagelist";
                list.innerHTML = `<li class="${kind}">Text</li>`;
                document.body.append(list);
                return getComputedStyle(list.firstChild).backgroundImage;
            }""",
            kind,
        )
        assert picture == "none", kind


def test_all_columns_of_the_log_in_attempts_fit_on_a_phone(signed_in):
    Anmeldeversuch.objects.create(
        kennung="0" * 64, adresse="2001:db8:1234:5678::/64", erfolg=False, zeitpunkt=timezone.now()
    )
    page = signed_in(width=390)
    page.goto(reverse("admin:konten_anmeldeversuch_changelist"))
    cut = "list => list.scrollWidth - list.clientWidth"
    assert page.locator(".results").evaluate(cut) == 0


@pytest.mark.parametrize("width", [1440, 1280])
@pytest.mark.parametrize("model", ["pruefauftrag", "assessment"])
def test_no_column_of_the_lists_is_cut(open_page, log_in, assessment, model, width):
    page = open_page(width=width)
    log_in(page)
    page.goto(reverse(f"admin:assessments_{model}_changelist"))
    cut = "list => list.scrollWidth - list.clientWidth"
    assert page.locator(".results").evaluate(cut) == 0


def test_the_heads_of_the_models_table_are_not_broken_inside_words(open_page, log_in, assessment):
    page = open_page(width=1280)
    log_in(page)
    page.goto(reverse("admin:index"))
    heads = page.locator(".bilanzen thead th")
    heights = heads.evaluate_all("all => all.map(th => th.getBoundingClientRect().height)")
    assert len(heights) == 12
    assert max(heights) < 80  # two lines


def test_on_a_phone_each_figure_of_the_models_stands_behind_its_name(open_page, log_in, assessment):
    page = open_page(width=390)
    log_in(page)
    page.goto(reverse("admin:index"))
    cell = page.locator(".bilanzen td[data-spalte='gefunden']")
    name = cell.evaluate("td => getComputedStyle(td, '::before').content")
    assert name.startswith('"gefunden')
    wide = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(wide) <= 0


OPEN_ALL = "all => all.forEach(d => d.open = true)"


@pytest.mark.parametrize("width", [390, 1280])
def test_the_verbs_of_a_published_version_fit_the_screen(open_page, log_in, width):
    page = open_page(width=width)
    log_in(page)
    first = AssessmentFactory(published=True)
    page.goto(reverse("admin:assessments_assessment_change", args=[first.pk]))
    page.locator(".verben details").evaluate_all(OPEN_ALL)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_label("Was ist falsch").fill("Ein Wort ist falsch.")
    page.get_by_role("button", name="Berichtigen").click()
    expect(page.get_by_text("Berichtigung von Fassung 1.")).to_be_visible()


def test_keys_can_be_switched_off_and_stay_off(open_page, log_in, assessment):
    beleg = open_evidence(assessment)
    page = open_page()
    log_in(page)
    page.goto(desk(assessment))
    page.get_by_role("button", name="Tasten ausschalten").click()
    page.reload()
    page.keyboard.press("x")
    page.wait_for_timeout(300)  # what should not happen has no event to wait for
    assert state(beleg) == Beleg.Zustand.OFFEN
    assert page.locator("kbd:visible").count() == 0
    page.get_by_role("button", name="Tasten einschalten").click()
    press(page, "x")
    assert state(beleg) == Beleg.Zustand.VERWORFEN


def test_letters_typed_into_a_text_are_no_keys(open_page, log_in, assessment):
    beleg = open_evidence(assessment)
    page = open_page()
    log_in(page)
    page.goto(desk(assessment))
    page.get_by_text("Text ändern").first.click()
    page.get_by_label("Begründung", exact=True).first.fill("")
    page.keyboard.type("axswz?")
    assert page.get_by_label("Begründung", exact=True).first.input_value() == "axswz?"
    assert state(beleg) == Beleg.Zustand.OFFEN


def test_the_question_mark_lists_the_keys(open_page, log_in, assessment):
    open_evidence(assessment)
    page = open_page()
    log_in(page)
    page.goto(desk(assessment))
    page.keyboard.press("?")
    expect(page.get_by_text("letzte Entscheidung zurücknehmen")).to_be_visible()


def test_from_the_queue_to_the_approval_without_javascript(open_page, log_in, assessment):
    """Slower: each step is a button, and what must be shown is opened one by one."""
    first, second = open_evidence(assessment, feld="B5"), open_evidence(assessment, None)
    page = open_page(java_script_enabled=False)
    log_in(page)
    page.goto(reverse("admin:assessments_pruefauftrag_changelist"))
    page.get_by_role("link", name=assessment.antrag.drucksache, exact=True).click()
    page.get_by_role("button", name="Für mich reservieren").click()
    page.get_by_role("button", name="Auf ganzen Satz erweitern").click()
    page.get_by_role("link", name="Andere Stelle wählen").click()
    page.get_by_label("Wonach suchen Sie?").fill("Lieferkette")
    page.get_by_role("button", name="Suchen", exact=True).click()
    page.get_by_label(AUFTRAG).check()
    page.get_by_role("button", name="Auf den Tisch legen").click()
    page.get_by_role("button", name="Wortlaut der Quelle annehmen").click()
    approve = page.get_by_role("button", name="Freigeben")
    while approve.is_disabled():
        page.locator("#leiste-grund a").click()
    approve.click()
    assessment.refresh_from_db()
    assert assessment.status == Assessment.Status.APPROVED
    assert (state(first), state(second)) == ("angenommen", "angenommen")


def test_tab_reaches_everything_once_and_in_the_order_of_the_page(open_page, log_in, assessment):
    open_evidence(assessment)
    page = open_page()
    log_in(page)
    page.goto(desk(assessment))
    page.get_by_text("für Sie reserviert bis").wait_for()  # takes the place of a button
    page.evaluate(NUMBER_WHAT_CAN_BE_FOCUSED)
    reached = []
    for _ in range(200):
        page.keyboard.press("Tab")
        number = page.evaluate("document.activeElement.dataset.tab ?? ''")
        if not number:
            break
        reached.append(int(number))
    assert reached == list(range(page.evaluate("document.querySelectorAll('[data-tab]').length")))
    page.goto(desk(assessment))
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # the link over everything that is the same on every page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('.tisch') !== null")


# In the order of the document, which is that of the page; nothing has a number of its own.
NUMBER_WHAT_CAN_BE_FOCUSED = """() => {
    const one = "a[href], button, input, select, textarea, summary, [tabindex]";
    [...document.querySelectorAll(one)]
        .filter(e => e.tabIndex >= 0 && !e.disabled && e.type !== "hidden" && e.checkVisibility())
        .forEach((e, number) => { e.dataset.tab = number; });
}"""


def test_the_whole_page_loads_the_small_picture_and_the_cut_out_the_large_one(
    open_page, log_in, assessment
):
    beleg = open_evidence(assessment)
    for query, width in (({}, 1240), ({"ansicht": "ganz"}, 620)):
        page = open_page()
        log_in(page)
        with page.expect_response("**/seite/**") as response:
            page.goto(desk(assessment, beleg=beleg.pk, **query))
        assert Image.open(io.BytesIO(response.value.body())).width == width


def test_everything_works_without_javascript(open_page, log_in, assessment):
    beleg = open_evidence(assessment)
    page = open_page(java_script_enabled=False)
    log_in(page)
    page.goto(desk(assessment))
    page.get_by_role("button", name="Wortlaut der Quelle annehmen").click()
    assert state(beleg) == Beleg.Zustand.ANGENOMMEN
    page.get_by_role("button", name="Rückgängig").click()
    assert state(beleg) == Beleg.Zustand.OFFEN
    page.get_by_role("button", name="ohne Wirkung").click()
    assert assessment.feldbewertungen.get(feld="D1").wert == "o"


def test_the_image_of_the_page_is_there(open_page, log_in, assessment):
    open_evidence(assessment)
    page = open_page()
    log_in(page)
    with page.expect_response("**/seite/**") as response:
        page.goto(desk(assessment))
    assert response.value.status == 200
