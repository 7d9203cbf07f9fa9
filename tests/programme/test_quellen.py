"""The list of sources: that the shipped one loads, and what is refused in another."""

from datetime import date

import pytest

from parlamente.facts import DATEI as PARLAMENTE
from parlamente.facts import read_fakten
from parlamente.loading import load_fakten
from programme.angaben import resolve
from programme.models import Programm
from programme.quellen import Bekannt, FehlerhafteQuellen, read_quellen, require_known

GUT = """
stand = "ungeprüft"
datum = 2026-11-30

[[programm]]
parlament = "BE"
wahltag = 2026-09-20
parteien = ["SPD"]
adressen = [
  { url = "https://spd.example/a.pdf", art = "offiziell", seiten = 66 },
  { url = "https://spd.example/b.pdf", art = "spiegel" },
]

[[programm]]
typ = "grundsatzprogramm"
jahr = 2007
parteien = ["SPD"]
"""


@pytest.fixture
def read(tmp_path):
    def _read(text):
        path = tmp_path / "quellen.toml"
        path.write_text(text, "utf-8")
        return read_quellen(path)

    return _read


def test_the_year_is_that_of_the_election(read):
    wahl, grundsatz = read(GUT)
    assert (wahl.name, wahl.datei, wahl.stand) == ("BE 2026 SPD", "spd-be-2026.pdf", "ungeprüft")
    assert (grundsatz.jahr, grundsatz.datei) == (2007, "spd-bund-grundsatz-2007.pdf")


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("seiten = 66", "blatt = 66", "BE 2026-09-20 SPD, adressen, 1., blatt: unbekanntes Feld"),
        ("seiten = 66", "seiten = 0", "BE 2026-09-20 SPD, adressen, 1., seiten: ungültig"),
        ("seiten = 66", 'sha256 = "ABC"', "1., sha256: hat nicht die richtige Form"),
        ("https://spd.example/a.pdf", "ftp://spd.example/a", "Nur http und https"),
        ("https://spd.example/a.pdf", "https://x:y@spd.example/a", "mit Zugangsdaten"),
        ("https://spd.example/a.pdf", "spd.example/a.pdf", "Nur http und https"),
        ('art = "spiegel"', 'art = "fremd"', "2., art: nicht erlaubt"),
        ("b.pdf", "a.pdf", "https://spd.example/a.pdf steht zweimal da (auch bei BE 2026 SPD)"),
        ("wahltag = 2026-09-20\n", "", "BE SPD, jahr: fehlt"),
        ("jahr = 2007\n", "", "SPD, jahr: fehlt"),
        ("jahr = 2007", 'jahr = 2007\nparlament = "BE"', "weder parlament noch wahltag"),
        ("jahr = 2007", "wahltag = 2007-10-28", "weder parlament noch wahltag"),
        ('parlament = "BE"\n', "", "2026-09-20 SPD: ein Wahlprogramm braucht"),
        ("wahltag = 2026-09-20", "wahltag = 2026-09-20\njahr = 2026", "jahr und wahltag zugleich"),
        ('parteien = ["SPD"]\nadr', "parteien = []\nadr", "parteien: leer"),
        ('stand = "ungeprüft"', 'stand = "vielleicht"', "stand: nicht erlaubt"),
        ("[[programm]]", "[[programme]]", "programme: unbekanntes Feld"),
        ("datum", "datum = ", "kein gültiges TOML"),
    ],
)
def test_what_is_wrong_is_said_with_its_entry(read, old, new, reason):
    assert old in GUT
    with pytest.raises(FehlerhafteQuellen) as failure:
        read(GUT.replace(old, new, 1))
    assert reason in str(failure.value)


def test_a_party_stands_once_under_an_election(read):
    double = '\n[[programm]]\nparlament = "BE"\nwahltag = 2026-09-20\nparteien = ["CDU", "SPD"]\n'
    with pytest.raises(FehlerhafteQuellen, match=r"BE 2026 CDU/SPD: SPD steht zweimal da"):
        read(GUT + double)


def test_a_file_that_is_not_there_is_said(tmp_path):
    with pytest.raises(FehlerhafteQuellen, match="lässt sich nicht lesen"):
        read_quellen(tmp_path / "keine.toml")


@pytest.mark.parametrize(
    ("bekannt", "reason"),
    [
        (Bekannt(frozenset(), {"BE": {date(2026, 9, 20)}}), "BE 2026 SPD: die Partei SPD ist unb"),
        (Bekannt(frozenset({"SPD"}), {}), "BE 2026 SPD: das Parlament BE ist unbekannt"),
        (Bekannt(frozenset({"SPD"}), {"BE": {date(2021, 9, 26)}}), "am 20.09.2026 war dort keine"),
    ],
)
def test_what_the_tables_do_not_know_is_said(read, bekannt, reason):
    with pytest.raises(FehlerhafteQuellen, match=reason):
        require_known(read(GUT), bekannt)


def test_an_error_does_not_name_hundreds_of_entries():
    with pytest.raises(FehlerhafteQuellen, match=r"… und \d+ weitere") as failure:
        require_known(read_quellen(), Bekannt(frozenset(), {}))
    assert len(str(failure.value).splitlines()) < 30


# --- The shipped list ---------------------------------------------------------------------------


@pytest.fixture
def tables(db):
    load_fakten(read_fakten(PARLAMENTE))


def test_the_shipped_list_fits_the_tables(tables):
    quellen = read_quellen()
    require_known(quellen, Bekannt.from_tables())
    assert len(quellen) > 200
    assert {quelle.stand for quelle in quellen} == {"ungeprüft"}


def test_each_file_name_of_the_shipped_list_says_which_programme_it_is(tables):
    for quelle in read_quellen():
        angaben = resolve({}, name=quelle.datei)
        assert {partei.kuerzel for partei in angaben.parteien} == set(quelle.parteien)
        assert (angaben.typ, angaben.jahr) == (quelle.typ, quelle.jahr)
        assert (angaben.parlament.code if angaben.parlament else None) == quelle.parlament
        if quelle.typ == Programm.Typ.WAHLPROGRAMM:
            assert angaben.gueltig.lower == quelle.wahltag
