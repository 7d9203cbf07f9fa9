from datetime import date

import pytest

from programme.angaben import read_csv, resolve
from programme.models import Programm
from programme.naming import UnklareAngaben
from tests.parlamente.factories import ParlamentFactory, ParteiFactory, WahlperiodeFactory

from .factories import ProgrammFactory

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def bw():
    parlament = ParlamentFactory(baden_wuerttemberg=True)
    WahlperiodeFactory(parlament=parlament, nummer=16, wahltag=date(2016, 3, 13))
    WahlperiodeFactory(parlament=parlament, nummer=17, wahltag=date(2021, 3, 14))
    ParteiFactory(kuerzel="SPD")
    ParteiFactory(kuerzel="GRÜNE", aliase=["DIE GRÜNEN"])
    return parlament


def test_name_alone_says_enough(bw):
    angaben = resolve({}, name="gruene-bw-2016.pdf")
    assert [partei.kuerzel for partei in angaben.parteien] == ["GRÜNE"]
    assert (angaben.parlament, angaben.jahr) == (bw, 2016)
    assert angaben.gueltig.lower == date(2016, 3, 13)
    assert angaben.gueltig.upper == date(2021, 3, 14)


def test_stated_values_override_the_name():
    angaben = resolve({"partei": "Die Grünen + SPD", "titel": "Gemeinsam"}, name="spd-bw-2016.pdf")
    assert {partei.kuerzel for partei in angaben.parteien} == {"GRÜNE", "SPD"}
    assert (angaben.titel, angaben.jahr) == ("Gemeinsam", 2016)


def test_unclear_name_does_not_matter_when_everything_is_stated(bw):
    angaben = resolve({"partei": "SPD", "parlament": "bw", "jahr": "2021"}, name="Scan 7.pdf")
    assert (angaben.parlament, angaben.jahr) == (bw, 2021)


def test_unclear_name_is_refused_when_something_is_missing():
    with pytest.raises(UnklareAngaben, match="Jahr"):
        resolve({"partei": "SPD"}, name="Scan 7.pdf")


def test_basic_programme_is_valid_everywhere_until_the_next_one():
    spd, gruene = ParteiFactory(kuerzel="SPD"), ParteiFactory(kuerzel="GRÜNE")
    ProgrammFactory(parteien=[spd], grundsatz=True, jahr=2007)
    ProgrammFactory(parteien=[gruene], grundsatz=True, jahr=2002)
    angaben = resolve({"parlament": "BW"}, name="spd-bw-grundsatz-1989.pdf")
    assert (angaben.typ, angaben.parlament) == (Programm.Typ.GRUNDSATZPROGRAMM, None)
    assert angaben.gueltig.lower == date(1989, 1, 1)
    assert angaben.gueltig.upper == date(2007, 1, 1)


def test_stated_validity_replaces_the_computed_one():
    angaben = resolve(
        {"gueltig_ab": "2014-05-25", "gueltig_bis": "31.12.2015"}, name="spd-bw-2014.pdf"
    )
    assert angaben.gueltig.lower == date(2014, 5, 25)
    assert angaben.gueltig.upper == date(2016, 1, 1)


@pytest.mark.parametrize(
    ("roh", "problem"),
    [
        ({"partei": "Bierpartei"}, "Bierpartei"),
        ({"partei": "+"}, "keine Partei"),
        ({"parlament": "XX"}, "XX"),
        ({"typ": "manifest"}, "manifest"),
        ({"jahr": "20l6"}, "20l6"),
        ({"jahr": "2014"}, "--gueltig-ab"),
        ({"gueltig_ab": "gestern"}, "gestern"),
        ({"gueltig_bis": "9999-12-31"}, r"31\.12\.9999.*offenes Ende bleibt leer"),
        ({"gueltig_bis": "31.12.2101"}, "zwischen 1900 und 2100"),
        ({"gueltig_ab": "0001-01-01"}, "zwischen 1900 und 2100"),
        ({"titel": "x" * 301}, "Titel: .*300"),
        ({"lizenzhinweis": "x" * 301}, "Hinweis zur Lizenz: .*300"),
        ({"quelle_url": f"https://example.org/{'x' * 500}"}, "Quelle: .*500"),
        ({"quelle_url": "javascript:alert(1)"}, "javascript"),
    ],
)
def test_unusable_value_is_refused_and_named(roh, problem):
    with pytest.raises(UnklareAngaben, match=problem):
        resolve(roh, name="spd-bw-2016.pdf")


def test_what_turns_the_direction_of_writing_is_left_out():
    roh = {"titel": "Liste\u202e Ufer", "lizenzhinweis": "\u2066© SPD\ud800", "partei": "SPD\u200f"}
    angaben = resolve(roh, name="spd-bw-2016.pdf")
    assert (angaben.titel, angaben.lizenzhinweis) == ("Liste Ufer", "© SPD")
    assert [partei.kuerzel for partei in angaben.parteien] == ["SPD"]


# --- programme.csv ------------------------------------------------------------------------------


@pytest.mark.parametrize("delimiter", [",", ";"])
def test_csv_gives_raw_values_per_file(tmp_path, delimiter):
    path = tmp_path / "programme.csv"
    lines = ["datei,partei,titel", "a.pdf,SPD+GRÜNE,Gemeinsam"]
    path.write_text("\ufeff" + "\n".join(lines).replace(",", delimiter), encoding="utf-8")
    assert read_csv(path) == {"a.pdf": {"partei": "SPD+GRÜNE", "titel": "Gemeinsam"}}


@pytest.mark.parametrize(
    "text", ["datei,farbe\na.pdf,rot", "partei\nSPD", "datei\na.pdf\na.pdf", "datei,partei\n,SPD"]
)
def test_csv_with_unknown_columns_or_unclear_rows_is_refused(tmp_path, text):
    path = tmp_path / "programme.csv"
    path.write_text(text)
    with pytest.raises(UnklareAngaben):
        read_csv(path)


@pytest.mark.parametrize("content", ["datei\nä.pdf".encode("latin-1"), b"datei\n" + b"x" * 200_000])
def test_csv_that_is_no_readable_table_is_refused_in_german(tmp_path, content):
    path = tmp_path / "programme.csv"
    path.write_bytes(content)
    with pytest.raises(UnklareAngaben, match="Die Tabelle ist nicht"):
        read_csv(path)
