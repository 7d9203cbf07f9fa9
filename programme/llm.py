"""The model client: one public function, any OpenAI-compatible endpoint, every call recorded.

No prompt and no answer is ever logged, stored or put into an error message.
"""

import json
import logging
import random
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import Enum
from typing import Any

import openai
from django.conf import settings
from openai.types.chat import ChatCompletion, ChatCompletionMessageParam
from pydantic import BaseModel
from tenacity import RetryCallState, Retrying, retry_if_exception_type

from .aufrufe import BudgetErschoepft as BudgetErschoepft
from .aufrufe import ModellFehler as ModellFehler
from .aufrufe import estimate_tokens as estimate_tokens
from .aufrufe import price as price
from .aufrufe import reserve, settle
from .json_schema import strict_schema, without_limits
from .models import ModellAufruf

logger = logging.getLogger(__name__)
# At DEBUG the library writes whole requests, and with them the prompt.
logging.getLogger("openai").setLevel(logging.WARNING)

# A provider may ask for more patience than a queued task has.
MAX_PAUSE_SECONDS = 60.0
RETRYABLE_STATUS = {408, 409, 429}
REFUSED_STATUS = {400, 422}

Messages = Sequence[ChatCompletionMessageParam]
# Told of every call before it is made, so that whoever asked can keep the ones that fail as well.
OnCall = Callable[[ModellAufruf], object]


class AnbieterFehler(ModellFehler):
    """The provider could not be reached or refused the call."""


class Voruebergehend(AnbieterFehler):
    """Worth another attempt: too many requests, an error on the other side, no connection."""

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class Zeitueberschreitung(Voruebergehend):
    """No answer in time; the provider may work on, and count it."""


class Abgelehnt(AnbieterFehler):
    """The form of the request was refused (400 or 422); `hinweis` is the provider's reason."""

    def __init__(self, message: str, *, hinweis: str) -> None:
        super().__init__(message)
        self.hinweis = hinweis


class AbgeschnitteneAntwort(ModellFehler):
    """The answer reached the output limit; a part of a JSON document is worth nothing."""


class KeineAntwort(ModellFehler):
    """The provider answered without content, or the model refused."""


@dataclass(frozen=True)
class Antwort:
    text: str
    aufruf: ModellAufruf


@dataclass(frozen=True)
class Anbieter:
    base_url: str
    api_key: str
    model: str


class Ausgabe(Enum):
    """How the provider is asked for JSON, from the strictest to the simplest."""

    SCHEMA = "schema"
    SCHEMA_OHNE_GRENZEN = "schema ohne Grenzen"
    JSON = "json"


@dataclass(frozen=True)
class Form:
    """What a provider accepts; found out by its refusals and remembered in this process."""

    ausgabe: Ausgabe
    temperatur: bool = True
    limit_name: str = "max_tokens"


@dataclass(frozen=True)
class Auftrag:
    messages: Messages
    schema: type[BaseModel]
    schema_name: str
    zweck: str
    prompt_version: str
    on_call: OnCall | None


@dataclass(frozen=True)
class Frist:
    """The moment (of time.monotonic) until which an answer is waited for, over all attempts."""

    ende: float

    @property
    def rest(self) -> float:
        """Seconds left."""
        return self.ende - time.monotonic()


_accepted_forms: dict[Anbieter, Form] = {}


def is_configured() -> bool:
    return bool(settings.LLM_BASE_URL and settings.LLM_MODEL)


def longest_call_seconds() -> float:
    """How long `complete` may take at most, with all its attempts at both providers."""
    return float(settings.LLM_CALL_SECONDS)


def complete(
    messages: Messages,
    *,
    schema: type[BaseModel],
    schema_name: str,
    zweck: str,
    prompt_version: str,
    on_call: OnCall | None = None,
    seconds: float | None = None,
) -> Antwort:
    """One answer as JSON text of the form of `schema`; the text is not trusted, only shaped.

    Raises BudgetErschoepft before anything is sent, AbgeschnitteneAntwort, KeineAntwort, or
    AnbieterFehler when the last attempt at the last provider failed, after `seconds` or
    `longest_call_seconds` at the latest. Must not be called inside a transaction (RuntimeError).
    """
    auftrag = Auftrag(messages, schema, schema_name, zweck, prompt_version, on_call)
    longest = longest_call_seconds()
    return _ask_in_turn(
        _providers(), auftrag, longest if seconds is None else min(seconds, longest)
    )


def _ask_in_turn(providers: list[Anbieter], auftrag: Auftrag, seconds: float) -> Antwort:
    first, *others = providers
    ende = time.monotonic() + seconds
    # Half of the time is the second provider's, who is asked when the first one is silent.
    half = ende - seconds / 2
    try:
        return _with_retries(first, auftrag, Frist(half if others else ende))
    except (AnbieterFehler, KeineAntwort) as failure:
        if not others:
            raise
        logger.warning("%s: %s; asking the second provider", auftrag.zweck, type(failure).__name__)
    return _with_retries(others[0], auftrag, Frist(ende))


def _providers() -> list[Anbieter]:
    if not is_configured():
        raise AnbieterFehler("Es ist kein Modell eingerichtet (LLM_BASE_URL, LLM_MODEL).")
    providers = [Anbieter(settings.LLM_BASE_URL, settings.LLM_API_KEY, settings.LLM_MODEL)]
    if settings.LLM_FALLBACK_BASE_URL and settings.LLM_FALLBACK_MODEL:
        providers.append(
            Anbieter(
                settings.LLM_FALLBACK_BASE_URL,
                settings.LLM_FALLBACK_API_KEY,
                settings.LLM_FALLBACK_MODEL,
            )
        )
    return providers


# --- Attempts --------------------------------------------------------------------------------


def _with_retries(anbieter: Anbieter, auftrag: Auftrag, frist: Frist) -> Antwort:
    def is_enough(state: RetryCallState) -> bool:
        return state.attempt_number > settings.LLM_MAX_RETRIES or state.upcoming_sleep >= frist.rest

    retrying = Retrying(
        stop=is_enough,
        retry=retry_if_exception_type(Voruebergehend),
        wait=_pause_before_retry,
        reraise=True,
    )
    return retrying(_in_an_accepted_form, anbieter, auftrag, frist)


def _pause_before_retry(state: RetryCallState) -> float:
    failure = state.outcome.exception() if state.outcome else None
    asked = failure.retry_after if isinstance(failure, Voruebergehend) else None
    return pause(state.attempt_number, base=settings.LLM_RETRY_SECONDS, retry_after=asked)


def pause(attempt: int, *, base: float, retry_after: float | None) -> float:
    """Seconds to wait: what the provider asks for, else doubling with jitter; always capped."""
    if retry_after is not None:
        return min(max(retry_after, 0.0), MAX_PAUSE_SECONDS)
    spread = random.uniform(0.5, 1.5)  # noqa: S311  spreads callers, guards nothing
    return min(base * 2 ** (attempt - 1) * spread, MAX_PAUSE_SECONDS)


def _in_an_accepted_form(anbieter: Anbieter, auftrag: Auftrag, frist: Frist) -> Antwort:
    """One attempt; gives way where the provider refuses a part of the request's form."""
    form = _accepted_forms.get(anbieter) or _preferred_form()
    while True:
        try:
            antwort = _call(anbieter, auftrag, form, frist)
        except Abgelehnt as refused:
            simpler = simpler_form(form, refused.hinweis)
            if simpler is None:
                raise
            form = simpler
        else:
            _accepted_forms[anbieter] = form
            return antwort


def _preferred_form() -> Form:
    return Form(Ausgabe.SCHEMA if settings.LLM_JSON_SCHEMA else Ausgabe.JSON)


def simpler_form(form: Form, hinweis: str) -> Form | None:
    """The form without what the provider's reason names; None when nothing is left to drop."""
    reason = hinweis.casefold()
    if form.temperatur and "temperature" in reason:
        return replace(form, temperatur=False)
    if form.limit_name == "max_tokens" and "max_completion_tokens" in reason:
        return replace(form, limit_name="max_completion_tokens")
    if form.ausgabe is Ausgabe.SCHEMA and ("length" in reason or "items" in reason):
        return replace(form, ausgabe=Ausgabe.SCHEMA_OHNE_GRENZEN)
    if form.ausgabe is not Ausgabe.JSON:
        return replace(form, ausgabe=Ausgabe.JSON)
    return None


# --- One call --------------------------------------------------------------------------------


def _call(anbieter: Anbieter, auftrag: Auftrag, form: Form, frist: Frist) -> Antwort:
    if frist.rest <= 0:
        raise _too_late()
    request = build_request(anbieter.model, auftrag, form)
    aufruf = _book(anbieter, auftrag, request)
    started = time.monotonic()
    try:
        completion = _answer_in_time(anbieter, request, frist)
    except AnbieterFehler as failure:
        _settle_failure(aufruf, failure, dauer=time.monotonic() - started)
        raise
    text = _text(completion)
    unusable = _why_unusable(completion, text)
    _settle_answer(aufruf, completion, text, unusable, dauer=time.monotonic() - started)
    if unusable:
        raise unusable
    return Antwort(text, aufruf)


def _book(anbieter: Anbieter, auftrag: Auftrag, request: dict[str, Any]) -> ModellAufruf:
    aufruf = reserve(
        zweck=auftrag.zweck,
        modell=anbieter.model,
        prompt_version=auftrag.prompt_version,
        tokens_ein=estimate_tokens(json.dumps(request, ensure_ascii=False)),
        tokens_aus=settings.LLM_MAX_OUTPUT_TOKENS,
    )
    if auftrag.on_call:
        auftrag.on_call(aufruf)
    return aufruf


def build_request(model: str, auftrag: Auftrag, form: Form) -> dict[str, Any]:
    request: dict[str, Any] = {
        "model": model,
        "messages": list(auftrag.messages),
        form.limit_name: settings.LLM_MAX_OUTPUT_TOKENS,
        "response_format": {"type": "json_object"},
    }
    if form.temperatur:
        request["temperature"] = 0
    schema = strict_schema(auftrag.schema)
    if form.ausgabe is Ausgabe.JSON:
        request["messages"] = _with_schema_in_words(auftrag.messages, schema)
        return request
    if form.ausgabe is Ausgabe.SCHEMA_OHNE_GRENZEN:
        schema = without_limits(schema)
    named = {"name": auftrag.schema_name, "schema": schema, "strict": True}
    request["response_format"] = {"type": "json_schema", "json_schema": named}
    return request


def _with_schema_in_words(messages: Messages, schema: dict[str, Any]) -> list[Any]:
    """The schema as the first message: JSON mode does not enforce it, and wants the word JSON."""
    words = json.dumps(schema, ensure_ascii=False, separators=(",", ":"))
    instruction = f"Antworte nur mit einem JSON-Objekt nach diesem Schema: {words}"
    return [{"role": "system", "content": instruction}, *messages]


def _answer_in_time(anbieter: Anbieter, request: dict[str, Any], frist: Frist) -> ChatCompletion:
    """The provider's answer before the end of `frist`. Raises AnbieterFehler.

    In a thread of its own, because the library's timeout counts the silence between two bytes: a
    provider that trickles, or a name that is slowly resolved, would hold the worker for ever. A
    thread that is late is left to its own timeouts; it touches no row.
    """
    future: Future[ChatCompletion] = Future()

    def ask() -> None:
        try:
            future.set_result(_send(anbieter, request))
        except Exception as failure:  # noqa: BLE001  raised again where the result is awaited
            future.set_exception(failure)

    threading.Thread(target=ask, daemon=True, name="model call").start()
    try:
        return future.result(timeout=max(frist.rest, 0))
    except TimeoutError:
        raise _too_late() from None


def _too_late() -> Zeitueberschreitung:
    return Zeitueberschreitung("Die Antwort war nicht rechtzeitig fertig (LLM_CALL_SECONDS).")


def _send(anbieter: Anbieter, request: dict[str, Any]) -> ChatCompletion:
    """The provider's answer. Raises AnbieterFehler without the provider's words.

    `from None`, because the library's exceptions quote the request.
    """
    with openai.OpenAI(
        base_url=anbieter.base_url,
        api_key=anbieter.api_key or "none",  # a local server needs none, the library does
        timeout=settings.LLM_TIMEOUT_SECONDS,
        max_retries=0,  # counted here, so that every attempt is recorded
    ) as client:
        try:
            completion = client.chat.completions.create(**request)
        except openai.APIConnectionError as failure:
            raise _connection_error(failure) from None
        except openai.APIStatusError as failure:
            raise _status_error(failure) from None
        except (openai.OpenAIError, ValueError):
            raise AnbieterFehler(
                "Der Anbieter antwortete nicht in der vereinbarten Form."
            ) from None
    if not isinstance(completion, ChatCompletion):
        raise AnbieterFehler("Der Anbieter antwortete nicht in der vereinbarten Form.")
    return completion


def _connection_error(failure: openai.APIConnectionError) -> Voruebergehend:
    if isinstance(failure, openai.APITimeoutError):
        seconds = f"{settings.LLM_TIMEOUT_SECONDS:g}"
        return Zeitueberschreitung(f"Der Anbieter antwortete nicht in {seconds} Sekunden.")
    return Voruebergehend("Der Anbieter des Modells ist nicht erreichbar.")


def _status_error(failure: openai.APIStatusError) -> AnbieterFehler:
    status = failure.status_code
    message = f"Der Anbieter des Modells antwortete mit dem Fehler {status}."
    if status in RETRYABLE_STATUS or status >= 500:
        header = failure.response.headers.get("retry-after", "")
        return Voruebergehend(message, retry_after=_seconds(header))
    if status in REFUSED_STATUS:
        return Abgelehnt(message, hinweis=failure.message)
    return AnbieterFehler(message)


def _seconds(retry_after: str) -> float | None:
    """The header's seconds or date as seconds from now; None where there is none to read."""
    if retry_after.strip().isdigit():
        return float(retry_after)
    try:
        moment = parsedate_to_datetime(retry_after)
    except ValueError:
        return None
    return (moment.replace(tzinfo=moment.tzinfo or UTC) - datetime.now(UTC)).total_seconds()


# --- What came back --------------------------------------------------------------------------


def _text(completion: ChatCompletion) -> str:
    choices = completion.choices or []  # some providers answer 200 with an error and no choices
    return (choices[0].message.content or "") if choices else ""


def _why_unusable(completion: ChatCompletion, text: str) -> ModellFehler | None:
    if not completion.choices:
        return KeineAntwort("Der Anbieter schickte keine Antwort.")
    choice = completion.choices[0]
    if choice.finish_reason == "length":
        return AbgeschnitteneAntwort(
            f"Die Antwort brach nach {settings.LLM_MAX_OUTPUT_TOKENS} Tokens ab "
            "(LLM_MAX_OUTPUT_TOKENS)."
        )
    if choice.message.refusal or choice.finish_reason == "content_filter":
        return KeineAntwort("Das Modell hat die Antwort verweigert.")
    if not text.strip():
        return KeineAntwort("Das Modell schickte eine leere Antwort.")
    return None


def _settle_answer(
    aufruf: ModellAufruf,
    completion: ChatCompletion,
    text: str,
    unusable: ModellFehler | None,
    *,
    dauer: float,
) -> None:
    usage = completion.usage
    settle(
        aufruf,
        tokens_ein=usage.prompt_tokens if usage else aufruf.tokens_ein,
        tokens_aus=usage.completion_tokens if usage else estimate_tokens(text),
        geschaetzt=usage is None,
        dauer=dauer,
        text=text,
        fehler=type(unusable).__name__ if unusable else "",
    )
    logger.info(
        "%s: %s, %d + %d tokens in %.1f s",
        *(aufruf.zweck, aufruf.modell, aufruf.tokens_ein, aufruf.tokens_aus, dauer),
    )


def _settle_failure(aufruf: ModellAufruf, failure: AnbieterFehler, *, dauer: float) -> None:
    """A refused call cost nothing; one that was not answered in time stays at its estimate."""
    unanswered = isinstance(failure, Zeitueberschreitung)
    settle(
        aufruf,
        tokens_ein=aufruf.tokens_ein if unanswered else 0,
        tokens_aus=aufruf.tokens_aus if unanswered else 0,
        geschaetzt=unanswered,
        dauer=dauer,
        fehler=type(failure).__name__,
    )
    logger.warning("%s: %s, %s", aufruf.zweck, aufruf.modell, type(failure).__name__)
