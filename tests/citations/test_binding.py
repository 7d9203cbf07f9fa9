import json
from pathlib import Path

import pymupdf
import pytest

from citations import binding
from citations.binding import Bereich, Scope, bind, keep, reconstruct_zitate
from citations.models import Zitat
from citations.platz import Hindernis
from citations.reading import store_dokument
from citations.verification import Gegenstand, check_zitate, refuted

from .factories import DokumentFactory

pytestmark = pytest.mark.django_db

UFER = "Wir bauen bis 2029 in jeder Gemeinde einen kühlen Raum. Das Land zahlt die vollen Kosten."
WERK = (
    "Wir halten an den Nachweisen für saubere Lieferketten fest, auch wenn es schnell gehen muss."
)
SAMPLES = Path(__file__).resolve().parents[2] / "gwoe" / "demo" / "samples"


def scope_of(name, *dokumente):
    return Scope(name, tuple(Bereich(dokument.lesung) for dokument in dokumente))


def test_a_quote_is_bound_in_the_first_scope_where_it_stands():
    ufer, werk = DokumentFactory(UFER), DokumentFactory(WERK)
    quote = "an den Nachweisen für saubere Lieferketten"
    (bindung,) = bind([quote], [scope_of("eigene", ufer), Scope("überall", everywhere=True)])
    assert bindung.is_bound
    assert bindung.scope == "überall"
    assert bindung.zitat.extraktion.dokument == werk


def test_an_invented_quote_is_nowhere():
    dokument = DokumentFactory(UFER)
    quote = "Wir verbieten ab sofort sämtliche Klimaanlagen im ganzen Land."
    (bindung,) = bind([quote], [scope_of("eigene", dokument)])
    assert not bindung.is_bound
    assert bindung.zitat is None
    assert bindung.platz.hindernis is Hindernis.NICHT_GEFUNDEN


def test_the_same_place_is_stored_once():
    dokument = DokumentFactory(UFER)
    bindungen = bind([UFER, UFER.lower()], [scope_of("eigene", dokument)])
    assert keep(bindungen[0].zitat) == keep(bindungen[1].zitat)
    assert Zitat.objects.count() == 1


def test_every_sample_quote_is_placed_or_held_back_as_expected():
    """The samples' own list says of each quote whether the public may see it unedited."""
    rows = json.loads((SAMPLES / "antworten" / "erwartung.json").read_text())
    dokumente = {
        path.stem: store_dokument(path.read_bytes(), name=path.name)
        for path in SAMPLES.glob("*.pdf")
    }
    wrong = []
    for row in rows:
        if row["klasse"] in ("andere_partei", "veraltet", "anderes_land"):
            continue  # true words: what is wrong is their source, which assessments judge
        named = row.get("dokument")
        scopes = [scope_of("alle", *(dokumente.values() if not named else [dokumente[named]]))]
        (bindung,) = bind([row["text"]], scopes)
        if bindung.is_bound != row["oeffentlich"]:
            wrong.append((row["wo"], row["klasse"], bindung.platz, bindung.urteil))
        elif bindung.is_bound and row["seite"]:
            assert bindung.zitat.seite == row["seite"], row
    assert wrong == []


def test_stored_zitate_are_proved_again():
    dokument = DokumentFactory(UFER, WERK)
    bindungen = bind([UFER, WERK], [scope_of("eigene", dokument)])
    zitate = [keep(bindung.zitat) for bindung in bindungen]
    assert [urteil.ergebnis for _, urteil in check_zitate(zitate)] == ["bewiesen", "bewiesen"]


def test_a_justified_line_is_marked_in_one_piece():
    """Words that are set apart by position only, as justified lines have them."""
    document = pymupdf.open()
    page = document.new_page(width=420, height=595)
    x = 40.0
    for word in ["Schienenverkehr", "verwendet", "wird", "und", "Bedingungen"]:
        page.insert_text((x, 120), word, fontsize=9)
        x += pymupdf.get_text_length(word, fontsize=9) + 14
    dokument = store_dokument(document.tobytes(), name="blocksatz.pdf")
    quote = "Schienenverkehr verwendet wird und Bedingungen"
    (bindung,) = bind([quote], [scope_of("eigene", dokument)])
    assert bindung.is_bound
    assert len(bindung.zitat.rects) == 1


def test_a_footnote_mark_inside_a_quote_is_not_marked():
    document = pymupdf.open()
    page = document.new_page(width=420, height=595)
    page.insert_text((40, 120), "Das Land baut tausend Wohnungen", fontsize=10)
    width = pymupdf.get_text_length("Das Land baut tausend Wohnungen", fontsize=10)
    page.insert_text((40 + width, 116), "27", fontsize=6)
    page.insert_text((40 + width + 7, 120), " im Jahr und danach noch mehr.", fontsize=10)
    dokument = store_dokument(document.tobytes(), name="fussnote.pdf")
    quote = "Das Land baut tausend Wohnungen im Jahr und danach noch mehr."
    (bindung,) = bind([quote], [scope_of("eigene", dokument)])
    assert bindung.is_bound, bindung


def test_where_the_first_of_equal_places_is_refuted_the_next_one_is_taken():
    damaged, whole = DokumentFactory(UFER, name="eins.pdf"), DokumentFactory(f"Zwei. {UFER}")
    Path(damaged.file.path).write_bytes(b"%PDF-1.7 something else")
    scopes = [scope_of("eigene", damaged, whole)]
    (bindung, alone) = reconstruct_zitate([(UFER, scopes), (UFER, [scope_of("a", damaged)])])
    assert bindung.is_bound
    assert bindung.zitat.extraktion.dokument == whole
    assert alone.platz.hindernis is Hindernis.NICHT_BEWIESEN


def test_where_one_page_is_refuted_the_same_words_on_another_are_taken(monkeypatch):
    dokument = DokumentFactory(UFER, f"Noch einmal: {UFER}")

    def only_page_two(zitate):
        for zitat, urteil in check_zitate(zitate):
            is_first = zitat.seite == 1
            yield zitat, refuted(Gegenstand.MARKIERUNG, "anders") if is_first else urteil

    monkeypatch.setattr(binding, "check_zitate", only_page_two)
    (bindung,) = bind([UFER], [scope_of("eigene", dokument)])
    assert bindung.is_bound
    assert bindung.zitat.seite == 2
