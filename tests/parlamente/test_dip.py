import json
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from parlamente.adapters import ADAPTERS
from parlamente.adapters.dip import DipAdapter, DipFehler, parse_seite
from parlamente.adapters.entwurf import AntragEntwurf, UnerkannteAntwort, Unlesbar

SAMPLES = Path(__file__).parent / "samples"
SINCE = datetime(2026, 10, 1, tzinfo=UTC)


def sample(name):
    return (SAMPLES / name).read_bytes()


class Replay:
    """The outside edge: answers each request with the next recorded page."""

    def __init__(self, *pages):
        self.pages = list(pages)
        self.requests = []

    def __call__(self, parameters):
        self.requests.append(dict(parameters))
        return self.pages.pop(0)


def test_a_record_becomes_a_draft():
    antrag = parse_seite(sample("dip-seite1.json")).saetze[0]
    assert isinstance(antrag, AntragEntwurf)
    assert str(antrag.drucksache) == antrag.drucksache_roh == "21/9001"
    assert antrag.titel == "Beispielhafte Radwege & Fußwege des Bundes"
    assert antrag.datum == date(2026, 10, 14)
    assert antrag.typ == "antrag"
    assert antrag.urheber_roh == ("Fraktion der CDU/CSU", "Fraktion der SPD")
    assert antrag.pdf_url == "https://dserver.example.org/900001.pdf"
    assert antrag.fremd_id == "900001"
    assert antrag.pdf is None


def test_papers_of_the_bundesrat_are_left_out():
    numbers = [
        satz.drucksache_roh
        for satz in parse_seite(sample("dip-seite2.json")).saetze
        if isinstance(satz, AntragEntwurf)
    ]
    assert numbers == ["21/9006"]


def test_a_record_that_cannot_be_read_is_named_not_dropped():
    unlesbar = parse_seite(sample("dip-seite2.json")).saetze[0]
    assert isinstance(unlesbar, Unlesbar)
    assert unlesbar.kennung == "BUND 21/9005"
    assert "datum" in unlesbar.grund


def test_an_empty_page_is_empty():
    seite = parse_seite(b'{"numFound": 0, "cursor": "A", "documents": []}')
    assert (seite.saetze, seite.treffer) == ((), 0)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html><title>Enodia</title></html>",
        b"[]",
        b"{}",
        b'{"numFound": 2, "cursor": "A"}',
        b'{"documents": [], "numFound": 0}',
        b'{"documents": {}, "numFound": 0, "cursor": "A"}',
    ],
)
def test_an_unrecognised_answer_raises_and_is_not_empty(body):
    with pytest.raises(UnerkannteAntwort):
        parse_seite(body)


def test_an_error_of_dip_keeps_its_code():
    with pytest.raises(DipFehler, match="400: Invalid cursor") as caught:
        parse_seite(b'{"code": 400, "message": "Invalid cursor"}')
    assert caught.value.code == 400


def test_fetch_follows_the_cursor_and_stops_at_the_empty_page():
    replay = Replay(sample("dip-seite1.json"), sample("dip-seite2.json"), sample("dip-ende.json"))
    saetze = list(DipAdapter(replay).fetch(SINCE))
    assert len(saetze) == 5
    assert [request.get("cursor") for request in replay.requests] == [
        None,
        "AoJ+beispiel/1=",
        "AoJ+beispiel/2=",
    ]
    assert {request["f.aktualisiert.start"] for request in replay.requests} == {
        "2026-10-01T00:00:00+00:00"
    }


def test_fetch_stops_when_the_cursor_does_not_change():
    same = json.dumps({**json.loads(sample("dip-seite1.json")), "numFound": 3}).encode()
    replay = Replay(same, same)
    list(DipAdapter(replay).fetch(SINCE))
    assert replay.pages == []


def test_fetch_raises_when_announced_records_do_not_come():
    replay = Replay(b'{"numFound": 7, "cursor": "A", "documents": []}')
    with pytest.raises(UnerkannteAntwort, match="meldet 7 Treffer"):
        list(DipAdapter(replay).fetch(SINCE))


def test_fetch_warns_when_fewer_records_come_than_announced(caplog):
    list(DipAdapter(Replay(sample("dip-seite1.json"), sample("dip-ende.json"))).fetch(SINCE))
    assert "DIP announced 6 documents and sent 3" in caplog.text


def test_fetch_needs_a_time_with_zone():
    with pytest.raises(ValueError, match="zone"):
        list(DipAdapter(Replay()).fetch(SINCE.replace(tzinfo=None)))


def test_the_table_of_adapters_agrees_with_their_codes():
    assert {code: make(Replay()).code for code, make in ADAPTERS.items()} == {"BUND": "BUND"}


@pytest.mark.shared
def test_the_recorded_pages_are_read(shared):
    folder = shared / "data" / "parlamente" / "BUND"
    pages = [
        (folder / name).read_bytes()
        for name in (
            "drucksache-seite1-reconstructed.json",
            "drucksache-seite2-ende-reconstructed.json",
        )
    ]
    first, second = DipAdapter(Replay(*pages)).fetch(SINCE)
    assert (first.drucksache_roh, first.urheber_roh) == ("19/1", ("Fraktion der CDU/CSU",))
    assert second.pdf_url == "https://dserver.bundestag.de/btd/21/076/2107636.pdf"
    assert second.personen == ("Götz Frömming, MdB, AfD",)
    for code in (400, 401):
        with pytest.raises(DipFehler) as caught:
            parse_seite((folder / f"fehler-{code}.json").read_bytes())
        assert caught.value.code == code
