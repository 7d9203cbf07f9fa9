"""Drops the index of the full text, and two with which an index of a constraint begins."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("programme", "0007_index_of_whole_passages")]

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
    ]
