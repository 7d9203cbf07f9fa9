"""The states of an assessment, and what can be done in which."""

from django.db import models


class AssessmentStatus(models.TextChoices):
    DRAFT = "draft", "Entwurf"
    IN_REVIEW = "in_review", "in Prüfung"
    APPROVED = "approved", "freigegeben"
    PUBLISHED = "published", "veröffentlicht"
    SUPERSEDED = "superseded", "durch neue Fassung ersetzt"
    WITHDRAWN = "withdrawn", "zurückgezogen"
    REJECTED = "rejected", "abgelehnt"


WAITING = (AssessmentStatus.IN_REVIEW, AssessmentStatus.APPROVED)
EDITABLE = (AssessmentStatus.DRAFT, AssessmentStatus.IN_REVIEW)
OPEN = (*EDITABLE, AssessmentStatus.APPROVED)
# A new draft makes sense beside what readers have or had, and beside what waits; a superseded
# version has a successor for that.
RERUNNABLE = (*WAITING, AssessmentStatus.PUBLISHED, AssessmentStatus.WITHDRAWN)
# Superseded versions stay readable, and so do their quotes; withdrawn ones do not.
READABLE = (AssessmentStatus.PUBLISHED, AssessmentStatus.SUPERSEDED)
