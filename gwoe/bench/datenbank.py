"""A database for measuring: no figure depends on what is stored here."""

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.test.utils import override_settings

from citations import lesetext


@contextmanager
def scratch() -> Iterator[None]:
    """Everything inside stores into an empty database and a media folder of its own.

    Without DEBUG, as in production: with it Django keeps the text of every statement.
    """
    name = connection.settings_dict["NAME"]
    with TemporaryDirectory() as folder, override_settings(MEDIA_ROOT=folder, DEBUG=False):
        _create(f"bench_{os.getpid()}")
        try:
            yield
        finally:
            lesetext.forget()
            connection.creation.destroy_test_db(name, verbosity=0)


@contextmanager
def kept(name: str, fill: Callable[[], None], *, code: Path) -> Iterator[None]:
    """The same in a database that stays: `fill`, whose file is `code`, is called where none of
    this name, file and migrations is there, and older ones of the name are dropped then.
    """
    own = connection.settings_dict["NAME"]
    folder = Path(settings.VAR_DIR) / f"bench-{name}"
    database = f"bench_{name}_{_version(code)}"
    with override_settings(MEDIA_ROOT=folder, DEBUG=False):
        try:
            if database not in _databases(name):
                _build(database, fill, older=_databases(name), own=own)
            _use(database)
            yield
        finally:
            _use(own)


def _build(database: str, fill: Callable[[], None], *, older: list[str], own: str) -> None:
    """Under another name until it is whole: one that a killed run left behind is never used."""
    _create(f"{database}_neu")
    fill()
    _use(own)
    quote = connection.ops.quote_name
    with connection._nodb_cursor() as cursor:
        for name in older:
            cursor.execute(f"DROP DATABASE IF EXISTS {quote(name)}")
        cursor.execute(f"ALTER DATABASE {quote(f'{database}_neu')} RENAME TO {quote(database)}")


def _version(code: Path) -> str:
    migrations = sorted(MigrationLoader(None).disk_migrations)
    return hashlib.sha256(str(migrations).encode() + code.read_bytes()).hexdigest()[:12]


def _databases(name: str) -> list[str]:
    pattern = f"bench_{name}_".replace("_", r"\_") + "%"
    with connection._nodb_cursor() as cursor:
        cursor.execute("SELECT datname FROM pg_database WHERE datname LIKE %s", [pattern])
        return [found for (found,) in cursor.fetchall() if not found.endswith("_neu")]


def _create(name: str) -> None:
    """An empty database of this name, in the place of another one; it is the one in use then."""
    before = connection.settings_dict["TEST"]
    connection.settings_dict["TEST"] = {**before, "NAME": name}
    try:
        connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    finally:
        connection.settings_dict["TEST"] = before
    lesetext.forget()


def _use(name: str) -> None:
    connection.close()
    connection.settings_dict["NAME"] = name
    lesetext.forget()
