"""Says when the vocabulary was counted; its relatives are found in memory, without the index."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("programme", "0005_wortgebrauch")]

    operations = [
        migrations.CreateModel(
            name="Wortschatzstand",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("stand", models.UUIDField(verbose_name="Stand")),
            ],
            options={
                "verbose_name": "Stand des Wortschatzes",
                "verbose_name_plural": "Stand des Wortschatzes",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(pk=1), name="one_state_of_words"
                    )
                ],
            },
        ),
        migrations.RunSQL(
            "INSERT INTO programme_wortschatzstand (id, stand) VALUES (1, gen_random_uuid())",
            migrations.RunSQL.noop,
        ),
        migrations.RemoveIndex("wort", "wort_dreierfolgen"),
    ]
