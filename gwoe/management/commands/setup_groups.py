"""Creates the editors' groups and sets what each may do."""

from typing import Any

from django.contrib.auth.models import Group, Permission
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

# Everybody of the editors may look at everything of the domain.
APPS = ("assessments", "programme", "parlamente", "citations", "meldungen")
# Accounts, and who logged in, are nobody's to see but the Leitung's.
ACCOUNTS = "konten"
REDAKTION = (
    *("review_assessment", "submit_assessment", "correct_assessment", "add_lauf"),
    "decide_meldung",
    *("add_antrag", "change_antrag"),
    *("add_programm", "change_programm", "confirm_programm"),
)
FREIGABE = (*REDAKTION, "approve_assessment", "reject_assessment", "return_assessment")
LEITUNG = (
    *FREIGABE,
    *("publish_assessment", "withdraw_assessment"),
    # Only what nothing refers to can be deleted: the rows that cite it protect it (PROTECT).
    *("delete_antrag", "delete_programm"),
    *("change_parlament", "change_partei", "add_partei"),
    *("view_anmeldeversuch", "view_konto", "change_konto", "view_einladung", "view_kontoereignis"),
    *("invite", "reset_zweiter_faktor"),
    *("add_wahlperiode", "change_wahlperiode", "add_regierung", "change_regierung"),
)
GROUPS = {"Redaktion": REDAKTION, "Freigabe": FREIGABE, "Leitung": LEITUNG}


class Command(BaseCommand):
    help = "Create the groups Redaktion, Freigabe and Leitung with their permissions (idempotent)."

    @transaction.atomic
    def handle(self, *args: Any, **options: Any) -> None:
        views = Permission.objects.filter(
            content_type__app_label__in=APPS, codename__startswith="view_"
        )
        for name, codenames in GROUPS.items():
            group, _ = Group.objects.get_or_create(name=name)
            group.permissions.set([*views, *_permissions(codenames)])
            self.stdout.write(f"{name}: {', '.join(codenames)}")


def _permissions(codenames: tuple[str, ...]) -> list[Permission]:
    """Raises CommandError where the migrations have not made one of them yet."""
    found = list(
        Permission.objects.filter(
            content_type__app_label__in=(*APPS, ACCOUNTS), codename__in=codenames
        )
    )
    missing = set(codenames) - {permission.codename for permission in found}
    if missing:
        raise CommandError(
            f"Es fehlen Rechte: {', '.join(sorted(missing))}. Zuerst: manage.py migrate"
        )
    return found
