"""The record of an assessment in words."""

from dataclasses import dataclass

from assessments.models import Assessment, Beleg, ReviewEvent

from .tisch import Posten, Tisch

VERBEN = {
    "submit": "zur Prüfung gegeben",
    "return": "an den Entwurf zurückgegeben",
    "reject": "abgelehnt",
    "approve": "freigegeben",
    "publish": "veröffentlicht",
    "supersede": "durch eine neue Fassung ersetzt",
    "withdraw": "zurückgezogen",
    "correct": "Berichtigung begonnen",
    "add": "Beleg ergänzt",
    "propose": "andere Stelle gewählt",
    "accept": "Beleg angenommen",
    "drop": "Beleg verworfen",
    "reopen": "Beleg wieder geöffnet",
    "change": "geändert",
    "take_over": "Reservierung übernommen",
}
_ZUSTAENDE = dict([*Assessment.Status.choices, *Beleg.Zustand.choices])


@dataclass(frozen=True)
class Ereignis:
    """`posten` is the evidence that the event is about, if any, as it is now."""

    event: ReviewEvent
    posten: Posten | None = None

    @property
    def wort(self) -> str:
        return VERBEN.get(self.event.verb, self.event.verb)

    @property
    def is_turn(self) -> bool:
        """Whether something became something else; new evidence was nothing before."""
        return self.event.verb != "add" and self.von != self.nach

    @property
    def von(self) -> str:
        return self._word(self.event.von)

    @property
    def nach(self) -> str:
        return self._word(self.event.nach)

    def _word(self, value: str) -> str:
        """States have labels; what a change held is shown as it was."""
        return value if self.event.verb == "change" else _ZUSTAENDE.get(value, value)


def ereignisse(tisch: Tisch) -> list[Ereignis]:
    """The newest first."""
    events = tisch.assessment.events.select_related("by").order_by("-pk")
    return [Ereignis(event, tisch.find(event.beleg_id)) for event in events]
