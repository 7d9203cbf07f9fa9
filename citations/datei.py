"""The stored file behind a document, as it was when it came in or not at all."""

import hashlib

from django.core.exceptions import SuspiciousOperation

from .models import Dokument


class DateiUnbrauchbar(Exception):
    """The stored file is gone or no longer the one that was read; the message is German."""


def stored_bytes(dokument: Dokument) -> bytes:
    """The file's bytes, proved by their checksum. Raises DateiUnbrauchbar."""
    try:
        with dokument.file.open("rb") as file:
            data = bytes(file.read())
    except (OSError, ValueError, SuspiciousOperation) as error:  # no such file, or no name for one
        raise DateiUnbrauchbar("Die Datei fehlt.") from error
    if hashlib.sha256(data).hexdigest() != dokument.sha256:
        raise DateiUnbrauchbar("Die Datei ist nicht mehr die, die gelesen wurde.")
    return data
