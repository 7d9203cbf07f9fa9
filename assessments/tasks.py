"""The queue's side of an assessment: primary keys in, one domain call, every end recorded."""

import logging

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django_q.models import Schedule
from django_q.tasks import async_task, schedule

from parlamente.models import Fassung
from programme import llm
from programme.llm import ModellFehler

from .models import SILENCE, InvalidTransition, Lauf
from .pipeline import UnbrauchbareAntwort, assess
from .prompt import PROMPT_VERSION
from .pruefgang import verify
from .statistik import count_bilanzen, recent_bilanzen
from .subject import NichtBewertbar

logger = logging.getLogger(__name__)


def enqueue_assessment(fassung: Fassung) -> Lauf:
    """Queues the assessment of a text; the task is handed out once the transaction is done.

    Raises InvalidTransition while another run of the same text waits or goes on.
    """
    lauf = Lauf.open(fassung)
    transaction.on_commit(lambda: _hand_out(lauf.pk))
    return lauf


def retry_assessment(lauf: Lauf) -> None:
    """Queues a failed run again. Raises InvalidTransition for any other."""
    lauf.retry()
    transaction.on_commit(lambda: _hand_out(lauf.pk))


def _reason(error: Exception) -> str:
    """What editors read of a failure; whatever was not foreseen is told by the log."""
    if isinstance(error, (NichtBewertbar, UnbrauchbareAntwort, ModellFehler, InvalidTransition)):
        return str(error)
    logger.exception("A run failed unexpectedly")
    return "Unerwarteter Fehler. Näheres steht im Protokoll des Arbeitsprozesses."


def _look_again(lauf_id: int) -> None:
    schedule(
        "assessments.tasks.run_lauf",
        lauf_id,
        name=f"lauf-{lauf_id}",
        schedule_type=Schedule.ONCE,
        next_run=timezone.now() + SILENCE,
    )


def _hand_out(lauf_id: int) -> None:
    async_task("assessments.tasks.run_lauf", lauf_id, group=f"lauf-{lauf_id}")


def verify_nightly() -> str:
    """Proves every accepted quote again. What is refuted shows; nothing is withdrawn by itself."""
    total = verify().total
    if total.refuted:
        logger.error("%d of %d pieces of evidence are refuted", total.refuted, total.checked)
    return f"{total.checked} geprüft, {total.refuted} widerlegt, {total.unprovable} nicht prüfbar"


def count_drafts() -> str:
    """The figures of the models' drafts on the start page of the admin."""
    count_bilanzen()
    return f"{sum(row.bewertungen for row in recent_bilanzen().zeilen)} Entwürfe gezählt"


def run_lauf(lauf_id: int) -> str:
    """Drafts the assessment of a run. Safe to be called twice: only one attempt runs at a time.

    A failure is kept in the run and raised, so that the queue shows it too.
    """
    lauf = Lauf.objects.select_related("fassung__antrag__parlament").get(pk=lauf_id)
    with_model = llm.is_configured()
    try:
        lauf.begin(
            modell=settings.LLM_MODEL if with_model else "",
            prompt_version=PROMPT_VERSION if with_model else "",
        )
    except InvalidTransition as reason:
        logger.info("Lauf %s is not begun: %s", lauf_id, reason)
        if lauf.is_alive:
            # Perhaps its worker was killed just now. The queue forgets the task when this returns,
            # so it is looked at again when silence would prove it.
            _look_again(lauf_id)
        return str(reason)
    try:
        assessment = assess(lauf)
    except Exception as error:
        lauf.fail(_reason(error))
        raise
    return f"Assessment {assessment.pk}"
