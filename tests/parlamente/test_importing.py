from datetime import date
from pathlib import Path

import pytest

from citations.models import Dokument
from citations.reading import UnbrauchbaresDokument
from parlamente.adapters.dip import parse_seite
from parlamente.adapters.entwurf import AntragEntwurf, Unlesbar
from parlamente.drucksache import parse_drucksache
from parlamente.facts import DATEI, read_fakten
from parlamente.importing import (
    Antragsangaben,
    UnbrauchbarerAntrag,
    import_antraege,
    import_antrag,
)
from parlamente.loading import load_fakten
from parlamente.models import Antrag, Fassung, Parlament, Urheber
from parlamente.typen import normalise_typ
from tests.citations.factories import locked_pdf, make_pdf

pytestmark = pytest.mark.django_db

SAMPLES = Path(__file__).parent / "samples"
PDF = make_pdf("Der Landtag wolle beschließen: Es wird ein Beispiel gegeben, das alle verstehen.")
ANOTHER_PDF = make_pdf("Der Landtag wolle beschließen: Es werden zwei Beispiele gegeben.")


@pytest.fixture(autouse=True)
def facts():
    load_fakten(read_fakten(DATEI))


def land(code="BW"):
    return Parlament.objects.get(code=code)


def entwurf(roh="16/123", *, parlament="BW", typ="Antrag", urheber="Fraktion der SPD", **values):
    standard = {
        "titel": "Ein Beispiel geben",
        "datum": date(2016, 10, 12),
        "urheber_roh": (urheber,),
    }
    return AntragEntwurf(
        parlament=parlament,
        drucksache=parse_drucksache(roh),
        drucksache_roh=roh,
        typ=normalise_typ(typ),
        typ_roh=typ,
        **standard | values,
    )


def upload(**values):
    standard = {
        "parlament": land(),
        "drucksache": "16/123",
        "titel": "Ein Beispiel geben",
        "datum": date(2016, 10, 12),
        "urheber": "Fraktion der SPD",
    }
    pdf = values.pop("pdf", PDF)
    return import_antrag(pdf, Antragsangaben(**standard | values))


def submitters(antrag):
    return [partei.kuerzel for partei in antrag.einbringende()]


def everything():
    models = (Antrag, Fassung, Urheber, Dokument)
    return [list(model.objects.order_by("pk").values()) for model in models]


# --- Many records ------------------------------------------------------------------------------


def test_a_second_run_changes_nothing():
    records = [entwurf(pdf=PDF), entwurf("16/124", urheber="GRÜNE, CDU")]
    first = import_antraege(land(), records)
    before = everything()
    second = import_antraege(land(), records)
    assert everything() == before
    assert (first.neu, first.neue_fassungen, second.neu, second.unveraendert) == (2, 1, 0, 2)


def test_a_record_without_a_file_makes_a_motion_without_text():
    import_antraege(land(), [entwurf(pdf_url="https://example.org/16-123.pdf", fremd_id="7")])
    antrag = Antrag.objects.get()
    assert (antrag.quelle_url, antrag.fremd_id) == ("https://example.org/16-123.pdf", "7")
    assert not antrag.fassungen.exists()


def test_a_file_that_comes_later_is_the_first_text():
    import_antraege(land(), [entwurf()])
    import_antraege(land(), [entwurf(pdf=PDF)])
    assert Antrag.objects.get().fassung.nr == 1


@pytest.mark.parametrize(
    ("roh", "bezeichnung"), [("16/123-neu", "neu"), ("16/123", "geänderte Datei")]
)
def test_another_text_of_the_same_number_is_a_fassung_not_a_motion(roh, bezeichnung):
    import_antraege(land(), [entwurf(pdf=PDF)])
    bericht = import_antraege(land(), [entwurf(roh, pdf=ANOTHER_PDF)])
    antrag = Antrag.objects.get()
    assert (bericht.neu, bericht.neue_fassungen) == (0, 1)
    assert (antrag.fassung.nr, antrag.fassung.bezeichnung) == (2, bezeichnung)
    assert antrag.drucksache == "16/123"


def test_the_old_text_never_follows_the_new_one():
    import_antraege(land(), [entwurf("16/123-neu", pdf=ANOTHER_PDF)])
    bericht = import_antraege(land(), [entwurf(pdf=PDF)])
    assert "schon die Fassung „neu“" in bericht.fehler[0]
    assert Antrag.objects.get().fassung.bezeichnung == "neu"


def test_one_bad_record_is_told_and_stops_nothing():
    bericht = import_antraege(
        land(),
        [
            Unlesbar("BW 16/1", "Satz nicht lesbar"),
            entwurf("16/2", pdf=b"<html>Wartung</html>"),
            entwurf("11/3"),
            entwurf("16/4", titel="x" * 501),
            entwurf("16/5", parlament="BY"),
            entwurf("16/6", datum=date(2026, 10, 12)),
            entwurf("16/7", urheber_roh=()),
            entwurf("16/123"),
        ],
    )
    assert [antrag.drucksache for antrag in Antrag.objects.all()] == ["16/123"]
    assert [line.split(":")[0] for line in bericht.fehler] == [
        "BW 16/1",
        "BW 16/2",
        "BW 11/3",
        "BW 16/4",
        "BY 16/5",
        "BW 16/6",
        "BW 16/7",
    ]
    assert "11. Wahlperiode ist für Landtag von Baden-Württemberg nicht" in bericht.fehler[2]
    assert "Titel: " in bericht.fehler[3]
    assert "12.10.2026 liegt nicht in der 16. Wahlperiode" in bericht.fehler[5]
    assert not Dokument.objects.exists()


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"typ": "Kleine Anfrage"}, "Art „Kleine Anfrage“"),
        ({"typ": "Unterrichtung"}, "Art „Unterrichtung“"),
        ({"typ": "Gesetzentwurf", "urheber": "Landesregierung"}, "eingebracht von Landesregierung"),
    ],
)
def test_what_is_no_motion_from_the_floor_is_skipped_and_told(values, reason):
    bericht = import_antraege(land(), [entwurf(**values)])
    assert bericht.uebersprungen == [f"BW 16/123: {reason}"]
    assert not Antrag.objects.exists()


def test_a_wahlperiode_whose_end_means_none_is_no_obstacle():
    land().wahlperioden.filter(nummer=16).update(ende=date.max)
    assert import_antraege(land(), [entwurf()]).neu == 1


def test_a_record_that_cannot_be_stored_is_told():
    records = [entwurf(quelle_url="https://example.org/\ud800"), entwurf(fremd_id="7\x00")]
    bericht = import_antraege(land(), records)
    assert ["U+D800" in bericht.fehler[0], "U+0000" in bericht.fehler[1]] == [True, True]
    assert not Antrag.objects.exists()


def test_what_the_source_says_otherwise_now_is_told_and_overwrites_no_editor():
    import_antraege(land(), [entwurf()])
    Antrag.objects.update(titel="Von der Redaktion berichtigt")
    bericht = import_antraege(land(), [entwurf(urheber="SPD, CDU")])
    assert bericht.abweichungen == [
        "BW 16/123: Titel „Ein Beispiel geben“ statt „Von der Redaktion berichtigt“",
        "BW 16/123: Parteien „CDU, SPD“ statt „SPD“",
    ]
    assert Antrag.objects.get().titel == "Von der Redaktion berichtigt"
    assert submitters(Antrag.objects.get()) == ["SPD"]


def test_an_unknown_originator_is_kept_and_logged_once(caplog):
    records = [
        entwurf("16/1", urheber="Bund der Wolken"),
        entwurf("16/2", urheber="Bund der Wolken"),
    ]
    import_antraege(land(), records)
    assert [u.art for u in Urheber.objects.all()] == ["sonstige", "sonstige"]
    assert caplog.text.count("Bund der Wolken") == 1


def test_members_are_taken_only_where_no_group_submits():
    persons = ("Alex Beispiel, MdL, SPD",)
    import_antraege(
        land(),
        [
            entwurf("16/1", personen=persons),
            entwurf("16/2", urheber_roh=(), personen=persons),
        ],
    )
    assert list(Urheber.objects.order_by("pk").values_list("roh", "art")) == [
        ("Fraktion der SPD", "fraktion"),
        ("Alex Beispiel, MdL, SPD", "person"),
    ]


def test_freie_waehler_of_brandenburg_are_stored_as_bvb():
    records = [
        entwurf("7/1", parlament="BB", urheber="FREIE WÄHLER", datum=date(2021, 1, 1)),
    ]
    import_antraege(land("BB"), records)
    assert submitters(Antrag.objects.get()) == ["BVB-FW"]


def test_the_number_decides_the_wahlperiode_around_a_change():
    """A paper may carry the new number before the first sitting."""
    record = entwurf("19/1", parlament="BE", datum=date(2021, 11, 2))
    import_antraege(land("BE"), [record])
    assert Antrag.objects.get().wahlperiode.nummer == 19


def test_the_recorded_pages_of_dip_go_in():
    saetze = [
        satz
        for name in ("dip-seite1.json", "dip-seite2.json")
        for satz in parse_seite((SAMPLES / name).read_bytes()).saetze
    ]
    bericht = import_antraege(land("BUND"), saetze)
    assert (bericht.neu, len(bericht.uebersprungen), len(bericht.fehler)) == (2, 2, 1)
    assert {a.drucksache: submitters(a) for a in Antrag.objects.all()} == {
        "21/9001": ["CDU", "CSU", "SPD"],
        "21/9006": ["GRÜNE"],
    }


# --- One motion with its file ------------------------------------------------------------------


def test_a_motion_with_its_file_is_stored_once():
    antrag, fassung = upload()
    assert (str(antrag), submitters(antrag), fassung.nr) == ("BW 16/123", ["SPD"], 1)
    assert fassung.dokument.lesung.status == "zitierfaehig"
    before = everything()
    assert upload() == (antrag, fassung)
    assert everything() == before


def test_the_same_number_in_another_land_is_another_motion():
    """Regression of the first system."""
    first, _ = upload(drucksache="17/2", datum=date(2021, 6, 1))
    second, _ = upload(parlament=land("SL"), drucksache="17/2", datum=date(2022, 6, 1))
    assert first != second


def test_parties_are_added_where_the_wording_does_not_name_them():
    antrag, _ = upload(urheber="Otto, Andreas (Grüne)", parteien=["GRÜNE", "SPD"])
    assert list(antrag.urheber.order_by("pk").values_list("roh", flat=True)) == [
        "Otto, Andreas (Grüne)",
        "SPD",
    ]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"drucksache": "sechzehn"}, "keine Drucksachennummer"),
        ({"urheber": "", "parteien": ["Wolken"]}, "Die Partei „Wolken“ ist nicht bekannt"),
        ({"urheber": "Landesregierung"}, "wer den Antrag eingebracht hat"),
        ({"urheber": ""}, "wer den Antrag eingebracht hat"),
        ({"titel": "  "}, "Titel: "),
        ({"datum": date(2015, 1, 1)}, "Nummer und Datum passen nicht zusammen"),
        ({"drucksache": "9/1"}, "9. Wahlperiode ist für Landtag von Baden-Württemberg nicht"),
        ({"quelle_url": "kein Ort"}, "Original: "),
    ],
)
def test_bad_particulars_are_refused_in_german_and_nothing_is_stored(values, message):
    with pytest.raises(UnbrauchbarerAntrag, match=message):
        upload(**values)
    assert everything() == [[], [], [], []]


@pytest.mark.parametrize("pdf", [b"", b"<html></html>", PDF[: len(PDF) // 3], locked_pdf()])
def test_an_unusable_file_is_refused_and_nothing_is_stored(pdf):
    with pytest.raises(UnbrauchbaresDokument):
        upload(pdf=pdf)
    assert everything() == [[], [], [], []]


def test_a_file_without_text_is_stored_as_not_citable():
    _, fassung = upload(pdf=make_pdf(""))
    assert fassung.dokument.lesung.status == "nicht_zitierfaehig"


@pytest.mark.parametrize(
    "values",
    [{"titel": "Ein ganz anderer Antrag"}, {"urheber": "CDU"}, {"datum": date(2016, 11, 1)}],
)
def test_a_number_taken_by_another_motion_is_refused(values):
    upload()
    before = everything()
    with pytest.raises(UnbrauchbarerAntrag, match="BW 16/123 gibt es schon mit anderen Angaben"):
        upload(pdf=ANOTHER_PDF, **values)
    assert everything() == before


def test_a_new_version_may_carry_another_title():
    antrag, _ = upload()
    same, fassung = upload(drucksache="16/123-neu", titel="Zwei Beispiele geben", pdf=ANOTHER_PDF)
    assert same == antrag
    assert (fassung.nr, fassung.bezeichnung) == (2, "neu")
