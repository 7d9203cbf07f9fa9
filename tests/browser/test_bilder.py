"""The pictures of the editors' handbook show the desk as it is.

Beside each picture lies what a screen reader says of the same part: names, states and texts. Pixels
differ from machine to machine, these do not. Where a page says something else than its picture's
text, this fails, and `make bilder` takes the pictures anew.
"""

import io
import itertools
import os
import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone
from PIL import Image

from tests.gwoe.conftest import musterland, replay  # noqa: F401  fixtures

from .bilder import BILDER, JETZT, Szene

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

HANDBOOK = Path(__file__).resolve().parents[2] / "docs" / "redaktion"
FOLDER = HANDBOOK / "bilder"
MAX_BYTES = 120_000
COLOURS = 64
# An alternative text that only names the picture would be shorter.
MIN_ALT = 40
# Keys in addresses differ from one database to the next.
ADDRESS = re.compile(r"^ *- /url: .*\n", re.MULTILINE)
IN_TEXT = re.compile(r"!\[([^\]]*)\]\(bilder/([\w-]+)\.webp\)")


@pytest.fixture
def clock(monkeypatch):
    """Stands, but for a moment at each look, so that things still happen one after the other."""
    ticks = itertools.count()
    now = lambda: JETZT + timedelta(microseconds=100 * next(ticks))  # noqa: E731
    monkeypatch.setattr(timezone, "now", now)


@pytest.fixture
def szene(clock, musterland, replay):  # noqa: F811
    return Szene(musterland)


def test_the_pages_are_as_the_pictures_show_them(open_page, log_in_as, szene):
    wanted = os.environ.get("GWOE_BILDER")
    pages = {}
    for name in ("kim", "robin", "mika"):
        pages[name] = open_page(width=1280, height=900, color_scheme="light")
        log_in_as(pages[name], getattr(szene, name))
    other = []
    for bild in BILDER:
        page = pages[bild.person]
        part = open_part(bild, szene, page)
        text = ADDRESS.sub("", part.aria_snapshot() + "\n")
        if wanted:
            write(bild.name, part.screenshot(animations="disabled"), text)
        elif text != read(bild.name):
            other.append(bild.name)
    assert not other, "these pages say something else than their pictures: run `make bilder`"


def open_part(bild, szene, page):
    bild.before(szene, page)
    page.goto(bild.address(szene))
    page.wait_for_load_state("networkidle")
    bild.then(szene, page)
    return page.locator(bild.part).first


def write(name: str, png: bytes, text: str) -> None:
    FOLDER.mkdir(exist_ok=True)
    picture = Image.open(io.BytesIO(png)).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    picture.convert("RGB").save(FOLDER / f"{name}.webp", lossless=True, method=6)
    (FOLDER / f"{name}.txt").write_text(text, encoding="utf-8")


def read(name: str) -> str:
    path = FOLDER / f"{name}.txt"
    return path.read_text(encoding="utf-8") if path.exists() else ""


def test_every_picture_is_small_and_none_is_left_over():
    names = {bild.name for bild in BILDER}
    assert {path.name for path in FOLDER.iterdir()} == {
        f"{name}.{kind}" for name in names for kind in ("webp", "txt")
    }
    large = [path.name for path in FOLDER.iterdir() if path.stat().st_size >= MAX_BYTES]
    assert not large


def test_every_picture_is_in_the_handbook_and_has_a_text_in_its_place():
    chapters = [path.read_text(encoding="utf-8") for path in HANDBOOK.glob("*.md")]
    found = [pair for chapter in chapters for pair in IN_TEXT.findall(chapter)]
    assert {name for _, name in found} == {bild.name for bild in BILDER}
    assert [name for alt, name in found if len(alt) < MIN_ALT] == []
