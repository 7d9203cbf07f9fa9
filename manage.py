#!/usr/bin/env python
"""Django's command line; without DJANGO_SETTINGS_MODULE the development settings apply."""

import os
import sys


def _require_utf8(arguments: list[str]) -> None:
    """Bytes that are no UTF-8 arrive as halves of surrogate pairs, which no database stores."""
    for argument in arguments:
        if any("\ud800" <= character <= "\udfff" for character in argument):
            sys.exit(
                f"Das Argument „{argument}“ ist kein gültiges UTF-8. Heißt eine Datei so, "
                "benennen Sie sie vorher um."
            )


def main() -> None:
    _require_utf8(sys.argv)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gwoe.settings.dev")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
