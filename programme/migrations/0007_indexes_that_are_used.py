"""Drops three indexes that no statement needs, and adds a small one for the search."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("programme", "0006_wortschatzstand")]

    operations = [
        migrations.RemoveIndex("chunk", "chunk_suche"),
        migrations.AlterField(
            "chunk",
            "programm",
            models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="chunks",
                to="programme.programm",
            ),
        ),
        migrations.AlterField(
            "einbettung",
            "chunk",
            models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="einbettungen",
                to="programme.chunk",
            ),
        ),
        migrations.AddIndex(
            "einbettung",
            models.Index(
                condition=models.Q(("satz", None)),
                fields=["chunk", "modell"],
                name="whole_passages",
            ),
        ),
    ]
