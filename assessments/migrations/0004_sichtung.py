"""Who approves must have been shown what is not plain, and a third of the rest (docs/adr/0023)."""

import django.db.models.deletion
import django.db.models.functions.math
from django.conf import settings
from django.db import migrations, models

CREATE = """
-- What is not plain: words that are not exactly the source's, evidence for a hindering rating, what
-- editors decided, what the newest check did not prove; and of the rest a third by lot.
CREATE FUNCTION beleg_ist_zu_zeigen(beleg bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT b.zustand = 'angenommen' AND (
        b.los < 1.0 / 3
        OR EXISTS (SELECT FROM citations_zitat z WHERE z.id = b.zitat_id AND z.grade <> 'woertlich')
        OR EXISTS (SELECT FROM assessments_feldbewertung f WHERE f.id = b.feldbewertung_id
                   AND coalesce(nullif(f.wert_redaktion, ''), f.wert_modell) IN ('m', 'mm'))
        OR EXISTS (SELECT FROM assessments_reviewevent e
                   WHERE e.beleg_id = b.id AND e.by_id IS NOT NULL)
        OR coalesce((SELECT p.ergebnis FROM citations_pruefung p WHERE p.zitat_id = b.zitat_id
                     ORDER BY p.am DESC, p.id DESC LIMIT 1), '') <> 'bewiesen')
    FROM assessments_beleg b WHERE b.id = beleg
$$;

-- Until somebody else does something with it.
CREATE FUNCTION beleg_ist_gezeigt(beleg bigint, person bigint) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
        SELECT FROM assessments_sichtung s WHERE s.beleg_id = beleg AND s.by_id = person
        AND NOT EXISTS (SELECT FROM assessments_reviewevent e
                        WHERE e.beleg_id = beleg AND e.by_id <> person AND e.am > s.am))
$$;

CREATE FUNCTION assessment_shown_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM assessments_beleg b WHERE b.assessment_id = NEW.id
               AND beleg_ist_zu_zeigen(b.id)
               AND NOT beleg_ist_gezeigt(b.id, NEW.approved_by_id)) THEN
        RAISE EXCEPTION 'Assessment % has evidence that % was not shown',
            NEW.id, NEW.approved_by_id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'evidence_shown';
    END IF;
    RETURN NEW;
END $$;
-- Behind assessment_guard, by its name: what is open is said first.
CREATE TRIGGER assessment_shown_guard BEFORE UPDATE ON assessments_assessment
    FOR EACH ROW WHEN (NEW.status = 'approved' AND OLD.status <> 'approved')
    EXECUTE FUNCTION assessment_shown_guard();
"""
DROP = """
DROP TRIGGER assessment_shown_guard ON assessments_assessment;
DROP FUNCTION assessment_shown_guard();
DROP FUNCTION beleg_ist_gezeigt(bigint, bigint);
DROP FUNCTION beleg_ist_zu_zeigen(bigint);
"""


class Migration(migrations.Migration):
    dependencies = [
        ("assessments", "0003_beleg_forderung"),
        ("citations", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            "beleg",
            "los",
            models.FloatField(
                db_default=django.db.models.functions.math.Random(),
                help_text="Wer freigibt, muss auch ein zufälliges Drittel dessen sehen, was "
                "niemand fraglich findet: alle unter einem Drittel.",
                verbose_name="Los",
            ),
        ),
        migrations.CreateModel(
            name="Sichtung",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("am", models.DateTimeField(verbose_name="zuletzt gezeigt am")),
                (
                    "beleg",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sichtungen",
                        to="assessments.beleg",
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="durch",
                    ),
                ),
            ],
            options={
                "verbose_name": "Sichtung",
                "verbose_name_plural": "Sichtungen",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("beleg", "by"), name="one_sichtung_per_person"
                    )
                ],
            },
        ),
        migrations.RunSQL(CREATE, DROP),
    ]
