"""Groups and access of an account, changed by somebody else."""

from collections.abc import Iterable
from typing import Any

from django.contrib.auth.models import Group
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from .einladungen import locked
from .models import Einladung, Kontoereignis
from .rechte import require_may_give, require_may_manage


@transaction.atomic
def change_access(konto: Any, *, by: Any, groups: Iterable[Group], is_active: bool) -> bool:
    """Links for the account, and those that it issued, end with it; False where nothing changes."""
    konto, groups = locked(konto), list(groups)
    require_may_manage(by, konto)
    require_may_give(by, groups)
    if konto.is_active == is_active and set(konto.groups.all()) == set(groups):
        return False
    konto.is_active = is_active
    konto.save(update_fields=["is_active"])
    konto.groups.set(groups)
    Einladung.objects.unused().filter(Q(konto=konto) | Q(ausgestellt_durch=konto)).update(
        widerrufen_am=timezone.now()
    )
    names = ", ".join(sorted(group.name for group in groups)) or "keine"
    vermerk = f"{'Zugang' if is_active else 'gesperrt'}; Gruppen: {names}"
    Kontoereignis.note(konto, Kontoereignis.Art.GEAENDERT, durch=by, vermerk=vermerk)
    return True
