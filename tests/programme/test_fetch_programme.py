"""The command against a real server on this machine, with invented programmes of real parties."""

import csv
import json
from datetime import date
from hashlib import sha256

import pytest
from django.core.management import CommandError, call_command

from programme.models import Programm
from programme.sammlung import Sammlung
from tests.citations.factories import make_pdf
from tests.parlamente.factories import ParlamentFactory, ParteiFactory, WahlperiodeFactory

from .sources import programm_pdf, write_list
from .webserver import Webserver, body, redirect, torn

pytestmark = pytest.mark.django_db(transaction=True)

GUT = programm_pdf("Wahlprogramm der SPD Baden-Württemberg zur Landtagswahl 2016")
FALSCH = programm_pdf("Wahlprogramm der SPD Baden-Württemberg zur Landtagswahl 2011")


@pytest.fixture(autouse=True)
def tables(db):
    for kuerzel in ("SPD", "CDU", "CSU"):
        ParteiFactory(kuerzel=kuerzel)
    bw = ParlamentFactory(baden_wuerttemberg=True)
    WahlperiodeFactory(parlament=bw)
    WahlperiodeFactory(parlament=bw, nummer=17, wahltag=date(2021, 3, 14), beginn=None)


@pytest.fixture
def server(settings):
    with Webserver() as running:
        settings.FETCH_TEST_ADDRESS = running.address
        yield running


@pytest.fixture
def ziel(tmp_path, settings):
    settings.FETCH_DIR = str(tmp_path / "programme")
    return tmp_path / "programme"


@pytest.fixture
def run(server, ziel, tmp_path, capsys):
    """Runs the command on sources, by default the SPD's at /a.pdf; gives what it printed."""

    def _run(*quellen, parlament="BW", fails=False, **options):
        path = write_list(tmp_path / "quellen.toml", *(quellen or [spd(server)]))
        if parlament:
            options["parlament"] = parlament.split()
        arguments = {"quellen": path, "verbosity": 0, **options}
        if fails:
            with pytest.raises(CommandError, match="gescheitert"):
                call_command("fetch_programme", **arguments)
        else:
            call_command("fetch_programme", **arguments)
        return capsys.readouterr().out

    return _run


def spd(server, *paths, **more):
    return {
        "parlament": "BW",
        "wahltag": "2016-03-13",
        "parteien": ["SPD"],
        "titel": "Ein Land, das zusammenhält",
        "adressen": [{"url": server.url(path)} for path in paths or ("/a.pdf",)],
    } | more


def table(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


# --- Fetching -----------------------------------------------------------------------------------


def test_a_programme_is_fetched_with_what_is_known_of_it(server, ziel, run):
    server.routes["/a.pdf"] = body(GUT)
    out = run()
    assert f"BW 2016 SPD: geholt, 24 Seiten ({server.url('/a.pdf')})" in out
    assert "1 geholt, 0 vorhanden, 0 gescheitert, 0 ohne Adresse" in out
    assert (ziel / "spd-bw-2016.pdf").read_bytes() == GUT
    [row] = table(ziel / "programme.csv")
    assert (row["datei"], row["partei"], row["parlament"]) == ("spd-bw-2016.pdf", "SPD", "BW")
    assert (row["titel"], row["gueltig_ab"]) == ("Ein Land, das zusammenhält", "2016-03-13")
    assert row["quelle_url"] == server.url("/a.pdf")
    assert "Werk der Partei" in row["lizenzhinweis"]
    [abruf] = table(ziel / "abrufe.csv")
    assert (abruf["sha256"], abruf["seiten"]) == (sha256(GUT).hexdigest(), "24")


def test_what_was_fetched_can_be_taken_in(server, ziel, run):
    server.routes["/a.pdf"] = body(GUT)
    run()
    call_command("ingest_programme", ziel, verbosity=0, processes=1)
    programm = Programm.objects.get()
    assert programm.label == "SPD BW Wahlprogramm 2016"
    assert programm.geltung == "13.03.2016 bis 13.03.2021"
    assert programm.quelle_url == server.url("/a.pdf")


def test_fallbacks_are_tried_in_order(server, ziel, run):
    server.routes |= {"/fehlt.pdf": redirect("/weg"), "/b.pdf": body(FALSCH), "/c.pdf": body(GUT)}
    out = run(spd(server, "/fehlt.pdf", "/b.pdf", "/c.pdf", "/d.pdf"))
    assert f"{server.url('/fehlt.pdf')}: Der Server antwortet mit dem Fehler 404." in out
    assert f"{server.url('/b.pdf')}: Auf den ersten Seiten fehlt das Jahr 2016." in out
    assert f"geholt, 24 Seiten ({server.url('/c.pdf')})" in out
    assert "/d.pdf" not in server.asked


def test_a_joint_programme_is_fetched_once(server, ziel, run):
    bund = ParlamentFactory(bundestag=True)
    WahlperiodeFactory(parlament=bund, nummer=21, wahltag=date(2025, 2, 23), beginn=None)
    server.routes["/a.pdf"] = body(
        programm_pdf("Wahlprogramm von CDU und CSU, Bundestagswahl 2025")
    )
    union = spd(server, parlament="BUND", wahltag="2025-02-23", parteien=["CDU", "CSU"])
    assert "BUND 2025 CDU/CSU: geholt" in run(union, parlament="bund", partei=["CSU"])
    assert table(ziel / "programme.csv")[0]["partei"] == "CDU+CSU"
    assert (ziel / "cdu-csu-bund-2025.pdf").exists()


def test_a_basic_programme_belongs_to_no_parliament(server, ziel, run):
    server.routes["/a.pdf"] = body(programm_pdf("Hamburger Programm der SPD, 2007"))
    quelle = {
        "typ": "grundsatzprogramm",
        "jahr": 2007,
        "parteien": ["SPD"],
        "adressen": [{"url": server.url("/a.pdf")}],
    }
    assert "Grundsatz 2007 SPD: geholt" in run(quelle, parlament="", grundsatz=True)
    call_command("ingest_programme", ziel, verbosity=0, processes=1)
    assert Programm.objects.get().parlament is None


# --- What is not kept ---------------------------------------------------------------------------

FEHLERSEITE = programm_pdf("SPD Baden-Württemberg 2016: Fehler 404")


@pytest.mark.parametrize(
    ("data", "more", "reason"),
    [
        (FALSCH, {}, "Auf den ersten Seiten fehlt das Jahr 2016."),
        (FEHLERSEITE, {}, "Die Datei ist eine gespeicherte Fehlerseite."),
        (make_pdf("SPD 2016"), {}, "kaum lesbaren Text"),
        (GUT[:3000], {}, "beschädigt"),
        (GUT, {"sha256": "0" * 64}, "Die Prüfsumme ist eine andere als die bekannte."),
        (GUT, {"seiten": 66}, "Die Datei hat 24 Seiten, bekannt sind 66."),
    ],
    ids=["other year", "error page", "no text", "torn", "checksum", "pages"],
)
def test_what_fails_a_check_is_put_aside_with_the_reason(server, ziel, run, data, more, reason):
    server.routes["/a.pdf"] = body(data)
    out = run(spd(server, adressen=[{"url": server.url("/a.pdf"), **more}]), fails=True)
    assert "BW 2016 SPD: gescheitert" in out
    assert reason in out
    assert [path.name for path in ziel.iterdir()] == ["beiseite"]
    [row] = table(ziel / "beiseite" / "gruende.csv")
    assert (row["adresse"], reason in row["grund"]) == (server.url("/a.pdf"), True)
    assert (ziel / "beiseite" / row["datei"]).read_bytes() == data
    assert row["datei"] in out


def test_what_was_put_aside_is_not_taken_in_under_the_name_of_what_it_is_not(server, ziel, run):
    server.routes["/a.pdf"] = body(FALSCH)
    run(fails=True)
    with pytest.raises(CommandError, match="Nicht eingelesen"):
        call_command("ingest_programme", ziel / "beiseite", verbosity=0, processes=1)
    assert not Programm.objects.exists()


def test_one_failure_does_not_stop_the_others(server, ziel, run):
    server.routes["/a.pdf"] = body(GUT)
    cdu = spd(server, "/b.pdf", parteien=["CDU"])
    out = run(cdu, spd(server), fails=True)
    assert "1 geholt, 0 vorhanden, 1 gescheitert" in out


def test_no_address_is_no_failure(server, run):
    assert "BW 2016 SPD: ohne Adresse" in run(spd(server, adressen=[]))


def test_an_internal_address_of_the_list_is_refused(server, run):
    with Webserver({"/a.pdf": body(GUT)}) as other:
        assert f"Anschluss {other.port}" in run(spd(other), fails=True)
    assert other.asked == []


# --- Again --------------------------------------------------------------------------------------


def test_what_is_there_is_not_fetched_again(server, ziel, run):
    server.routes["/a.pdf"] = body(GUT)
    run()
    before = {path.name: path.read_bytes() for path in ziel.iterdir()}
    assert "BW 2016 SPD: vorhanden, 24 Seiten" in run()
    assert server.asked == ["/a.pdf"]
    assert {path.name: path.read_bytes() for path in ziel.iterdir()} == before


def test_a_torn_fetch_goes_on_the_next_time(server, ziel, run):
    server.routes["/a.pdf"] = torn(GUT, at=2000)
    assert "Die Verbindung brach ab." in run(fails=True)
    assert not (ziel / "spd-bw-2016.pdf").exists()
    assert "geholt" in run()
    assert server.headers[1]["range"] == "bytes=2000-"
    assert (ziel / "spd-bw-2016.pdf").read_bytes() == GUT


@pytest.mark.parametrize("step", ["describe", "_describe_all"])
def test_a_kill_between_file_and_table_is_made_good(server, ziel, run, monkeypatch, step):
    def killed(*args, **options):
        raise KeyboardInterrupt

    server.routes["/a.pdf"] = body(GUT)
    with monkeypatch.context() as patched:
        patched.setattr(Sammlung, step, killed)
        with pytest.raises(KeyboardInterrupt):
            run()
    assert "BW 2016 SPD: vorhanden, 24 Seiten" in run()
    assert server.asked == ["/a.pdf"]
    assert table(ziel / "programme.csv")[0]["quelle_url"] == server.url("/a.pdf")


def test_a_file_that_changed_on_disk_is_checked_and_fetched_anew(server, ziel, run):
    server.routes["/a.pdf"] = body(GUT)
    run()
    (ziel / "spd-bw-2016.pdf").write_bytes(FALSCH)
    out = run()
    assert "spd-bw-2016.pdf lag da: Auf den ersten Seiten fehlt das Jahr 2016." in out
    assert (ziel / "spd-bw-2016.pdf").read_bytes() == GUT
    assert len(table(ziel / "beiseite" / "gruende.csv")) == 1


def test_a_file_put_there_by_hand_is_checked_and_described(server, ziel, run):
    ziel.mkdir()
    (ziel / "spd-bw-2016.pdf").write_bytes(GUT)
    assert "BW 2016 SPD: vorhanden" in run()
    assert server.asked == []
    assert table(ziel / "programme.csv")[0]["datei"] == "spd-bw-2016.pdf"


def test_a_checksum_that_became_known_is_asked_of_what_is_there(server, ziel, run):
    server.routes["/a.pdf"] = body(GUT)
    run()
    strict = [{"url": server.url("/a.pdf"), "sha256": sha256(FALSCH).hexdigest()}]
    assert "lag da: Die Prüfsumme ist eine andere" in run(spd(server, adressen=strict), fails=True)
    assert not (ziel / "spd-bw-2016.pdf").exists()
    assert table(ziel / "programme.csv") == []


def test_what_somebody_wrote_into_the_table_stays(server, ziel, run):
    server.routes["/a.pdf"] = body(GUT)
    ziel.mkdir()
    (ziel / "programme.csv").write_text(
        "datei;titel;anzeige\nspd-bw-2016.pdf;Mein Titel;verweis\nandere.pdf;Andere;\n", "utf-8"
    )
    run()
    rows = {row["datei"]: row for row in table(ziel / "programme.csv")}
    assert rows["spd-bw-2016.pdf"]["titel"] == "Mein Titel"
    assert rows["spd-bw-2016.pdf"]["anzeige"] == "verweis"
    assert rows["spd-bw-2016.pdf"]["quelle_url"] == server.url("/a.pdf")
    assert rows["andere.pdf"]["titel"] == "Andere"


def test_a_table_that_cannot_be_read_stops_before_anything_is_lost(server, ziel, run):
    server.routes["/a.pdf"] = body(GUT)
    ziel.mkdir()
    (ziel / "programme.csv").write_text("unsinn\n1\n", "utf-8")
    with pytest.raises(CommandError, match=r"programme\.csv: Unbekannte Spalten"):
        run()
    assert (ziel / "programme.csv").read_text("utf-8") == "unsinn\n1\n"


# --- Choosing -----------------------------------------------------------------------------------


def test_parliament_election_and_party_choose(server, run):
    later = spd(server, "/b.pdf", wahltag="2021-03-14", adressen=[])
    cdu = spd(server, "/c.pdf", parteien=["CDU"], adressen=[])
    quellen = (spd(server, adressen=[]), later, cdu)
    assert run(*quellen).count("ohne Adresse\n") == 4
    assert "BW 2021" not in run(*quellen, wahl="2016")
    assert "BW 2016" not in run(*quellen, wahl="2021-03-14", parlament="alle")
    assert "SPD" not in run(*quellen, partei=["cdu"])


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"parlament": ""}, "Nennen Sie --parlament"),
        ({"parlament": "XX"}, "Das Parlament „XX“ ist unbekannt. Möglich sind: BW."),
        ({"wahl": "1999"}, "steht kein Programm in der Liste"),
    ],
)
def test_a_choice_of_nothing_is_said(run, options, reason):
    with pytest.raises(CommandError, match=reason):
        run(**options)


def test_a_list_that_does_not_fit_the_tables_is_refused(server, run):
    with pytest.raises(CommandError, match=r"BW 2016 XYZ: die Partei XYZ ist unbekannt"):
        run(spd(server, parteien=["XYZ"]))


# --- The second source --------------------------------------------------------------------------


def entry(period, party, file=None, *links):
    return {
        "id": f"{period} {party}",
        "entity_type": "election_program",
        "parliament_period": {"id": 1, "label": period},
        "party": {"id": 1, "label": party},
        "link": [{"uri": uri, "title": "Programm"} for uri in links],
        "file": file,
    }


@pytest.fixture
def api(server):
    """The API with entries; `api(entry, …)` gives its address."""

    def _api(*entries, pages=1):
        path = "/api/v2/election-program"
        total = sum(isinstance(one, dict) for one in entries)
        for page in range(pages):
            part = entries[page::pages]
            answer = json.dumps({"meta": {"result": {"total": total}}, "data": part}).encode()
            query = f"?page={page}&pager_limit=1000"
            server.routes[path + query] = body(answer, "application/json")
        return server.url(path)

    return _api


def test_the_second_source_is_not_asked_unless_wanted(server, api, run):
    api(entry("Baden-Württemberg Wahl 2016", "SPD", server.url("/aw.pdf")))
    run(spd(server, adressen=[]))
    assert server.asked == []


@pytest.mark.parametrize("by_setting", [True, False])
def test_the_second_source_is_asked_when_the_first_has_nothing(
    server, ziel, api, run, settings, by_setting
):
    server.routes["/aw.pdf"] = body(GUT)
    address = api(
        entry("Baden-Württemberg 2011 - 2016", "SPD", server.url("/alt.pdf")),
        entry("Bayern Wahl 2016", "SPD", server.url("/by.pdf")),
        entry("Baden-Württemberg Wahl 2016", "CDU", server.url("/cdu.pdf")),
        entry("Baden-Württemberg Wahl 2016", "SPD", None, "mailto:x", server.url("/aw.pdf")),
        "kein Eintrag",
    )
    settings.FETCH_ABGEORDNETENWATCH = address if by_setting else ""
    options = {} if by_setting else {"abgeordnetenwatch": address}
    out = run(spd(server, adressen=[]), **options)
    assert f"geholt, 24 Seiten ({server.url('/aw.pdf')})" in out
    assert [path.split("?")[0] for path in server.asked] == ["/api/v2/election-program", "/aw.pdf"]


def test_what_the_second_source_has_is_checked_like_all_else(server, ziel, api, run):
    server.routes["/aw.pdf"] = body(FALSCH)
    with Webserver({"/a.pdf": body(GUT)}) as other:
        found = entry(
            "Baden-Württemberg Wahl 2016", "SPD", other.url("/a.pdf"), server.url("/aw.pdf")
        )
        out = run(spd(server, adressen=[]), abgeordnetenwatch=api(found), fails=True)
    assert other.asked == []
    assert f"Anschluss {other.port}" in out
    assert "fehlt das Jahr 2016" in out


def test_all_pages_of_the_second_source_are_read_once(server, api, run):
    server.routes["/aw.pdf"] = body(GUT)
    others = [entry(f"Bayern Wahl {year}", "SPD") for year in range(2000, 2005)]
    address = api(
        *others, entry("Baden-Württemberg Wahl 2016", "SPD", server.url("/aw.pdf")), pages=3
    )
    cdu = spd(server, parteien=["CDU"], adressen=[])
    out = run(spd(server, adressen=[]), cdu, abgeordnetenwatch=address)
    assert "1 geholt, 0 vorhanden, 0 gescheitert, 1 ohne Adresse" in out
    assert len(server.asked) == 4


@pytest.mark.parametrize("answer", [b"[]", b'{"data": 1}', b"nichts"])
def test_an_answer_of_another_form_is_a_failure_that_is_said(server, run, answer):
    path = "/api?page=0&pager_limit=1000"
    server.routes[path] = body(answer, "application/json")
    out = run(spd(server, adressen=[]), abgeordnetenwatch=server.url("/api"), fails=True)
    assert "abgeordnetenwatch.de: Die Antwort" in out
