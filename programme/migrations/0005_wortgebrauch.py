"""Which stems each programme uses, from the passages that are there."""

import django.db.models.deletion
from django.db import migrations, models

FILL = """
INSERT INTO programme_wortgebrauch (wort_id, programm_id, passagen)
SELECT wort.id, passage.programm_id, count(*)
FROM programme_chunk passage, unnest(passage.suche) AS l
    JOIN programme_wort wort ON wort.lexem = l.lexeme
GROUP BY wort.id, passage.programm_id
"""


class Migration(migrations.Migration):
    dependencies = [("programme", "0004_wortschatz")]

    operations = [
        migrations.CreateModel(
            name="Wortgebrauch",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "wort",
                        "programm",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("passagen", models.PositiveIntegerField(verbose_name="Passagen mit dem Wort")),
                (
                    "programm",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, to="programme.programm"
                    ),
                ),
                (
                    "wort",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        to="programme.wort",
                    ),
                ),
            ],
            options={"verbose_name": "Wortgebrauch", "verbose_name_plural": "Wortgebrauch"},
        ),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
    ]
