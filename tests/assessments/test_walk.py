"""Every role × every verb × every state × own or somebody else's, against one table.

The verbs and addresses are read from the code; one that the table does not know fails. A refusal
must leave every row as it was, and a success must change exactly what the table says.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.core.management import call_command
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from assessments.desk.belege import ENTSCHEIDUNGEN
from assessments.desk.rahmen import (
    APPROVE,
    CORRECT,
    PUBLISH,
    REJECT,
    RERUN,
    RETURN,
    REVIEW,
    SUBMIT,
    VIEW,
    WITHDRAW,
    desk_url,
)
from assessments.desk.redigieren import TEILE
from assessments.desk.schritte import SCHRITTE
from assessments.desk.stelle import ERGAENZBAR
from assessments.desk.urls import urls
from assessments.models import (
    Assessment,
    Beleg,
    Feldbewertung,
    Lauf,
    Reservierung,
    ReviewEvent,
    Uebernahme,
    Verbesserung,
    Vergleich,
)

from .am_tisch import HALBSATZ, SATZ, open_evidence, shown
from .factories import AUFTRAG, AssessmentFactory, UserFactory, show_all, tamper

pytestmark = [pytest.mark.ausdauer, pytest.mark.django_db]

S = Assessment.Status
QUEUE = {S.IN_REVIEW, S.APPROVED}
REDAKTION = {VIEW, REVIEW, SUBMIT, CORRECT, RERUN}
FREIGABE = {*REDAKTION, APPROVE, REJECT, RETURN}
LEITUNG = {*FREIGABE, PUBLISH, WITHDRAW}
# What each role may do, as docs/reference/states.md and the groups say.
ROLES: dict[str, set[str] | None] = {
    "anonym": None,
    "Besuch mit Konto": None,
    "ohne Gruppe": set(),
    "Redaktion": REDAKTION,
    "Freigabe": FREIGABE,
    "Leitung": LEITUNG,
    "Verwaltung": LEITUNG,
}
# Whose it is: nobody's; leased by somebody else; approved by oneself; with a part of another one.
LAGEN = ("frei", "reserviert", "eigen", "fremd")


@dataclass
class Welt:
    """An assessment in some state, and another one that waits in the queue."""

    assessment: Assessment
    andere: Assessment
    offen: Beleg | None = None

    def teil(self, name: str) -> Any:
        """What the verb is about: of this assessment, or of the other where `fremd` is asked."""
        return PARTS[name](self)

    def of_the_other(self) -> "Welt":
        return Welt(self.andere, self.assessment, self.andere.belege.offen().first())


PARTS: dict[str, Callable[[Welt], Any]] = {
    "offener": lambda w: w.offen or w.assessment.belege.order_by("pk").first(),
    "beleg": lambda w: w.assessment.belege.exclude(zitat=None).order_by("pk").first(),
    "feld": lambda w: w.assessment.feldbewertungen.get(feld="D1"),
    "vergleich": lambda w: w.assessment.vergleiche.get(programmtyp="wahlprogramm"),
    "vorschlag": lambda w: w.assessment.verbesserungen.get(),
    "bewertung": lambda w: w.assessment,
}


def ready(welt: Welt, person: Any) -> None:
    """Nothing is open any more, and all was shown."""
    welt.assessment.belege.offen().delete()
    show_all(welt.assessment, person)


@dataclass(frozen=True)
class Verb:
    """One row of the table: the permission, from which states, and what it leaves behind."""

    darf: str
    aus: set[str]
    events: list[str]
    aendert: set[str]
    teil: str = ""  # of `PARTS`; "" where the verb is about the whole assessment
    form: Callable[[Any], dict[str, Any]] = lambda part: {}
    status: str = ""
    vier_augen: bool = False
    # What of it somebody else's lease does not hinder.
    trotz_reservierung: list[str] | None = None
    vorher: Callable[[Welt, Any], None] = field(default=lambda welt, person: None)


def decision(verb: str, teil: str = "offener") -> Verb:
    return Verb(REVIEW, {S.IN_REVIEW}, [verb], {"beleg"}, teil, shown)


def edit(teil: str, table: str, **form: Any) -> Verb:
    return Verb(REVIEW, {S.IN_REVIEW}, ["change"], {table}, teil, lambda part: form)


def addition(teil: str, words: str) -> Verb:
    return Verb(REVIEW, {S.IN_REVIEW}, ["add"], {"beleg"}, teil, lambda part: {"wortlaut": words})


def step(darf: str, aus: set[str], event: str, status: str, **more: Any) -> Verb:
    note = {"note": "Ein Grund."}
    return Verb(darf, aus, [event], {"assessment"}, form=lambda part: note, status=status, **more)


# --- The table: a new verb is one line here ------------------------------------------------------

VERBS: dict[tuple[str, ...], Verb] = {
    ("entscheiden", "annehmen"): decision("accept"),
    ("entscheiden", "erweitern"): decision("accept"),
    ("entscheiden", "verwerfen"): decision("drop"),
    ("entscheiden", "oeffnen"): decision("reopen", "beleg"),
    ("stelle",): Verb(
        *(REVIEW, {S.IN_REVIEW}, ["propose"], {"beleg"}, "offener"),
        lambda beleg: shown(beleg) | {"wortlaut": SATZ},
    ),
    ("neu", "feld", "antrag"): addition("feld", AUFTRAG),
    ("neu", "vergleich", "antrag"): addition("vergleich", AUFTRAG),
    ("neu", "vergleich", "programm"): addition("vergleich", "Das ist unser Plan für das Land."),
    ("aendern", "feld"): edit("feld", "feldbewertung", wert="m", zuvor="pp"),
    ("aendern", "vergleich"): edit("vergleich", "vergleich", score="3", zuvor="8"),
    ("aendern", "vorschlag"): edit(
        "vorschlag", "verbesserung", titel="Neu", zuvor="Nachweise vereinfachen statt aussetzen"
    ),
    ("aendern", "bewertung"): edit(
        *("bewertung", "assessment"),
        zusammenfassung="Neu.",
        zuvor="Das Land soll jedes Jahr berichten und Nachweise aussetzen.",
    ),
    ("felder",): Verb(
        *(REVIEW, {S.IN_REVIEW}, ["change"], {"feldbewertung"}),
        form=lambda part: {"D1-wert": "m", "D1-wert-zuvor": "pp"},
    ),
    ("reservieren",): Verb(REVIEW, QUEUE, [], {"reservierung"}),
    ("uebernehmen",): Verb(
        REVIEW, QUEUE, [], {"reservierung"}, trotz_reservierung=["take_over"]
    ),
    ("schritt", "einreichen"): step(SUBMIT, {S.DRAFT}, "submit", S.IN_REVIEW),
    ("schritt", "freigeben"): step(
        APPROVE, {S.IN_REVIEW}, "approve", S.APPROVED, vorher=ready
    ),
    ("schritt", "ablehnen"): step(REJECT, {S.IN_REVIEW}, "reject", S.REJECTED),
    ("schritt", "zurueck"): step(RETURN, QUEUE, "return", S.DRAFT),
    ("schritt", "veroeffentlichen"): step(
        PUBLISH, {S.APPROVED}, "publish", S.PUBLISHED, vier_augen=True
    ),
    ("schritt", "zurueckziehen"): step(
        WITHDRAW, {S.PUBLISHED, S.SUPERSEDED}, "withdraw", S.WITHDRAWN
    ),
    ("berichtigen",): Verb(
        CORRECT,
        {S.PUBLISHED},
        ["correct", "correct", "submit"],
        {"assessment", "feldbewertung", "vergleich", "verbesserung", "beleg", "reservierung"},
        form=lambda part: {"note": "Ein Wort war falsch."},
    ),
    ("neu_bewerten",): Verb(
        RERUN, {*QUEUE, S.PUBLISHED, S.WITHDRAWN}, [], {"lauf"}, trotz_reservierung=[]
    ),
}  # fmt: skip
# What is somebody's own, or asked of some assessments only: test_nennung.py and
# test_eigenurteil_tisch.py.
ELSEWHERE = {"mein_name", "eigenurteil"}
# To be looked at only; those that show one assessment want its key.
PAGES = {
    *("pruefen", "vergleiche", "texte", "verlauf", "unterschiede", "alle_unterschiede"),
    *("hilfe", "seite"),
}
# Addresses with verbs in them, and where the code keeps those.
IN_ADDRESS: dict[str, list[tuple[str, ...]]] = {
    "entscheiden": [(verb,) for verb in ENTSCHEIDUNGEN],
    "schritt": [(verb,) for verb in SCHRITTE],
    "aendern": [(teil,) for teil in ("bewertung", *TEILE)],
    "neu": list(ERGAENZBAR),
}


def test_the_table_knows_every_verb_and_address_of_the_desk():
    names = {str(url.name).removeprefix("assessments_pruefauftrag_") for url in urls()}
    found = {
        (name, *verb) for name in names - PAGES - ELSEWHERE for verb in IN_ADDRESS.get(name, [()])
    }
    assert found == set(VERBS)
    assert names >= PAGES | ELSEWHERE


# --- The walk ------------------------------------------------------------------------------------


def world(state: str) -> Welt:
    andere = AssessmentFactory(in_review=True)
    open_evidence(andere, HALBSATZ)
    if state == S.REJECTED:
        assessment = AssessmentFactory(in_review=True)
        assessment.reject(by=UserFactory(approver=True), note="Kein Antrag.")
    elif state == S.SUPERSEDED:
        assessment = AssessmentFactory(published=True)
        AssessmentFactory(antrag=assessment.antrag, published=True)
        assessment.refresh_from_db()
    else:
        assessment = AssessmentFactory(stand=state)
    editable = state in Assessment.EDITABLE
    return Welt(assessment, andere, open_evidence(assessment, HALBSATZ) if editable else None)


def people() -> dict[str, Any]:
    call_command("setup_groups", verbosity=0)
    found = {
        "anonym": None,
        "Besuch mit Konto": UserFactory(visitor=True),
        "ohne Gruppe": UserFactory(),
        "Verwaltung": get_user_model().objects.create_superuser("verwaltung"),
    }
    for group in ("Redaktion", "Freigabe", "Leitung"):
        found[group] = UserFactory()
        found[group].groups.add(Group.objects.get(name=group))
    return found


TABLES = {
    "assessment": Assessment,
    "beleg": Beleg,
    "feldbewertung": Feldbewertung,
    "vergleich": Vergleich,
    "verbesserung": Verbesserung,
    "event": ReviewEvent,
    "lauf": Lauf,
    "reservierung": Reservierung,
    "uebernahme": Uebernahme,
}


def stored() -> dict[str, dict[Any, dict[str, Any]]]:
    return {
        name: {row[model._meta.pk.attname]: row for row in model.objects.values()}
        for name, model in TABLES.items()
    }


def changed(before: Any, after: Any) -> set[str]:
    return {name for name in TABLES if before[name] != after[name]}


def expected(verb: Verb, role: str, state: str, lage: str) -> str:
    """What the table says: login, 403, 404, refused or done."""
    darf = ROLES[role]
    if darf is None:
        return "login"
    if verb.darf not in darf:
        return "403"
    if lage == "fremd":
        return "404" if state in QUEUE else "refused"
    if state not in verb.aus:
        return "refused"
    if lage == "reserviert" and verb.trotz_reservierung is None:
        return "refused"
    if lage == "eigen" and verb.vier_augen:
        return "refused"
    return "done"


def arrange(welt: Welt, verb: Verb, person: Any, lage: str, state: str) -> None:
    if person is not None and state in verb.aus:
        verb.vorher(welt, person)
    if lage == "eigen":
        tamper(
            "UPDATE assessments_assessment SET approved_by_id = %s WHERE id = %s",
            *(person.pk, welt.assessment.pk),
        )
    if lage == "reserviert":
        end = timezone.now() + timezone.timedelta(minutes=20)
        Reservierung.objects.create(assessment=welt.assessment, person=UserFactory(), bis=end)


def press(client: Any, welt: Welt, key: tuple[str, ...], verb: Verb, lage: str) -> Any:
    """The form of the page as it is now, sent to the verb's address."""
    source = welt.of_the_other() if lage == "fremd" else welt
    part = source.teil(verb.teil) if verb.teil else None
    form = verb.form(part) | {"gesehen": welt.assessment.letztes_ereignis}
    name, *rest = key
    args = {
        "entscheiden": lambda: [part.pk, *rest],
        "stelle": lambda: [part.pk],
        "neu": lambda: [rest[0], part.pk, rest[1]],
        "aendern": lambda: [rest[0], part.pk],
    }.get(name, lambda: rest)()
    return client.post(desk_url(name, welt.assessment.pk, *args), form)


def outcome(response: Any) -> str:
    if response.status_code == 302 and "/login/" in response.headers["Location"]:
        return "login"
    return "redirect" if response.status_code == 302 else str(response.status_code)


def lagen(verb: Verb, role: str, state: str) -> list[str]:
    """Those that differ for this verb; a lease is only on what waits, an own approval behind it."""
    found = ["frei"]
    if state in QUEUE:
        found.append("reserviert")
    if state == S.APPROVED and ROLES[role]:
        found.append("eigen")
    if verb.teil:
        found.append("fremd")
    return found


def judge(verb: Verb, want: str, lage: str, response: Any, before: Any, after: Any) -> str:
    """What is wrong with it; empty if it is as the table says."""
    got = outcome(response)
    if got != (want if want in ("login", "403", "404") else "redirect"):
        return f"{want} expected, got {got}"
    moved = changed(before, after)
    if want in ("login", "403"):
        return f"changed {moved}" if moved else ""
    if want in ("404", "refused"):  # whoever tries something in the queue may have leased it
        moved -= {"reservierung"}
        return f"refused, and changed {moved}" if moved else ""
    new = [after["event"][pk]["verb"] for pk in sorted(after["event"].keys() - before["event"])]
    events = verb.trotz_reservierung if lage == "reserviert" else verb.events
    if new != events:
        return f"events {new}"
    moved -= {"event", "uebernahme"} | ({"reservierung"} - verb.aendert)
    return "" if moved == verb.aendert else f"changed {moved}"


@pytest.mark.parametrize("state", S.values)
def test_every_role_verb_and_state_is_as_the_table_says(client, state):
    welt, wrong = world(state), []
    roles = people()
    for role, person in roles.items():
        client.logout()
        if person is not None:
            client.force_login(person)
        for key, verb in VERBS.items():
            for lage in lagen(verb, role, state):
                with transaction.atomic():
                    arrange(welt, verb, person, lage, state)
                    before = stored()
                    response = press(client, welt, key, verb, lage)
                    after = stored()
                    want = expected(verb, role, state, lage)
                    fault = judge(verb, want, lage, response, before, after)
                    if want == "done" and verb.status and not fault:
                        status = after["assessment"][welt.assessment.pk]["status"]
                        fault = "" if status == verb.status else f"is {status}"
                    if fault:
                        wrong.append((role, "/".join(key), lage, fault))
                    transaction.set_rollback(True)
                welt.assessment.refresh_from_db()
    assert wrong == []


@pytest.mark.parametrize("page", sorted(PAGES - {"hilfe", "seite"}))
def test_a_page_for_looking_takes_no_post_and_asks_for_a_permission(client, page):
    welt = world(S.IN_REVIEW)
    address = desk_url(page, welt.assessment.pk)
    for role, person in people().items():
        client.logout()
        if person is not None:
            client.force_login(person)
        before = stored()
        looked, posted = client.get(address), client.post(address)
        assert changed(before, stored()) == set()
        darf = ROLES[role]
        if darf is None:
            assert [outcome(looked), outcome(posted)] == ["login", "login"]
        else:
            assert [looked.status_code, posted.status_code] == [200 if darf else 403, 405], role


# --- Django's own views --------------------------------------------------------------------------

APPS = ("assessments", "citations")
READ_ONLY = [model for model in admin.site._registry if model._meta.app_label in APPS]


@pytest.mark.parametrize("model", READ_ONLY, ids=lambda model: model._meta.model_name)
def test_nobody_adds_changes_or_deletes_past_the_desk(client, model):
    """Also a superuser does not: by form, in a popup, by an action, or in another spelling."""
    welt = world(S.IN_REVIEW)
    row = model.objects.order_by("pk").first()
    pk = row.pk if row else 1
    name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
    forms = [
        (reverse(f"{name}_add"), {"status": "published"}),
        (f"{reverse(f'{name}_add')}?_popup=1", {"status": "published"}),
        (reverse(f"{name}_change", args=[pk]), {"status": "published", "_save": "1"}),
        (f"{reverse(f'{name}_change', args=[pk])}?_popup=1", {"status": "published"}),
        (reverse(f"{name}_delete", args=[pk]), {"post": "yes"}),
        (f"{reverse(f'{name}_delete', args=[pk])}?_popup=1", {"post": "yes"}),
        (
            reverse(f"{name}_changelist"),
            {"action": "delete_selected", "_selected_action": pk, "post": "yes"},
        ),
        (reverse(f"{name}_changelist"), {"form-TOTAL_FORMS": "1", "_save": "1"}),
    ]
    for role, person in people().items():
        client.logout()
        if person is not None:
            client.force_login(person)
        for address, form in forms:
            before = stored()
            response = client.post(address, form)
            assert changed(before, stored()) == set(), (role, address)
            assert response.status_code in (302, 403, 404, 200), (role, address)
            if ROLES[role] is None:
                assert outcome(response) == "login", (role, address)
        assert welt.assessment.events.count() == 1


def test_without_a_permission_no_field_of_the_desk_is_completed(client):
    client.force_login(people()["ohne Gruppe"])
    for model in READ_ONLY:
        query = {"app_label": model._meta.app_label, "model_name": model._meta.model_name}
        for name in (one.name for one in model._meta.concrete_fields if one.is_relation):
            response = client.get(
                reverse("admin:autocomplete"), query | {"field_name": name, "term": "a"}
            )
            assert response.status_code in (403, 404), (model, name)
