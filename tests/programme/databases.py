"""Databases that measuring leaves on the server, for tests to clear away."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection


def databases() -> set[str]:
    with connection._nodb_cursor() as cursor:
        cursor.execute(r"SELECT datname FROM pg_database WHERE datname LIKE 'pruefsatz\_%'")
        return {name for (name,) in cursor.fetchall()}


@contextmanager
def drop_new_databases(django_db_blocker: Any) -> Iterator[None]:
    """Drops those that were made inside."""
    with django_db_blocker.unblock():
        before = databases()
    yield
    with django_db_blocker.unblock(), connection._nodb_cursor() as cursor:
        for name in databases() - before:
            cursor.execute(f'DROP DATABASE "{name}"')
