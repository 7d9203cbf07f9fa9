"""The states of an assessment, and what can be done in which."""

from django.db import models


class Status(models.TextChoices):
    DRAFT = "draft", "Entwurf"
    IN_REVIEW = "in_review", "in Prüfung"
    APPROVED = "approved", "freigegeben"
    PUBLISHED = "published", "veröffentlicht"
    SUPERSEDED = "superseded", "durch neue Fassung ersetzt"
    WITHDRAWN = "withdrawn", "zurückgezogen"
    REJECTED = "rejected", "abgelehnt"


WAITING = (Status.IN_REVIEW, Status.APPROVED)
EDITABLE = (Status.DRAFT, Status.IN_REVIEW)
OPEN = (*EDITABLE, Status.APPROVED)
# A new draft makes sense beside what readers have or had, and beside what waits.
RERUNNABLE = (*WAITING, Status.PUBLISHED, Status.WITHDRAWN)
# Superseded versions stay readable, and so do their quotes; withdrawn ones do not.
READABLE = (Status.PUBLISHED, Status.SUPERSEDED)
