"""Databases that measuring leaves on the server, for tests to clear away."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection

from programme import pruefdatenbank


def databases() -> set[str]:
    """Those of this process."""
    with connection._nodb_cursor() as cursor:
        cursor.execute(
            "SELECT datname FROM pg_database WHERE starts_with(datname, %s)",
            [f"{pruefdatenbank.PREFIX}_"],
        )
        return {name for (name,) in cursor.fetchall()}


@contextmanager
def drop_new_databases(django_db_blocker: Any) -> Iterator[None]:
    """Drops those that were made inside, under names that no other process uses."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pruefdatenbank, "PREFIX", f"probe{secrets.token_hex(4)}")
        yield
        with django_db_blocker.unblock(), connection._nodb_cursor() as cursor:
            for name in databases():
                cursor.execute(f'DROP DATABASE "{name}"')
