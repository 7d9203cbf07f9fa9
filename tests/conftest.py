"""What every test gets: the real database, no network, a media folder of its own."""

import os
from pathlib import Path

import pytest
from django.core.cache import cache
from django.db import connections
from pytest_socket import socket_allow_hosts

from gwoe.postgres.base import DatabaseWrapper

from . import strict_templates

SHARED = Path(os.environ.get("GWOE_SHARED", Path(__file__).resolve().parents[2] / "shared"))


@pytest.fixture(autouse=True)
def only_loopback():
    """No test reaches the outside; unix sockets (database) and loopback (replay server) stay."""
    socket_allow_hosts(["127.0.0.1", "::1"], allow_unix_socket=True)


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    cache.clear()  # which pages could not be drawn is remembered there


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real documents beside the checkout."""
    if not (SHARED / "data").exists():
        pytest.skip("the shared data folder is absent")
    return SHARED


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup, django_db_blocker):
    """The test database, which a thread of the live server may still look at when it is dropped.

    Further databases that tests build are copies of it as it was when it was made.
    """
    connection = connections["default"]
    name = connection.settings_dict["NAME"]
    template = f"{name}_vorlage"
    with django_db_blocker.unblock():
        connection.close()
        on_server(connection, f'DROP DATABASE IF EXISTS "{template}"')
        on_server(connection, f'CREATE DATABASE "{template}" TEMPLATE "{name}"')
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(connection.settings_dict["TEST"], "TEMPLATE", template)
        yield
    with django_db_blocker.unblock():
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        connection.close()
        on_server(connection, f'DROP DATABASE "{template}"')


def on_server(connection, statement: str) -> None:
    """Outside of any transaction, and of the connection's own database."""
    with connection._nodb_cursor() as cursor:
        cursor.execute(statement)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    """Files with a long test first: for one that begins last all processes wait."""
    if not hasattr(config, "workerinput"):
        return
    long = {item.path for item in items if item.get_closest_marker("ausdauer")}
    items.sort(key=lambda item: item.path not in long)


def pytest_configure(config):
    strict_templates.install()
    connection = connections["default"]
    if isinstance(connection, DatabaseWrapper):
        config.stash[STARTED_HERE] = not connection.server.is_running()


def pytest_unconfigure(config):
    """A server that this run started is stopped again, unless somebody else uses it by now."""
    if config.stash.get(STARTED_HERE, False):
        connections["default"].server.stop_if_unused()


STARTED_HERE = pytest.StashKey[bool]()
