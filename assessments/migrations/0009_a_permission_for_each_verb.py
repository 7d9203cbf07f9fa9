"""Each verb of an assessment has its own permission; `setup_groups` gives them to the groups."""

from django.db import migrations

PERMISSIONS = [
    ("review_assessment", "Darf Belege prüfen und Texte ändern"),
    ("submit_assessment", "Darf Entwürfe zur Prüfung geben"),
    ("correct_assessment", "Darf Veröffentlichtes berichtigen"),
    ("approve_assessment", "Darf Bewertungen freigeben"),
    ("reject_assessment", "Darf Bewertungen ablehnen"),
    ("return_assessment", "Darf Bewertungen an den Entwurf zurückgeben"),
    ("publish_assessment", "Darf Bewertungen veröffentlichen"),
    ("withdraw_assessment", "Darf Veröffentlichtes zurückziehen"),
]


class Migration(migrations.Migration):
    dependencies = [("assessments", "0008_indexes")]

    operations = [
        migrations.AlterModelOptions(
            name="assessment",
            options={
                "permissions": PERMISSIONS,
                "verbose_name": "Bewertung",
                "verbose_name_plural": "Bewertungen",
            },
        ),
    ]
