from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from parlamente.models import Antrag
from tests.citations.factories import make_pdf

from .factories import ParlamentFactory, ParteiFactory, WahlperiodeFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def pdf(tmp_path):
    path = tmp_path / "antrag.pdf"
    path.write_bytes(make_pdf("Der Landtag wolle beschließen: Es wird ein Beispiel gegeben."))
    return path


@pytest.fixture(autouse=True)
def bw():
    ParteiFactory(kuerzel="SPD")
    ParteiFactory(kuerzel="GRÜNE")
    return WahlperiodeFactory(parlament=ParlamentFactory(baden_wuerttemberg=True)).parlament


def run(path, **changes):
    options = {
        "--parlament": "BW",
        "--drucksache": "16/123",
        "--titel": "Ein Beispiel geben",
        "--datum": "2016-10-12",
        "--partei": "SPD",
    }
    arguments = [part for pair in (options | changes).items() for part in pair]
    out, err = StringIO(), StringIO()
    call_command("import_antrag", str(path), *arguments, stdout=out, stderr=err)
    return out.getvalue() + err.getvalue()


def test_it_prints_the_primary_key_and_the_next_command(pdf):
    out = run(pdf)
    antrag = Antrag.objects.get()
    assert out == (
        "Übernommen: BW 16/123 (SPD), Fassung 1.\n"
        f"Nummer der Zeile: {antrag.pk}\n"
        f"Weiter mit: manage.py assess {antrag.pk}\n"
    )


def test_the_second_time_it_is_already_there(pdf):
    run(pdf)
    assert run(pdf).startswith("Schon vorhanden: BW 16/123")
    assert Antrag.objects.count() == 1


def test_several_parties_and_a_code_in_small_letters(pdf):
    arguments = ["--parlament", "bw", "--drucksache", "16/5", "--titel", "T", "--datum"]
    arguments += ["2016-10-12", "--partei", "GRÜNE", "--partei", "SPD", "--typ", "gesetzentwurf"]
    call_command("import_antrag", str(pdf), *arguments, stdout=StringIO())
    antrag = Antrag.objects.get()
    assert [partei.kuerzel for partei in antrag.einbringende()] == ["GRÜNE", "SPD"]
    assert antrag.typ == "gesetzentwurf"


def test_a_file_without_text_is_imported_with_a_warning(tmp_path):
    path = tmp_path / "bild.pdf"
    path.write_bytes(make_pdf(""))
    assert "Nicht zitierfähig: " in run(path)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"--parlament": "XY"}, r"Das Parlament „XY“ ist nicht bekannt\. Bekannt: BW\."),
        ({"--drucksache": "abc"}, "antrag.pdf: „abc“ ist keine Drucksachennummer"),
        ({"--datum": "12.10.2016"}, "„12.10.2016“ ist kein Datum"),
        ({"--partei": "XYZ"}, "Die Partei „XYZ“ ist nicht bekannt"),
        ({"--typ": "brief"}, "Die Art „brief“ gibt es nicht"),
    ],
)
def test_bad_input_is_refused_in_german(pdf, changes, message):
    with pytest.raises(CommandError, match=message):
        run(pdf, **changes)
    assert not Antrag.objects.exists()


def test_a_missing_file_and_a_file_that_is_no_pdf_are_refused(tmp_path):
    with pytest.raises(CommandError, match="gibt es nicht"):
        run(tmp_path / "fehlt.pdf")
    path = tmp_path / "notiz.pdf"
    path.write_text("Kein PDF")
    with pytest.raises(CommandError, match=r"notiz\.pdf: "):
        run(path)


def test_without_parliaments_it_names_the_command_that_loads_them(pdf):
    from parlamente.models import Parlament

    Parlament.objects.all().delete()
    with pytest.raises(CommandError, match="load_parlamente"):
        run(pdf)
