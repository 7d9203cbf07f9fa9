"""From a motion to a stored draft. Whoever reads assess() knows the product."""

from functools import partial
from typing import TypeVar

from django.db import transaction
from pydantic import BaseModel, ValidationError

from parlamente.models import Partei
from programme import llm
from programme.models import ModellAufruf
from programme.umsortieren import find_reranked

from .assembling import place_quotes
from .collecting import collect_evidence
from .matrix import Matrix, load_matrix
from .models import Assessment, Lauf
from .prompt import PROMPT_VERSION, matrix_messages, vergleich_messages
from .schemas import MatrixAntwort, ParteiAntwort, VergleichAntwort
from .subject import Gegenstand, gather

Antwort = TypeVar("Antwort", bound=BaseModel)


class UnbrauchbareAntwort(Exception):
    """The model's answer is not of the form that was asked for (German, without its text)."""


def assess(lauf: Lauf) -> Assessment:
    """Drafts the assessment of the run's text; the draft goes straight into review.

    Without a configured model the evidence is collected and every rating is left to the editors.
    Raises NichtBewertbar, UnbrauchbareAntwort, or what the model client raises; nothing is stored
    then but the calls that were made.
    """
    matrix = load_matrix()
    lauf.progress("Sucht Stellen in den Programmen")
    gegenstand = gather(lauf.fassung, partial(find_reranked, on_call=partial(_sorting, lauf)))
    if not llm.is_configured():
        lauf.progress("Sammelt Belege ohne Modell")
        entwurf = collect_evidence(gegenstand, matrix)
    else:
        antwort = ask_matrix(lauf, gegenstand, matrix)
        antworten = {partei: ask_party(lauf, gegenstand, partei) for partei in gegenstand.parteien}
        lauf.progress("Sucht jedes Zitat in den Dokumenten")
        entwurf = place_quotes(gegenstand, matrix, antwort, antworten)
    with transaction.atomic():
        assessment = Assessment.record(lauf, entwurf, matrix_version=matrix.version)
        assessment.submit()
    return assessment


def _sorting(lauf: Lauf, aufruf: ModellAufruf) -> None:
    """Keeps the call, and the run alive: sorting asks once for each party."""
    lauf.aufrufe.add(aufruf)
    lauf.progress("Ordnet die gefundenen Stellen")


# --- Asking ------------------------------------------------------------------------------------


def ask_matrix(lauf: Lauf, gegenstand: Gegenstand, matrix: Matrix) -> MatrixAntwort:
    lauf.progress("Fragt das Modell nach den 25 Feldern")
    messages = matrix_messages(matrix, gegenstand.titel, gegenstand.text)
    return _ask(lauf, messages, MatrixAntwort, name="matrix", zweck="Matrix")


def ask_party(lauf: Lauf, gegenstand: Gegenstand, partei: Partei) -> ParteiAntwort | None:
    """The comparison with one party; None without a call where nothing was found to compare."""
    quellen = gegenstand.quellen_von(partei)
    if not quellen:
        return None
    lauf.progress(f"Fragt das Modell nach {partei}")
    messages = vergleich_messages(partei, quellen, gegenstand.titel, gegenstand.forderungen)
    antwort = _ask(
        lauf, messages, VergleichAntwort, name="vergleich", zweck=f"Vergleich mit {partei}"
    )
    (score,) = antwort.wahlprogramm_scores
    if score.partei.casefold() not in (partei.kuerzel.casefold(), partei.name.casefold()):
        raise UnbrauchbareAntwort(f"Vergleich mit {partei}: Die Antwort gilt einer anderen Partei.")
    return score


def _ask(
    lauf: Lauf, messages: llm.Messages, schema: type[Antwort], *, name: str, zweck: str
) -> Antwort:
    answer = llm.complete(
        messages,
        schema=schema,
        schema_name=name,
        zweck=zweck,
        prompt_version=PROMPT_VERSION,
        on_call=lauf.aufrufe.add,
    )
    try:
        return schema.model_validate_json(answer.text)
    except ValidationError as error:
        places = sorted({".".join(map(str, e["loc"])) or "(ganz)" for e in error.errors()})
        raise UnbrauchbareAntwort(
            f"{zweck}: Die Antwort des Modells hat nicht die vereinbarte Form "
            f"({', '.join(places[:5])})."
        ) from None  # pydantic's message quotes the answer
