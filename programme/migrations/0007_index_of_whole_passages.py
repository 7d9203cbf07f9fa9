"""A small index for the search, built while searches go on."""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("programme", "0006_wortschatzstand")]

    operations = [
        AddIndexConcurrently(
            "einbettung",
            models.Index(
                condition=models.Q(("satz", None)),
                fields=["chunk", "modell"],
                name="whole_passages",
            ),
        ),
    ]
