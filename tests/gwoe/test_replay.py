"""The replay server behaves like a provider, on good days and on bad ones."""

import json
import time
import urllib.error
import urllib.request

import pytest

from gwoe.demo import replay
from gwoe.demo.replay import ReplayServer, ScriptedAnswer

MOTION = (
    "Der Landtag fordert, die Mittel so zu vergeben, dass einfache und dauerhafte Maß-\n"
    "nahmen zuerst\nzum Zug kom\u00admen. Begrünung, Verschattung"
)
RAIL = (
    "auf der Strecke an allen Tagen der Woche von 5 bis 23 Uhr mindestens einen Zug je Stunde "
    "und Richtung fahren zu lassen"
)


@pytest.fixture
def server():
    with ReplayServer() as running:
        yield running


def schema(name: str) -> dict:
    return {"type": "json_schema", "json_schema": {"name": name, "schema": {}}}


def body(*texts: str, **more: object) -> dict:
    messages = [{"role": "user", "content": text} for text in texts]
    return {"model": "muster-1", "messages": messages, **more}


def send(server: ReplayServer, request: dict | bytes, timeout: float = 10) -> tuple[int, str, dict]:
    data = request if isinstance(request, bytes) else json.dumps(request).encode()
    url = f"{server.base_url}/chat/completions"
    call = urllib.request.Request(url, data, {"Content-Type": "application/json"})  # noqa: S310
    try:
        with urllib.request.urlopen(call, timeout=timeout) as answer:  # noqa: S310
            return answer.status, answer.read().decode(), dict(answer.headers)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode(), dict(error.headers)


def said(server: ReplayServer, request: dict) -> dict:
    status, text, _ = send(server, request)
    assert status == 200, text
    return json.loads(json.loads(text)["choices"][0]["message"]["content"])


def error(server: ReplayServer, request: dict | bytes) -> tuple[int, str]:
    status, text, _ = send(server, request)
    return status, json.loads(text)["error"]["code"]


def test_only_loopback(server):
    assert server.base_url.startswith("http://127.0.0.1:")


def test_models_are_listed(server):
    with urllib.request.urlopen(f"{server.base_url}/models", timeout=5) as answer:  # noqa: S310
        assert json.load(answer)["data"][0]["id"] == replay.MODEL


def test_matrix_by_schema(server):
    assert said(server, body(MOTION, response_format=schema("matrix")))["felder"]


def test_matrix_by_task_line(server):
    assert said(server, body("AUFGABE: MATRIX\n" + MOTION))["felder"]


def test_motion_is_found_over_line_ends_and_in_parts(server):
    parts = [{"type": "text", "text": "AUFGABE: MATRIX"}, {"type": "text", "text": RAIL}]
    request = {"messages": [{"role": "user", "content": parts}]}
    assert "Bahnstrecke" in said(server, request)["zusammenfassung"]


@pytest.mark.parametrize("partei", ["UFER", "WERKBANK", "BRÜCKE", "TÄLER"])
def test_comparison_with_each_party(server, partei):
    task = f"AUFGABE: VERGLEICH MIT {partei}"
    by_schema = said(server, body(task, MOTION, response_format=schema("vergleich")))
    assert by_schema["wahlprogramm_scores"][0]["partei"] == partei
    assert said(server, body(task, MOTION)) == by_schema


def test_answer_has_the_shape_of_a_completion(server):
    _, text, _ = send(server, body("AUFGABE: MATRIX", MOTION))
    answer = json.loads(text)
    usage = answer["usage"]
    assert answer["object"] == "chat.completion"
    assert answer["model"] == "muster-1"
    assert answer["choices"][0]["finish_reason"] == "stop"
    assert usage["prompt_tokens"] == len("AUFGABE: MATRIX\n" + MOTION) // 3
    assert usage["total_tokens"] == usage["prompt_tokens"] + usage["completion_tokens"]


def test_requests_are_kept(server):
    request = body("AUFGABE: MATRIX", MOTION, temperature=0)
    send(server, request)
    assert server.requests == [request]


def test_unknown_motion(server):
    assert error(server, body("AUFGABE: MATRIX\nEin ganz anderer Antrag")) == (
        404,
        "unknown_motion",
    )


def test_unknown_party(server):
    assert error(server, body("AUFGABE: VERGLEICH MIT NEBEL", MOTION)) == (404, "unknown_party")


def test_unknown_task(server):
    assert error(server, body(MOTION)) == (400, "no_task")


def test_comparison_without_party(server):
    assert error(server, body(MOTION, response_format=schema("vergleich"))) == (400, "no_party")


@pytest.mark.parametrize(
    "data", [b"{", b"[]", b'{"messages": 3}', b'{"messages": [], "stream": 1}']
)
def test_bad_request(server, data):
    assert error(server, data)[0] == 400


def test_big_body_is_rejected_before_it_is_read(server):
    call = urllib.request.Request(  # noqa: S310
        f"{server.base_url}/chat/completions", b"{}", {"Content-Length": str(3 * 1024 * 1024)}
    )
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(call, timeout=5)  # noqa: S310
    with caught.value:
        assert caught.value.code == 413


def test_too_many_requests_then_the_recorded_answer(server):
    server.script.append(ScriptedAnswer(status=429, headers={"Retry-After": "2"}))
    request = body("AUFGABE: MATRIX", MOTION)
    status, text, headers = send(server, request)
    assert (status, headers["Retry-After"]) == (429, "2")
    assert json.loads(text)["error"]["type"] == "rate_limit_error"
    assert said(server, request)["felder"]


def test_server_error(server):
    server.script.append(ScriptedAnswer(status=500))
    assert error(server, body("AUFGABE: MATRIX", MOTION)) == (500, "scripted")


def test_cut_off_answer(server):
    server.script.append(ScriptedAnswer(finish_reason="length"))
    _, text, _ = send(server, body("AUFGABE: MATRIX", MOTION))
    choice = json.loads(text)["choices"][0]
    assert choice["finish_reason"] == "length"
    with pytest.raises(ValueError, match=r"Unterminated|delimiter|Expecting"):
        json.loads(choice["message"]["content"])


def test_invalid_json_as_content(server):
    server.script.append(ScriptedAnswer(content="{kein JSON"))
    _, text, _ = send(server, body("irgendetwas"))
    assert json.loads(text)["choices"][0]["message"]["content"] == "{kein JSON"


def test_html_instead_of_an_answer(server):
    server.script.append(ScriptedAnswer(status=502, body="<html>", content_type="text/html"))
    status, text, headers = send(server, body("irgendetwas"))
    assert (status, text, headers["Content-Type"]) == (502, "<html>", "text/html")


def test_hang_ends_with_the_clients_patience():
    with ReplayServer() as server:
        server.script.append(ScriptedAnswer(delay=60))
        begun = time.monotonic()
        with pytest.raises(TimeoutError):
            send(server, body("AUFGABE: MATRIX", MOTION), timeout=0.2)
    assert time.monotonic() - begun < 5
