"""The client against a real server on this machine."""

import gzip
import json
import socket
import ssl
import threading
import zlib

import pytest

from programme import abruf
from programme.abruf import Abrufer, AbrufGescheitert
from tests.citations.factories import make_pdf

from .webserver import (
    CERTIFICATE,
    Webserver,
    body,
    endless,
    redirect,
    status,
    torn,
    trickling,
)

PDF = make_pdf("Wir wollen bezahlbare Wohnungen bauen.")


@pytest.fixture
def server():
    with Webserver() as running:
        yield running


@pytest.fixture
def other():
    """Another server on this machine: internal, and not the test address."""
    with Webserver({"/a.pdf": body(PDF)}) as running:
        yield running


@pytest.fixture
def path(tmp_path):
    return tmp_path / "a.pdf.teil"


def fetch(server, path, url=None, **limits):
    client = Abrufer(test_address=server.address, **limits)
    client.download_pdf(url or server.url("/a.pdf"), path)


def refused(server, path, url=None, **limits):
    with pytest.raises(AbrufGescheitert) as failure:
        fetch(server, path, url, **limits)
    return str(failure.value)


def test_a_file_is_written_as_it_came(server, path):
    server.routes["/a.pdf"] = body(PDF)
    fetch(server, path)
    assert path.read_bytes() == PDF
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_nothing_is_asked_of_this_machine_without_the_exception(other, path):
    with pytest.raises(AbrufGescheitert, match=f"Anschluss {other.port}"):
        Abrufer(test_address="").download_pdf(other.url("/a.pdf"), path)
    assert other.asked == []


# --- Redirects ----------------------------------------------------------------------------------


def test_redirects_are_followed(server, path):
    server.routes |= {
        "/alt.pdf": redirect("/neu.pdf"),
        "/neu.pdf": redirect("Wahl%20programm.pdf"),
        "/Wahl%20programm.pdf": body(PDF),
    }
    fetch(server, path, server.url("/alt.pdf"))
    assert path.read_bytes() == PDF


def test_a_redirect_to_an_internal_server_is_not_followed(server, other, path):
    server.routes |= {"/a.pdf": redirect("/b.pdf"), "/b.pdf": redirect(other.url("/a.pdf"))}
    assert f"Anschluss {other.port}" in refused(server, path)
    assert other.asked == []
    assert not path.exists()


@pytest.mark.parametrize(
    "target",
    [
        "http://169.254.169.254/latest/meta-data/",
        "http://10.0.0.1/a.pdf",
        "http://127.0.0.1/a.pdf",
        "http://127.1/a.pdf",
        "http://2130706433/a.pdf",
        "http://0x7f000001/a.pdf",
        "http://localhost/a.pdf",
        "http://0.0.0.0/a.pdf",
        "http://[::1]/a.pdf",
        "http://[::ffff:10.0.0.1]/a.pdf",
        "http://[64:ff9b::a00:1]/a.pdf",
        "http://[fd00:ec2::254]/a.pdf",
    ],
)
def test_no_redirect_leads_into_the_local_network(server, path, target):
    server.routes["/a.pdf"] = redirect(target)
    assert "keine öffentliche Adresse" in refused(server, path)


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://x.example/a", "gopher://x/"])
def test_no_redirect_leaves_the_web(server, path, target):
    server.routes["/a.pdf"] = redirect(target)
    assert "Nur http und https" in refused(server, path)


@pytest.mark.parametrize(
    "target", ["http://[::1", "http://x.example:1x/", "https://", "http://\\x"]
)
def test_a_redirect_to_nowhere_is_said(server, path, target):
    server.routes["/a.pdf"] = redirect(target)
    assert refused(server, path)


def test_no_redirect_brings_credentials(server, path):
    server.routes["/a.pdf"] = redirect("http://wer:was@127.0.0.1/")
    assert "Zugangsdaten" in refused(server, path)


def test_redirects_in_a_circle_end(server, path):
    server.routes["/a.pdf"] = redirect("/a.pdf")
    assert "Mehr als 5 Weiterleitungen" in refused(server, path)
    assert len(server.asked) == 6


def test_no_cookie_is_sent_back(server, path):
    server.routes |= {"/a.pdf": redirect("/b.pdf", Set_Cookie="wer=du"), "/b.pdf": body(PDF)}
    fetch(server, path)
    assert [headers.get("cookie") for headers in server.headers] == [None, None]


def test_a_proxy_of_the_environment_is_ignored(server, other, path, monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, other.url("/"))
    server.routes["/a.pdf"] = body(PDF)
    fetch(server, path)
    assert other.asked == []


# --- Names --------------------------------------------------------------------------------------


def test_the_name_is_resolved_once_and_the_connection_made_to_that_address(
    server, path, monkeypatch
):
    """A name that means another address the next time (rebinding) gains nothing."""
    answers = iter([["127.0.0.1"], ["10.0.0.1"]])
    real = socket.getaddrinfo

    def numbers_only(host, *args, **options):
        assert host == "127.0.0.1"
        return real(host, *args, **options)

    monkeypatch.setattr(socket, "getaddrinfo", numbers_only)
    server.routes["/a.pdf"] = body(PDF)
    url = server.url("/a.pdf", "partei.example")
    fetch(server, path, url, resolve=lambda host, port: next(answers))
    assert server.headers[0]["host"] == f"partei.example:{server.port}"
    assert next(answers) == ["10.0.0.1"]


def test_a_name_with_one_internal_address_is_refused_whole(server, path):
    reason = refused(
        server,
        path,
        "http://partei.example/a.pdf",
        resolve=lambda host, port: ["93.184.216.34", "10.0.0.1"],
    )
    assert "10.0.0.1 ist keine öffentliche Adresse" in reason


def test_an_unknown_name_is_said(server, path):
    def unknown(host, port):
        raise socket.gaierror

    reason = refused(server, path, "http://partei.example/a.pdf", resolve=unknown)
    assert reason == "Den Rechner partei.example gibt es nicht."


# --- TLS ----------------------------------------------------------------------------------------


@pytest.fixture
def secure():
    with Webserver({"/a.pdf": body(PDF)}, tls=True) as running:
        yield running


def here(host, port):
    return ["127.0.0.1"]


def test_a_certificate_of_nobody_known_is_refused(secure, path):
    reason = refused(secure, path, secure.url("/a.pdf", "partei.example"), resolve=here)
    assert reason == "Das Zertifikat des Servers ist nicht gültig."
    assert secure.asked == []


def test_a_certificate_counts_for_its_name_only(secure, path):
    """Although the connection is made to a number, the name is what is checked."""
    trust = ssl.create_default_context(cafile=CERTIFICATE)
    reason = refused(secure, path, secure.url("/a.pdf", "andere.example"), resolve=here, tls=trust)
    assert reason == "Das Zertifikat des Servers ist nicht gültig."
    fetch(secure, path, secure.url("/a.pdf", "partei.example"), resolve=here, tls=trust)
    assert path.read_bytes() == PDF


# --- What comes ---------------------------------------------------------------------------------


@pytest.mark.parametrize("code", [204, 401, 403, 404, 410, 500, 503])
def test_the_servers_error_is_said(server, path, code):
    server.routes["/a.pdf"] = status(code)
    assert refused(server, path) == f"Der Server antwortet mit dem Fehler {code}."


@pytest.mark.parametrize("kind", ["text/html; charset=utf-8", "image/png", "application/zip"])
def test_the_wrong_kind_of_answer_is_refused(server, path, kind):
    server.routes["/a.pdf"] = body(PDF, kind)
    assert f"keine PDF-Datei, sondern {kind.split(';')[0]}" in refused(server, path)


@pytest.mark.parametrize("size", [30, 5000])
def test_an_error_page_that_is_called_a_pdf_is_refused(server, path, size):
    server.routes["/a.pdf"] = body(b"<html>Seite nicht gefunden</html>".ljust(size))
    assert refused(server, path) == "Die Antwort beginnt nicht wie eine PDF-Datei."
    assert list(path.parent.iterdir()) == []


def test_an_endless_file_is_left_at_the_limit(server, path):
    server.routes["/a.pdf"] = endless()
    assert "größer als 1 MB" in refused(server, path, max_bytes=1024 * 1024)
    assert list(path.parent.iterdir()) == []


def test_a_slow_file_is_left_when_the_time_is_up(server, path):
    """Each byte comes in time, the file does not."""
    stop = threading.Event()
    server.routes["/a.pdf"] = trickling(stop)
    assert refused(server, path, seconds=0.5) == "Der Server antwortet nicht rechtzeitig."
    stop.set()


def test_a_packed_file_is_unpacked(server, path):
    server.routes["/a.pdf"] = body(gzip.compress(PDF), Content_Encoding="gzip")
    fetch(server, path)
    assert path.read_bytes() == PDF
    server.routes["/a.pdf"] = body(zlib.compress(PDF), Content_Encoding="deflate")
    fetch(server, path)
    assert path.read_bytes() == PDF


def test_a_bomb_is_left_at_the_limit(server, path):
    bomb = gzip.compress(b"%PDF-1.7\n" + bytes(64 * 1024 * 1024))
    server.routes["/a.pdf"] = body(bomb, Content_Encoding="gzip")
    assert "größer als 2 MB" in refused(server, path, max_bytes=2 * 1024 * 1024)
    assert list(path.parent.iterdir()) == []


def test_a_bomb_never_lies_unpacked_in_memory():
    """However much is packed in a piece, it comes in pieces of bearable size."""
    bomb = gzip.compress(bytes(20 * 1024 * 1024))
    sizes = [len(piece) for piece in abruf._inflated([bomb])]
    assert sum(sizes) == 20 * 1024 * 1024
    assert max(sizes) <= abruf.PIECE


@pytest.mark.parametrize("packing", ["br", "zstd", "gzip, gzip"])
def test_an_unknown_packing_is_refused(server, path, packing):
    server.routes["/a.pdf"] = body(PDF, Content_Encoding=packing)
    assert "unbekannte Weise gepackt" in refused(server, path)


@pytest.mark.parametrize("data", [gzip.compress(PDF)[:-20], b"nicht gepackt"])
def test_a_damaged_packing_is_refused(server, path, data):
    server.routes["/a.pdf"] = body(data, Content_Encoding="gzip")
    assert "Die gepackte Antwort ist" in refused(server, path)


# --- Going on -----------------------------------------------------------------------------------


def test_a_torn_fetch_goes_on_where_it_was(server, path):
    server.routes["/a.pdf"] = torn(PDF, at=300)
    assert refused(server, path) == "Die Verbindung brach ab."
    assert path.read_bytes() == PDF[:300]
    fetch(server, path)
    assert path.read_bytes() == PDF
    assert server.headers[1]["range"] == "bytes=300-"


def test_a_file_that_changed_meanwhile_begins_anew(server, path):
    server.routes["/a.pdf"] = torn(PDF, at=300)
    refused(server, path)
    newer = make_pdf("Wir wollen noch mehr Wohnungen bauen.")
    server.routes["/a.pdf"] = torn(newer, at=0, mark='"zwei"')
    fetch(server, path)
    assert path.read_bytes() == newer


def test_a_part_of_another_address_begins_anew(server, path):
    server.routes |= {"/a.pdf": torn(PDF, at=300), "/b.pdf": body(PDF)}
    refused(server, path)
    fetch(server, path, server.url("/b.pdf"))
    assert path.read_bytes() == PDF
    assert "range" not in server.headers[1]


def test_a_whole_file_that_was_not_taken_over_is_fetched_anew(server, path):
    """Killed between the last byte and the check: the server has nothing to go on with."""
    server.routes["/a.pdf"] = torn(PDF, at=0)
    path.write_bytes(PDF)
    note = {"url": server.url("/a.pdf"), "mark": '"eins"'}
    path.with_name("a.pdf.teil.json").write_text(json.dumps(note))
    fetch(server, path)
    assert path.read_bytes() == PDF


@pytest.mark.parametrize("mark", ['W/"schwach"', '"v-é"'])
def test_a_part_without_a_mark_begins_anew(server, path, mark):
    server.routes["/a.pdf"] = torn(PDF, at=300, mark=mark)
    refused(server, path)
    server.routes["/a.pdf"] = body(PDF)
    fetch(server, path)
    assert path.read_bytes() == PDF


# --- JSON ---------------------------------------------------------------------------------------


def test_json_is_read_behind_the_same_checks(server, other):
    client = Abrufer(test_address=server.address)
    server.routes |= {
        "/gut": body(b'{"data": []}', "application/json"),
        "/kaputt": body(b'{"data": ', "application/json"),
        "/html": body(b"{}", "text/html"),
        "/fort": redirect(other.url("/gut")),
    }
    assert client.get_json(server.url("/gut")) == {"data": []}
    for name in ("/kaputt", "/html", "/fort"):
        with pytest.raises(AbrufGescheitert):
            client.get_json(server.url(name))
    assert other.asked == []
