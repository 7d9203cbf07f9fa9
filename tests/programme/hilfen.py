"""A programme of many passages, and a provider that answers by what it is asked."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from programme.wortschatz import count_words

from .factories import ProgrammFactory
from .provider import Provider, answer, provider

# One passage each: 600 to 800 letters about one thing.
THEMEN = (
    *("Wohnungen", "Bahnstrecken", "Schulen", "Krankenhäuser", "Windräder", "Radwege", "Museen"),
    *("Bauernhöfe", "Feuerwehren", "Gerichte", "Bibliotheken", "Sportplätze", "Brücken"),
    *("Hochschulen", "Wälder", "Häfen", "Flughäfen", "Schwimmbäder"),
)
SAETZE = (
    "Wir wollen {} in jeder Gemeinde erhalten und gut ausstatten.",
    "Für {} stellen wir mehr Geld bereit als die Regierung vor uns.",
    "Viele Menschen verlassen sich darauf, dass {} zuverlässig da sind.",
    "Bei der Planung neuer {} hören wir zuerst auf jene, die dort wohnen.",
    "Wo {} fehlen, soll das Land binnen weniger Jahre Abhilfe schaffen.",
    "Kürzungen zulasten der {} lehnen wir entschieden ab.",
    "Über {} soll künftig jedes Jahr öffentlich berichtet werden.",
    "Private Geldgeber für {} sind willkommen, wenn sie keine Bedingungen stellen.",
    "Den Verkauf öffentlicher {} an Fonds wird es mit uns nicht geben.",
)


def seite(thema: str) -> str:
    return " ".join(satz.format(thema) for satz in SAETZE)


def long_programme(partei, parlament, **kwargs):
    programm = ProgrammFactory(
        seiten=[seite(thema) for thema in THEMEN], parteien=[partei], parlament=parlament, **kwargs
    )
    count_words()
    return programm


@contextmanager
def answering(reply: Callable[[str], dict | str]) -> Iterator[Provider]:
    """A provider that answers with what `reply` makes of the words of the request."""
    with provider() as served:

        def next_reply(request: dict):
            served.requests.append(request)
            content = reply(request["messages"][-1]["content"])
            return answer(content if isinstance(content, str) else json.dumps(content))

        served.next_reply = next_reply
        yield served


def numbers_of(words: str, request: str) -> list[int]:
    """The numbers of the passages that hold these words, as a model reads them."""
    passages = re.findall(r"^\[(\d+)\]\n<stelle>\n(.*?)\n</stelle>$", request, re.M | re.S)
    return [int(number) for number, text in passages if words in " ".join(text.split())]


def oracle(words: str, other_words: str) -> Callable[[str], dict]:
    """Knows which passage is meant, and how it says what is asked."""

    def reply(request: str) -> dict:
        if request.startswith("<frage>"):
            return {"fassungen": [other_words]}
        return {"nummern": numbers_of(words, request)}

    return reply
