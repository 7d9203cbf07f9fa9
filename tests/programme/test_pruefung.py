"""Files that look like a programme and are none."""

from hashlib import sha256

import pytest

from programme.pruefung import Erwartung, examine
from tests.citations.factories import locked_pdf, make_pdf

from .sources import programm_pdf

ERWARTUNG = Erwartung(parteien={"SPD": ["SPD"]}, land="Hessen", jahr=2023)
TITEL = "Wahlprogramm der SPD Hessen zur Landtagswahl 2023"


def reasons(data, **more):
    return examine(data, Erwartung(**{**vars(ERWARTUNG), **more})).gruende


def test_a_programme_is_recognised():
    data = programm_pdf(TITEL)
    befund = examine(data, ERWARTUNG)
    assert befund.ok
    assert (befund.seiten, befund.sha256) == (24, sha256(data).hexdigest())


def test_an_archive_of_saved_error_pages_is_refused():
    """With party, Land and year in its menu, and many pages."""
    for satz in (
        "404 Not Found",
        "Fehler 404",
        "Die Seite wurde nicht gefunden",
        "Diese Seite konnte leider nicht gefunden werden",
        "Page not found",
        "Zugriff verweigert",
    ):
        data = programm_pdf(f"{TITEL}\n\n{satz}")
        assert reasons(data) == ["Die Datei ist eine gespeicherte Fehlerseite."], satz


def test_a_programme_may_speak_of_what_is_not_found():
    data = programm_pdf(f"{TITEL}\nWohnungen, die nicht gefunden werden, und 404 neue Lehrkräfte.")
    assert reasons(data) == []


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"<html>nichts</html>", "keine PDF-Datei"),
        (b"", "leer"),
        (programm_pdf(TITEL)[:2000], "beschädigt"),
        (locked_pdf(), "Passwort"),
    ],
)
def test_what_the_reader_refuses_is_refused(data, reason):
    assert reason in " ".join(reasons(data))


def test_pictures_of_pages_are_refused():
    assert reasons(make_pdf(TITEL, *[" "] * 23)) == ["Die Datei enthält kaum lesbaren Text."]


def test_a_leaflet_is_no_programme_unless_it_is_known_to_be_one():
    data = programm_pdf(TITEL, seiten=4)
    assert reasons(data) == ["Die Datei hat nur 4 Seiten, ein Programm mindestens 20."]
    assert reasons(data, seiten=4) == []


def test_another_number_of_pages_is_another_edition():
    assert reasons(programm_pdf(TITEL), seiten=66) == ["Die Datei hat 24 Seiten, bekannt sind 66."]


def test_another_checksum_is_another_file():
    data = programm_pdf(TITEL)
    assert reasons(data, sha256=sha256(data).hexdigest()) == []
    assert reasons(data, sha256="0" * 64) == ["Die Prüfsumme ist eine andere als die bekannte."]


@pytest.mark.parametrize(
    ("titel", "missing"),
    [
        ("Wahlprogramm der CDU Hessen 2023", "die Partei SPD"),
        ("Wahlprogramm der SPD Thüringen 2023", "das Land Hessen"),
        ("Wahlprogramm der SPD Hessen 2018", "das Jahr 2023"),
    ],
)
def test_another_programme_is_refused(titel, missing):
    assert reasons(programm_pdf(titel)) == [f"Auf den ersten Seiten fehlt {missing}."]
