"""Options that several commands have."""

from argparse import ArgumentParser, ArgumentTypeError

from programme.prozesse import cores


def add_processes(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--processes",
        type=_at_least_one,
        default=cores(),
        help="how many processes read and embed; otherwise one per core",
    )


def _at_least_one(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise ArgumentTypeError("at least 1")
    return int(text)
