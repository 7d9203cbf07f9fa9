"""The parts of an assessment, copied into another one: what a correction begins with."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django.db import connection, models

from .beleg import Beleg
from .bewertung import Feldbewertung, Verbesserung, Vergleich

if TYPE_CHECKING:
    from .assessment import Assessment

OWNERS: dict[str, type[models.Model]] = {
    "feldbewertung": Feldbewertung,
    "vergleich": Vergleich,
    "verbesserung": Verbesserung,
}
# With the person and the day that they have: a decision stays who made it, and a confirmation of
# what cannot be proved counts from when it was given.
COPY_DECISIONS = """
INSERT INTO assessments_reviewevent (assessment_id, beleg_id, verb, von, nach, by_id, note, am)
SELECT %s, pair.neu, e.verb, e.von, e.nach, e.by_id, e.note, e.am
FROM unnest(%s::bigint[], %s::bigint[]) AS pair (alt, neu)
JOIN assessments_reviewevent e ON e.beleg_id = pair.alt
ORDER BY e.id
"""


def copy_parts(source: "Assessment", target: "Assessment") -> None:
    """Ratings, comparisons and proposals with both their values, evidence with its decisions."""
    owners = {name: _copies(model, source, target) for name, model in OWNERS.items()}
    originals = list(source.belege.order_by("pk"))
    copies = [_copied_beleg(beleg, target, owners) for beleg in originals]
    Beleg.objects.bulk_create(copies)
    pairs = [[beleg.pk for beleg in originals], [beleg.pk for beleg in copies]]
    with connection.cursor() as cursor:
        cursor.execute(COPY_DECISIONS, [target.pk, *pairs])


def _copies(
    model: type[Any], source: "Assessment", target: "Assessment"
) -> dict[int, models.Model]:
    """The stored copies by the keys of their originals."""
    originals = list(model.objects.filter(assessment=source).order_by("pk"))
    copies = [_copied(row, assessment=target) for row in originals]
    model.objects.bulk_create(copies)
    return {original.pk: copy for original, copy in zip(originals, copies, strict=True)}


def _copied_beleg(
    beleg: Beleg, target: "Assessment", owners: dict[str, dict[int, models.Model]]
) -> Beleg:
    owner = {
        name: copies[key]
        for name, copies in owners.items()
        if (key := getattr(beleg, f"{name}_id")) is not None
    }
    # The lot is drawn anew.
    copy: Beleg = _copied(beleg, leave_out=["los"], assessment=target, **owner)
    return copy


def _copied(row: Any, *, leave_out: Sequence[str] = (), **fields: Any) -> Any:
    """The same row, not stored, with other `fields`."""
    skipped = {*leave_out, *fields}
    kept = {
        field.attname: getattr(row, field.attname)
        for field in row._meta.concrete_fields
        if not field.primary_key and field.name not in skipped
    }
    return type(row)(**kept, **fields)
