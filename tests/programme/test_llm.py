import logging
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from django.db import transaction
from django.utils import timezone
from pydantic import BaseModel, Field

from programme import llm
from programme.aufrufe import OFFEN, tokens_today
from programme.models import ModellAufruf

from .provider import Reply, answer, error, provider, silent_provider, trickling_provider

pytestmark = pytest.mark.django_db

SECRET = "Der Landtag wolle beschließen"


class Urteil(BaseModel):
    wert: int
    grund: str = Field(default="", max_length=50)


@pytest.fixture(autouse=True)
def quick(settings):
    settings.LLM_MODEL = "m"
    settings.LLM_API_KEY = "geheim"
    settings.LLM_RETRY_SECONDS = 0.001
    settings.LLM_TIMEOUT_SECONDS = 5.0
    settings.LLM_MAX_OUTPUT_TOKENS = 200


@pytest.fixture
def ask(settings):
    """Asks the given provider."""

    def ask(served, **changes):
        settings.LLM_BASE_URL = served.base_url
        arguments = {
            "schema": Urteil,
            "schema_name": "urteil",
            "zweck": "matrix",
            "prompt_version": "1",
        }
        return llm.complete([{"role": "user", "content": SECRET}], **arguments | changes)

    return ask


# --- One call ----------------------------------------------------------------------------------


def test_answer_comes_with_its_record(ask, settings):
    settings.LLM_PRICE_INPUT, settings.LLM_PRICE_OUTPUT = 2.0, 10.0
    with provider(answer('{"wert": 2}')) as served:
        antwort = ask(served)
    assert antwort.text == '{"wert": 2}'
    aufruf = ModellAufruf.objects.get()
    assert antwort.aufruf == aufruf
    assert (aufruf.zweck, aufruf.modell, aufruf.prompt_version) == ("matrix", "m", "1")
    assert (aufruf.tokens_ein, aufruf.tokens_aus, aufruf.geschaetzt) == (100, 20, False)
    assert aufruf.kosten == Decimal("0.0004")
    assert len(aufruf.fingerabdruck) == 16
    assert aufruf.fehler == ""


def test_whoever_asks_is_told_of_every_attempt(ask, settings):
    settings.LLM_MAX_RETRIES = 1
    told = []
    with provider(error(503), answer()) as served:
        ask(served, on_call=told.append)
    assert told == list(ModellAufruf.objects.order_by("pk"))
    assert len(told) == 2


def test_missing_usage_is_estimated_and_flagged(ask):
    with provider(answer("x" * 30, usage=False)) as served:
        aufruf = ask(served).aufruf
    assert aufruf.geschaetzt
    assert aufruf.tokens_aus == 10
    assert aufruf.tokens_ein >= len(SECRET) // 3


def test_request_demands_the_schema_strictly(ask):
    with provider(answer()) as served:
        ask(served)
    request = served.requests[0]
    assert request["temperature"] == 0
    wanted = request["response_format"]["json_schema"]
    assert (wanted["name"], wanted["strict"]) == ("urteil", True)
    assert wanted["schema"]["required"] == ["wert", "grund"]
    assert wanted["schema"]["additionalProperties"] is False
    assert wanted["schema"]["properties"]["grund"]["maxLength"] == 50


def test_json_mode_by_setting_tells_the_schema_in_words(ask, settings):
    settings.LLM_JSON_SCHEMA = False
    with provider(answer()) as served:
        ask(served)
    request = served.requests[0]
    assert request["response_format"] == {"type": "json_object"}
    assert "maxLength" in request["messages"][0]["content"]
    assert request["messages"][-1]["content"] == SECRET


def test_call_inside_a_transaction_is_refused(ask):
    with provider(answer()) as served, transaction.atomic(), pytest.raises(RuntimeError):
        ask(served)
    assert served.requests == []


def test_without_configuration_nothing_is_asked(settings):
    settings.LLM_BASE_URL = ""
    assert not llm.is_configured()
    with pytest.raises(llm.AnbieterFehler, match="LLM_BASE_URL"):
        llm.complete([], schema=Urteil, schema_name="u", zweck="z", prompt_version="1")


# --- Forms a provider refuses -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reason", "changed"),
    [
        ("response_format json_schema is not supported", lambda r: r["response_format"]["type"]),
        ("Unsupported value: 'temperature'", lambda r: r.get("temperature", "none")),
        ("use 'max_completion_tokens' instead", lambda r: r.get("max_tokens", "none")),
        (
            "'maxLength' is not permitted",
            lambda r: "maxLength" in r["response_format"]["json_schema"]["schema"]["properties"],
        ),
    ],
)
def test_refused_form_is_simplified_and_remembered(ask, reason, changed):
    with provider(error(400, reason), answer()) as served:
        ask(served)
        ask(served)
    assert len(served.requests) == 3  # the second call knows already
    assert changed(served.requests[1]) in ("json_object", "none", False)
    assert changed(served.requests[2]) == changed(served.requests[1])


def test_form_refused_to_the_end_is_an_error(ask):
    with provider(error(400, "context too long")) as served, pytest.raises(llm.Abgelehnt):
        ask(served)
    assert len(served.requests) == 2
    assert ModellAufruf.objects.filter(fehler="Abgelehnt", tokens_ein=0).count() == 2


# --- Retries ------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [429, 500, 503])
def test_passing_failure_is_tried_again_and_each_attempt_recorded(ask, status):
    with provider(error(status), error(status), answer()) as served:
        ask(served)
    assert len(served.requests) == 3
    fehler = ModellAufruf.objects.order_by("pk").values_list("fehler", flat=True)
    assert list(fehler) == ["Voruebergehend", "Voruebergehend", ""]


def test_retries_are_bounded(ask, settings):
    settings.LLM_MAX_RETRIES = 2
    with provider(error(503)) as served, pytest.raises(llm.AnbieterFehler, match="503"):
        ask(served)
    assert len(served.requests) == 3


@pytest.mark.parametrize("status", [401, 403, 404])
def test_lasting_failure_is_not_tried_again(ask, status):
    with provider(error(status)) as served, pytest.raises(llm.AnbieterFehler, match=str(status)):
        ask(served)
    assert len(served.requests) == 1


def test_unreachable_provider_costs_no_tokens(ask, settings):
    settings.LLM_MAX_RETRIES = 1
    with provider(answer()) as served:
        pass
    with pytest.raises(llm.AnbieterFehler, match="nicht erreichbar"):
        ask(served)
    assert ModellAufruf.objects.filter(fehler="Voruebergehend", tokens_ein=0).count() == 2


def test_provider_that_does_not_answer_in_time_keeps_its_estimate(ask, settings):
    settings.LLM_TIMEOUT_SECONDS = 0.1
    settings.LLM_MAX_RETRIES = 0
    with silent_provider() as served, pytest.raises(llm.Zeitueberschreitung):
        ask(served)
    aufruf = ModellAufruf.objects.get()
    assert aufruf.tokens_aus == settings.LLM_MAX_OUTPUT_TOKENS
    assert aufruf.geschaetzt


@pytest.mark.parametrize(
    ("attempt", "retry_after", "shortest", "longest"),
    [
        (1, None, 1, 3),
        (3, None, 4, 12),
        (20, None, 60, 60),
        (1, 7.0, 7, 7),
        (1, 3600.0, 60, 60),
        (1, -5.0, 0, 0),
    ],
)
def test_pause_doubles_and_obeys_the_provider_up_to_a_minute(
    attempt, retry_after, shortest, longest
):
    assert shortest <= llm.pause(attempt, base=2.0, retry_after=retry_after) <= longest


@pytest.mark.parametrize(
    ("header", "seconds"),
    [("7", 7.0), ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0), ("soon", None)],
)
def test_pause_asked_for_in_the_header_is_read(ask, settings, header, seconds):
    settings.LLM_MAX_RETRIES = 0
    reply = error(429, retry_after=header)
    with provider(reply) as served, pytest.raises(llm.Voruebergehend) as failure:
        ask(served)
    asked = failure.value.retry_after
    assert (asked and max(asked, 0.0)) == seconds


# --- The time of one call -----------------------------------------------------------------------


def test_answer_that_trickles_is_given_up(ask, settings):
    """Each byte is in time, the whole answer never: the library's own timeout sees no silence."""
    settings.LLM_CALL_SECONDS = 0.3
    with trickling_provider() as served, pytest.raises(llm.Zeitueberschreitung, match="LLM_CALL"):
        ask(served)
    aufruf = ModellAufruf.objects.get()
    assert aufruf.geschaetzt
    assert aufruf.tokens_aus == settings.LLM_MAX_OUTPUT_TOKENS


def test_attempts_end_with_the_time_of_the_call(ask, settings):
    settings.LLM_CALL_SECONDS = 0.5
    settings.LLM_MAX_RETRIES = 1000
    settings.LLM_RETRY_SECONDS = 0.2
    with provider(error(503)) as served, pytest.raises(llm.AnbieterFehler, match="503"):
        ask(served)
    assert len(served.requests) < 6


def test_pause_longer_than_the_time_left_is_not_waited_for(ask, settings):
    settings.LLM_CALL_SECONDS = 5.0
    with provider(error(429, retry_after="30")) as served, pytest.raises(llm.Voruebergehend):
        ask(served)
    assert len(served.requests) == 1


def test_second_provider_has_its_part_of_the_time(ask, settings):
    settings.LLM_CALL_SECONDS = 1.0
    settings.LLM_FALLBACK_MODEL = "zweites"
    with silent_provider() as first, provider(answer()) as second:
        settings.LLM_FALLBACK_BASE_URL = second.base_url
        assert ask(first).aufruf.modell == "zweites"


def test_longest_call_follows_the_setting(settings):
    settings.LLM_CALL_SECONDS = 42.0
    assert llm.longest_call_seconds() == 42.0


def test_a_call_may_be_given_less_time_and_never_more(ask, settings):
    settings.LLM_MAX_RETRIES = 0
    with silent_provider() as served:
        with pytest.raises(llm.Zeitueberschreitung):
            ask(served, seconds=0.1)
        settings.LLM_CALL_SECONDS = 0.1
        with pytest.raises(llm.Zeitueberschreitung):
            ask(served, seconds=60.0)


def test_error_in_the_asking_thread_is_the_callers(ask, monkeypatch):
    monkeypatch.setattr(llm.openai, "OpenAI", None)  # no library at all
    with provider(answer()) as served, pytest.raises(TypeError):
        ask(served)


# --- Unusable answers ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (answer('{"wert"', finish_reason="length"), llm.AbgeschnitteneAntwort),
        (answer(""), llm.KeineAntwort),
        (answer(None, refusal="I cannot"), llm.KeineAntwort),
        (answer("", finish_reason="content_filter"), llm.KeineAntwort),
        (Reply(body={"error": {"message": "busy"}}), llm.KeineAntwort),
        (Reply(body="<html>"), llm.AnbieterFehler),
    ],
)
def test_unusable_answer_is_an_error_and_recorded(ask, reply, expected):
    with provider(reply) as served, pytest.raises(expected):
        ask(served)
    assert len(served.requests) == 1
    assert ModellAufruf.objects.get().fehler == expected.__name__


# --- The second provider ------------------------------------------------------------------------


def test_second_provider_answers_when_the_first_finally_fails(ask, settings):
    settings.LLM_MAX_RETRIES = 1
    settings.LLM_FALLBACK_MODEL = "zweites"
    with provider(error(500)) as first, provider(answer()) as second:
        settings.LLM_FALLBACK_BASE_URL = second.base_url
        antwort = ask(first)
    assert antwort.aufruf.modell == "zweites"
    assert len(first.requests) == 2


def test_cut_off_answer_does_not_go_to_the_second_provider(ask, settings):
    settings.LLM_FALLBACK_MODEL = "zweites"
    with provider(answer("{", finish_reason="length")) as first, provider(answer()) as second:
        settings.LLM_FALLBACK_BASE_URL = second.base_url
        with pytest.raises(llm.AbgeschnitteneAntwort):
            ask(first)
    assert second.requests == []


# --- The budget ---------------------------------------------------------------------------------


def test_call_over_the_budget_is_refused_before_it_is_sent(ask, settings):
    settings.LLM_DAILY_TOKENS = 100
    with provider(answer()) as served, pytest.raises(llm.BudgetErschoepft, match="Tagesbudget"):
        ask(served)
    assert served.requests == []
    assert not ModellAufruf.objects.exists()


def test_calls_add_up_until_the_next_one_is_refused(ask, settings):
    with provider(answer()) as served:
        ask(served)
        settings.LLM_DAILY_TOKENS = 120 + 200 + 50  # used, largest output, too few for the prompt
        with pytest.raises(llm.BudgetErschoepft):
            ask(served)
    assert len(served.requests) == 1


def test_exhausted_budget_does_not_go_to_the_second_provider(ask, settings):
    settings.LLM_DAILY_TOKENS = 0
    settings.LLM_FALLBACK_MODEL = "zweites"
    with provider(answer()) as served:
        settings.LLM_FALLBACK_BASE_URL = served.base_url
        with pytest.raises(llm.BudgetErschoepft):
            ask(served)
    assert served.requests == []


def test_retries_stop_when_they_use_up_the_budget(ask, settings):
    """A call that dies unanswered stays booked, so a failing provider cannot empty the purse."""
    ModellAufruf.objects.create(
        zweck="matrix", modell="m", tokens_ein=900, tokens_aus=100, kosten=0, dauer=0, fehler=OFFEN
    )
    settings.LLM_DAILY_TOKENS = 1000
    with provider(answer()) as served, pytest.raises(llm.BudgetErschoepft):
        ask(served)


def test_budget_day_is_the_german_one(monkeypatch, settings):
    """At 00:30 in Berlin it is still yesterday in UTC; yesterday's calls no longer count."""
    moments = {"gestern": (22, 21, 59), "heute": (22, 22, 1)}
    for zweck, (day, hour, minute) in moments.items():
        aufruf = ModellAufruf.objects.create(
            zweck=zweck, modell="m", tokens_ein=1, tokens_aus=len(zweck), kosten=0, dauer=0
        )
        ModellAufruf.objects.filter(pk=aufruf.pk).update(
            am=datetime(2026, 6, day, hour, minute, tzinfo=UTC)
        )
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 6, 22, 22, 30, tzinfo=UTC))
    assert tokens_today() == 1 + len("heute")


# --- Secrets ------------------------------------------------------------------------------------


def test_neither_prompt_nor_answer_nor_key_reaches_a_log_a_row_or_an_error(ask, caplog):
    caplog.set_level(logging.DEBUG)
    with provider(error(400, SECRET), error(401, SECRET), answer("Urteil")) as served:
        with pytest.raises(llm.AnbieterFehler) as failure:
            ask(served)
        ask(served)
    rows = str(list(ModellAufruf.objects.values()))
    error_text = f"{failure.value} {failure.value.__cause__}"
    for secret in (SECRET, "geheim"):
        assert secret not in caplog.text + rows + error_text
    assert "Urteil" not in caplog.text + rows
    assert failure.value.__suppress_context__
