"""The desk in a real browser: by keyboard alone, without JavaScript, under the strict policy."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.test import Client
from django.urls import reverse

from assessments.desk.rahmen import desk_url
from assessments.models import Assessment, Beleg, Sichtung
from tests.assessments.am_tisch import HALBSATZ, SATZ, desk, open_evidence
from tests.assessments.factories import AUFTRAG, AssessmentFactory, UserFactory
from tests.citations.factories import PruefungFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}


@pytest.fixture
def assessment():
    return AssessmentFactory(in_review=True)


@pytest.fixture
def log_in(live_server):
    """Puts somebody's session into the page's context."""

    def _log_in(page, **traits):
        client = Client()
        person = UserFactory(**(traits or {"approver": True}))
        client.force_login(person)
        session = client.cookies[settings.SESSION_COOKIE_NAME].value
        page.context.add_cookies(
            [{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}]
        )
        return person

    return _log_in


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
    assert page.get_by_text("Von der Redaktion ergänzt").is_visible()
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
    assert page.get_by_text("Berichtigung von Fassung 1.").is_visible()


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_around_versions_have_no_finding(open_page, log_in, width, scheme):
    first = AssessmentFactory(published=True)
    draft = AssessmentFactory(antrag=first.antrag, in_review=True)
    draft.feldbewertungen.filter(feld="D1").update(
        wert_redaktion="m", begruendung_redaktion="Anders."
    )
    page = open_page(width=width, color_scheme=scheme)
    log_in(page)
    for address in (
        desk_url("unterschiede", draft.pk),
        desk_url("texte", draft.pk),
        desk_url("alle_unterschiede", draft.pk),
        desk_url("mein_name"),
        reverse("admin:index"),
    ):
        page.goto(address)
        page.locator("#content details").evaluate_all(OPEN_ALL)
        found = Axe().run(page, options=RULES).response["violations"]
        assert [(rule["id"], rule["nodes"][0]["html"]) for rule in found] == [], address
        assert page.evaluate("document.documentElement.scrollWidth") <= width, address


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
    assert page.get_by_text("letzte Entscheidung zurücknehmen").is_visible()


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


@pytest.mark.parametrize("color_scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing_and_nothing_scrolls_sideways(
    open_page, log_in, assessment, color_scheme, width
):
    open_evidence(assessment)
    page = open_page(width=width, color_scheme=color_scheme)
    log_in(page)
    for address in _addresses(assessment):
        page.goto(address)
        page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true })")
        results = Axe().run(page, options=RULES)
        found = [(v["id"], v["nodes"][0]["html"][:160]) for v in results.response["violations"]]
        assert not found, address
        assert page.evaluate("document.documentElement.scrollWidth") <= width, address


def _addresses(assessment):
    """The pages that we lay out ourselves."""
    base = desk(assessment).removesuffix("pruefen/")
    beleg = assessment.belege.offen().get()
    return [
        base + "pruefen/",
        base + f"beleg/{beleg.pk}/stelle/?q=Lieferkette",
        base + f"neu/feld/{beleg.feldbewertung_id}/antrag/?q=Lieferkette",
        reverse("admin:assessments_pruefauftrag_hilfe"),
        *(base + name for name in ("felder/", "vergleiche/", "texte/", "verlauf/")),
    ]


def test_the_stock_admin_keeps_the_policy(open_page, log_in, assessment):
    """The fixture fails on any violation of the Content-Security-Policy."""
    page = open_page()
    page.goto(reverse("admin:login"))
    log_in(page, is_superuser=True)
    for address in [
        reverse("admin:index"),
        reverse("admin:assessments_pruefauftrag_changelist"),
        reverse("admin:assessments_assessment_change", args=[assessment.pk]),
        reverse("admin:parlamente_parlament_change", args=[assessment.antrag.parlament_id]),
        reverse("admin:parlamente_antrag_add"),
        reverse("admin:programme_programm_changelist"),
        reverse("admin:programme_programm_abdeckung"),
        desk(assessment),
    ]:
        assert page.goto(address).status == 200, address
