"""Keeps with the count of words how many passages there were."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("programme", "0008_indexes_that_nothing_uses")]

    operations = [
        migrations.AddField(
            "wortschatzstand",
            "passagen",
            models.PositiveIntegerField(default=0, verbose_name="Passagen im Ganzen"),
        ),
        migrations.RunSQL(
            "UPDATE programme_wortschatzstand "
            "SET stand = gen_random_uuid(), passagen = (SELECT count(*) FROM programme_chunk)",
            migrations.RunSQL.noop,
        ),
    ]
