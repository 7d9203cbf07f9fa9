"""From the link to the desk in a real browser: by keyboard alone, and under the strict policy."""

from base64 import b32decode

import pytest
from django.contrib.auth.models import Group
from django.core.management import call_command
from django.urls import reverse
from django_otp.plugins.otp_totp.models import TOTPDevice
from playwright.sync_api import expect

from konten import einladungen
from tests.konten.factories import PASSWORD, account, code_of, with_device

from .blick import Blick

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def on(settings):
    settings.ZWEITER_FAKTOR = True
    call_command("setup_groups", verbosity=0)


@pytest.fixture
def leitung():
    return account("leitung", "Leitung")


@pytest.fixture
def link(leitung):
    groups = Group.objects.filter(name="Redaktion")
    _, secret = einladungen.invite("neue.person", by=leitung, groups=groups)
    return f"{reverse('admin:einladung')}#{secret}"


def type_and_send(page, *texts):
    """Into the field that has the focus and those after it."""
    for number, text in enumerate(texts):
        if number:
            page.keyboard.press("Tab")
        page.keyboard.type(text)
    with page.expect_navigation():
        page.keyboard.press("Enter")


def send(page):
    with page.expect_navigation():
        page.click("input[type=submit]")


def code_from_the_key(page):
    """What an app would show in which somebody typed the key."""
    key = b32decode(page.inner_text("#schluessel").replace(" ", ""))
    return code_of(TOTPDevice(key=key.hex()))


def test_from_the_link_to_the_desk_by_keyboard_alone(open_page, link):
    page = open_page()
    page.goto(link)
    assert "#" not in page.url  # out of the address line, and not in the history
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert page.input_value("#id_name") == "neue.person"
    page.focus("#id_new_password1")
    type_and_send(page, PASSWORD, PASSWORD)
    assert "Ihr Passwort gilt" in page.inner_text(".messagelist")
    type_and_send(page, "neue.person", PASSWORD)
    expect(page.locator("svg.qr")).to_be_visible()
    type_and_send(page, code_from_the_key(page))
    assert page.locator(".codes li").count() == 10
    page.get_by_role("link", name="Ich habe sie aufgeschrieben").focus()
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert page.url.endswith(reverse("admin:index"))


def test_without_scripts_the_code_is_typed_in(open_page, link):
    page = open_page(java_script_enabled=False)
    page.goto(link)
    page.fill("#id_code", link.split("#")[1])
    send(page)
    assert page.input_value("#id_name") == "neue.person"


def test_axe_finds_nothing_and_nothing_scrolls_sideways(open_page, leitung, link):
    account("ohne.geraet", "Redaktion")
    device, _ = with_device(leitung)
    page = open_page()
    blick = Blick(page)

    def log_in(username):
        page.goto(reverse("admin:login"))
        page.fill("#id_username", username)
        page.fill("#id_password", PASSWORD)
        send(page)

    page.goto(link)
    blick.look_here()
    send(page)
    blick.look_here()
    log_in("ohne.geraet")
    blick.look_here()
    type_and_send(page, code_from_the_key(page))
    blick.look_here()
    page.context.clear_cookies()
    log_in("leitung")
    type_and_send(page, "000000")
    blick.look_here()
    TOTPDevice.objects.update(throttling_failure_count=0)
    page.fill("#id_code", code_of(device))
    send(page)
    konto = leitung.__class__.objects.get(username="neue.person")
    for address in (
        reverse("admin:konten_einladung_add"),
        reverse("admin:zweiter_faktor_geraet"),
    ):
        blick.look(address)
    page.goto(reverse("admin:konten_konto_change", args=[konto.pk]))
    with page.expect_navigation():
        page.get_by_role("button", name="Neuen Einladungslink ausstellen").click()
    expect(page.locator("code.geheim")).to_be_visible()
    blick.look_here()
    blick.require_nothing()
