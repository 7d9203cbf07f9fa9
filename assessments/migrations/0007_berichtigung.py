"""A later version says what it changes and why (docs/adr/0028), and whom its record may name."""

import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


CREATE = """
-- Behind assessment_guard and before assessment_shown_guard, by its name.
CREATE FUNCTION assessment_reason_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF btrim(NEW.berichtigung, E' \\t\\r\\n') = ''
       AND EXISTS (SELECT FROM assessments_assessment a WHERE a.antrag_id = NEW.antrag_id
                   AND a.id <> NEW.id AND a.version IS NOT NULL) THEN
        RAISE EXCEPTION 'Assessment % replaces an earlier version and does not say why', NEW.id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'later_version_has_reason';
    END IF;
    -- A correction starts from what counts; what was published since would be lost by it.
    IF NEW.corrects_id IS NOT NULL AND NEW.corrects_id IS DISTINCT FROM (
        SELECT a.id FROM assessments_assessment a WHERE a.antrag_id = NEW.antrag_id
        AND a.id <> NEW.id AND a.version IS NOT NULL ORDER BY a.version DESC LIMIT 1) THEN
        RAISE EXCEPTION 'Assessment % does not correct the newest version', NEW.id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'corrects_newest_version';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER assessment_reason_guard BEFORE UPDATE ON assessments_assessment
    FOR EACH ROW WHEN (NEW.status IN ('approved', 'published') AND NEW.status <> OLD.status)
    EXECUTE FUNCTION assessment_reason_guard();
"""
DROP = """
DROP TRIGGER assessment_reason_guard ON assessments_assessment;
DROP FUNCTION assessment_reason_guard();
"""


class Migration(migrations.Migration):

    dependencies = [
        ('assessments', '0006_eigenurteil'),
        ('parlamente', '0002_labels_are_plain'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Namensnennung',
            fields=[
                ('person', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='namensnennung', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('genannt_als', models.CharField(max_length=80, verbose_name='genannt als')),
                ('since', models.DateTimeField(verbose_name='seit')),
            ],
            options={
                'verbose_name': 'Namensnennung',
                'verbose_name_plural': 'Namensnennungen',
            },
        ),
        migrations.CreateModel(
            name='Nennung',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80, verbose_name='Name')),
            ],
            options={
                'verbose_name': 'Nennung',
                'verbose_name_plural': 'Nennungen',
            },
        ),
        migrations.AlterField(
            model_name='assessment',
            name='berichtigung',
            field=models.TextField(blank=True, validators=[django.core.validators.MaxLengthValidator(2000)], verbose_name='was diese Fassung ändert und warum'),
        ),
        migrations.AddConstraint(
            model_name='assessment',
            constraint=models.UniqueConstraint(condition=models.Q(('corrects__isnull', False), ('status__in', ['draft', 'in_review', 'approved'])), fields=('antrag',), name='one_open_correction_per_antrag'),
        ),
        migrations.AddConstraint(
            model_name='namensnennung',
            constraint=models.CheckConstraint(condition=models.Q(('genannt_als', ''), _negated=True), name='named_as_something'),
        ),
        migrations.AddField(
            model_name='nennung',
            name='assessment',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='nennungen', to='assessments.assessment'),
        ),
        migrations.AddField(
            model_name='nennung',
            name='zusage',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='nennungen', to='assessments.namensnennung', verbose_name='Zusage'),
        ),
        migrations.AddConstraint(
            model_name='nennung',
            constraint=models.UniqueConstraint(fields=('assessment', 'zusage'), name='named_once_per_version'),
        ),
        migrations.RunSQL(CREATE, DROP),
    ]
