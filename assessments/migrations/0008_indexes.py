"""What the queue and its counts ask for at every page of the desk."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('assessments', '0007_berichtigung'),
        ('citations', '0003_seite_beiwerk'),
        ('parlamente', '0002_labels_are_plain'),
        ('programme', '0005_wortgebrauch'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddIndex(
            model_name='assessment',
            index=models.Index(condition=models.Q(('status__in', ['in_review', 'approved'])), fields=['erstellt_am', 'id'], name='assessment_queue'),
        ),
        migrations.AddIndex(
            model_name='beleg',
            index=models.Index(condition=models.Q(('zustand', 'offen')), fields=['assessment', 'grund'], name='beleg_open'),
        ),
        migrations.AddIndex(
            model_name='beleg',
            index=models.Index(condition=models.Q(('herkunft', 'modell')), fields=['assessment', 'quelle_stimmt'], name='beleg_source_claim'),
        ),
        migrations.AddIndex(
            model_name="beleg",
            index=models.Index(fields=["assessment", "zustand"], name="beleg_states"),
        ),
    ]
