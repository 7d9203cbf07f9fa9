"""How often a model names the wrong source, per model and version of the instructions."""

from dataclasses import dataclass

from django.db.models import Count, Q

from .models import Beleg


@dataclass(frozen=True)
class Quellenbilanz:
    """`comparable` quotes stand somewhere and came with a source; `wrong` of them elsewhere."""

    modell: str
    prompt_version: str
    quotes: int
    comparable: int
    wrong: int

    @property
    def share(self) -> float | None:
        """Wrong among the comparable ones, 0–1; None without any."""
        return self.wrong / self.comparable if self.comparable else None

    @property
    def prozent(self) -> str:
        return "–" if self.share is None else f"{self.share:.0%}".replace("%", " %")


def source_claims() -> list[Quellenbilanz]:
    """One row per model and version that has quoted anything, the newest version first."""
    rows = (
        Beleg.objects.filter(herkunft=Beleg.Herkunft.MODELL, assessment__lauf__isnull=False)
        .values_list("assessment__lauf__modell", "assessment__lauf__prompt_version")
        .annotate(
            quotes=Count("pk"),
            comparable=Count("pk", filter=Q(quelle_stimmt__isnull=False)),
            wrong=Count("pk", filter=Q(quelle_stimmt=False)),
        )
        .order_by("-assessment__lauf__prompt_version", "assessment__lauf__modell")
    )
    return [Quellenbilanz(*row) for row in rows]
