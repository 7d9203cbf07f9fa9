"""An evening at the desk: twenty items of the queue one after another, by keyboard alone."""

import re

import pytest
from django.urls import reverse

from assessments.models import Assessment, Beleg, Sichtung
from tests.assessments.am_tisch import HALBSATZ, SATZ, open_evidence, open_programme_evidence
from tests.assessments.factories import AUFTRAG, ZUSAGE, AssessmentFactory, prove

from .tasten import Tasten

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MOST_KEYS = 12
# What the two open pieces of each item need, one after the other.
ABEND = [
    *[("diff", "satz"), ("diff", "weg"), ("seite", "diff"), ("satz", "weg"), ("seite", "satz")],
    *[("diff", "diff"), ("seite", "weg"), ("satz", "diff"), ("weg", "satz"), ("stelle", "diff")],
    *[("stelle", "weg"), ("seite", "stelle"), ("stelle", "satz"), ("zurueck", "diff")],
    *[("zurueck", "weg"), ("seite", "zurueck"), ("weg", "weg"), ("satz", "satz")],
    *[("weg", "diff"), ("diff", "stelle")],
]
# The keys for each of them.
KEYS = {
    "diff": ["a"],
    "seite": ["a"],
    "satz": ["s"],
    "weg": ["x"],
    "stelle": ["w", "Space", "Enter", "a"],
    "zurueck": ["x", "z", "a"],
}
STAYS = {"Space"}
WORDS = {"diff": HALBSATZ, "seite": ZUSAGE, "satz": SATZ, "stelle": AUFTRAG, "zurueck": HALBSATZ}


def prepare(kinds: tuple[str, str]) -> dict[int, str]:
    """An item with four quotes that must be shown and two open pieces; what each of them needs."""
    assessment = AssessmentFactory(in_review=True)
    prove(assessment)
    assessment.feldbewertungen.filter(wert_modell="mm").update(wert_modell="p")
    shown = assessment.belege.filter(feldbewertung__isnull=False)[:4]
    assessment.belege.filter(pk__in=[beleg.pk for beleg in shown]).update(los=0.1)
    return {
        open_piece(assessment, kind, feld).pk: kind
        for kind, feld in zip(kinds, ("B5", "D1"), strict=True)
    }


def open_piece(assessment, kind: str, feld: str) -> Beleg:
    match kind:
        case "seite":
            programm = assessment.vergleiche.exclude(programm=None).get().programm
            named = f"{programm.label}, S. 40"
            return open_programme_evidence(
                assessment, ZUSAGE, quelle_modell=named, quelle_stimmt=False
            )
        case "weg" | "stelle":
            words = "Nachweise über die Lieferkette"
            return open_evidence(assessment, None, feld=feld, wortlaut_modell=words)
        case _:
            return open_evidence(assessment, HALBSATZ, feld=feld)


def item(page) -> int:
    return int(re.search(r"pruefauftrag/(\d+)/", page.url)[1])


def open_first_of_queue(page, tasten) -> None:
    page.goto(reverse("admin:assessments_pruefauftrag_changelist"))
    in_list = (
        "document.activeElement.closest('#result_list tbody th, #result_list tbody td') !== null"
    )
    for _ in range(80):
        if page.evaluate(in_list):
            break
        tasten.press("Tab")
    with page.expect_navigation():
        page.keyboard.press("Enter")


def work_off(page, tasten, plan: dict[int, str]) -> None:
    """One item, from its first page to its approval."""
    approve = page.get_by_role("button", name="Freigeben")
    while approve.is_disabled():
        for key in KEYS.get(plan.get(open_on_desk(page), ""), ["j"]):
            (tasten.press if key in STAYS else tasten.step)(key)
    tasten.press("f")
    tasten.step("Enter")


def open_on_desk(page) -> int:
    """The piece that waits for a decision; 0 where the shown one is decided."""
    drop = page.locator(".taten form[action$='/verwerfen/']")
    if not drop.count():
        return 0
    return int(re.search(r"beleg/(\d+)/", drop.get_attribute("action"))[1])


@pytest.mark.ausdauer
def test_twenty_items_take_at_most_twelve_keys_each(open_page, log_in):
    plan = {pk: kind for kinds in ABEND for pk, kind in prepare(kinds).items()}
    page = open_page()
    tasten = Tasten(page)
    editor = log_in(page)
    open_first_of_queue(page, tasten)
    done = []
    for _ in ABEND:
        done.append(item(page))  # which opened by itself
        work_off(page, tasten, plan)
    counts = tasten.per_item
    print("keys per item:", [counts[each] for each in done])  # noqa: T201  shown with -s
    assert len(set(done)) == len(ABEND)
    assert max(counts.values()) <= MOST_KEYS, counts
    assert tasten.mouse == []
    assert set(Assessment.objects.values_list("status", flat=True)) == {"approved"}
    assert Sichtung.objects.filter(by=editor, beleg__los=0.1).count() == 4 * len(ABEND)
    for beleg in Beleg.objects.filter(pk__in=plan).select_related("zitat"):
        assert (beleg.zitat.text if beleg.zitat else None) == WORDS.get(plan[beleg.pk])
