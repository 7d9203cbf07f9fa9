"""A real Chromium for the pages; skipped where there is none, a failure in CI."""

import os
import shutil
import time

import pytest
from django.conf import settings
from django.contrib.staticfiles.handlers import StaticFilesHandlerMixin
from django.db import connection
from django.test import Client
from playwright.sync_api import sync_playwright

from tests.assessments.factories import UserFactory

# Quiet and without any call to the outside; as root Chromium has no sandbox.
ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def kept_static_files():
    """Browsers keep style sheets and scripts, as they do in production; Django's test server asks
    them not to."""
    serve = StaticFilesHandlerMixin.serve

    def serve_and_keep(self, request):
        response = serve(self, request)
        response.headers["Cache-Control"] = "max-age=3600"
        return response

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(StaticFilesHandlerMixin, "serve", serve_and_keep)
        yield


@pytest.fixture(scope="session")
def chromium(kept_static_files):
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        if os.environ.get("CI"):
            pytest.fail("no Chromium is installed")
        pytest.skip("no Chromium is installed")
    # Playwright's loop runs in this thread, where the tests also ask the database.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


def _is_complaint(message, page) -> bool:
    """An error page that a test opens is none."""
    is_own_answer = "status of 4" in message.text and message.location["url"] == page.url
    return message.type == "error" and not is_own_answer


def _words(message) -> str:
    return f"{message.text} {message.location['url']}"


@pytest.fixture
def open_page(chromium, live_server):
    """`open_page(width=390, color_scheme="dark", …)`: a page of the running site.

    Whatever the browser's console complains about, above all the Content-Security-Policy, fails
    the test at its end.
    """
    contexts, complaints = [], []

    def _open(*, width=1280, height=900, **options):
        context = chromium.new_context(
            base_url=live_server.url,
            viewport={"width": width, "height": height},
            locale="de-DE",
            **options,
        )
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda m: _is_complaint(m, page) and complaints.append(_words(m)))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        return page

    yield _open
    for context in contexts:
        context.close()
    _wait_for_the_server()
    assert [text for text in complaints if "favicon" not in text] == []


def _wait_for_the_server() -> None:
    """A request that the closed page had sent would read tables while they are emptied."""
    busy = (
        "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() "
        "AND pid <> pg_backend_pid() AND state <> 'idle')"
    )
    until = time.monotonic() + 10
    with connection.cursor() as cursor:
        while time.monotonic() < until:
            cursor.execute(busy)
            if not cursor.fetchone()[0]:
                return
            time.sleep(0.05)


@pytest.fixture
def signed_in(open_page, live_server, admin_client, settings):
    """Like `open_page`, for somebody who may do everything in the admin."""

    def _page(**options):
        page = open_page(**options)
        name = settings.SESSION_COOKIE_NAME
        cookie = {"name": name, "value": admin_client.cookies[name].value, "url": live_server.url}
        page.context.add_cookies([cookie])
        return page

    return _page


@pytest.fixture
def log_in_as(live_server):
    """Puts a person's session into the page's context."""

    def _log_in(page, person):
        client = Client()
        client.force_login(person)
        session = client.cookies[settings.SESSION_COOKIE_NAME].value
        page.context.add_cookies(
            [{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}]
        )

    return _log_in


@pytest.fixture
def log_in(log_in_as):
    """The same for somebody new, by default one who may approve; returns the person."""

    def _log_in(page, **traits):
        person = UserFactory(**(traits or {"approver": True}))
        log_in_as(page, person)
        return person

    return _log_in
