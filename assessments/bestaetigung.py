"""When an editor stands for a quote that the independent check cannot prove.

The one definition, for what readers see (`pruefstand`) and for the alarm of the verification
(`proof`): nobody can confirm what is refuted, and nobody confirmed a doubt that came up later.
"""

from django.db.models import Q

from .models import Beleg
from .models.annahmen import acceptances, confirmations
from .public import READABLE


def is_confirmed(beleg: Beleg) -> bool:
    """As readers see the place; for what is not public, by its own decision as well."""
    readable = Q(assessment__status__in=READABLE)
    uses = Beleg.objects.filter(Q(pk=beleg.pk) | readable, zitat=beleg.zitat_id)
    return beleg.zitat_id in confirmations(uses)


def is_accepted_by_editor(beleg: Beleg) -> bool:
    """Whether a person, not the machine, decided that it counts; whatever the check says."""
    return beleg.zitat_id in acceptances(Beleg.objects.filter(pk=beleg.pk))
