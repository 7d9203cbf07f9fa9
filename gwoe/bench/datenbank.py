"""A database for measuring, made and dropped again: no figure depends on what is stored here."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory

from django.db import connection
from django.test.utils import override_settings

from citations import lesetext


@contextmanager
def scratch() -> Iterator[None]:
    """Everything inside stores into an empty database and a media folder of its own.

    Without DEBUG, as in production: with it Django keeps the text of every statement.
    """
    name = connection.settings_dict["NAME"]
    connection.settings_dict["TEST"] = {
        **connection.settings_dict["TEST"],
        "NAME": f"bench_{os.getpid()}",
    }
    with TemporaryDirectory() as folder, override_settings(MEDIA_ROOT=folder, DEBUG=False):
        connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
        lesetext.forget()
        try:
            yield
        finally:
            lesetext.forget()
            connection.creation.destroy_test_db(name, verbosity=0)
