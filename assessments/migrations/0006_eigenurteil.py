"""A share of assessments asks editors for two ratings of their own first (docs/adr/0027)."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

WERTE = [
    ("mm", "stark hemmend"),
    ("m", "hemmend"),
    ("o", "ohne Wirkung"),
    ("p", "fördernd"),
    ("pp", "stark fördernd"),
    ("n", "nicht betroffen"),
]
CREATE = """
-- Two fields for the given share of assessments, none for the rest. The first is one that the model
-- calls affected, where there is any; the order is that of the matrix, so that it does not tell
-- which. Without a model, and in corrections of what is public, there is nothing to keep back.
CREATE FUNCTION eigenurteil_auswahl(bewertung bigint, anteil double precision)
RETURNS varchar(2)[] LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    erstes varchar(2);
    zweites varchar(2);
BEGIN
    IF random() >= anteil OR EXISTS (SELECT FROM assessments_assessment
                                     WHERE id = bewertung AND corrects_id IS NOT NULL) THEN
        RETURN '{}';
    END IF;
    SELECT feld INTO erstes FROM assessments_feldbewertung
        WHERE assessment_id = bewertung AND wert_modell <> ''
        ORDER BY wert_modell <> 'n' DESC, random() LIMIT 1;
    SELECT feld INTO zweites FROM assessments_feldbewertung
        WHERE assessment_id = bewertung AND wert_modell <> '' AND feld <> erstes
        ORDER BY random() LIMIT 1;
    IF zweites IS NULL THEN
        RETURN '{}';
    END IF;
    RETURN ARRAY[least(erstes, zweites), greatest(erstes, zweites)];
END $$;

CREATE FUNCTION assessment_urteil_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.eigenurteil_felder IS NOT NULL
       AND NEW.eigenurteil_felder IS DISTINCT FROM OLD.eigenurteil_felder THEN
        RAISE EXCEPTION 'Which own ratings assessment % asks for cannot be changed', NEW.id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'own_rating_asked';
    END IF;
    IF NEW.status = 'approved' AND OLD.status <> 'approved' AND EXISTS (
        SELECT FROM unnest(NEW.eigenurteil_felder) AS gefragt(feld)
        WHERE NOT EXISTS (SELECT FROM assessments_eigenurteil e WHERE e.assessment_id = NEW.id
                          AND e.feld = gefragt.feld AND e.by_id = NEW.approved_by_id)) THEN
        RAISE EXCEPTION 'Assessment % waits for own ratings of %', NEW.id, NEW.approved_by_id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'own_rating_given';
    END IF;
    RETURN NEW;
END $$;
-- Behind assessment_guard and assessment_shown_guard, by its name.
CREATE TRIGGER assessment_urteil_guard BEFORE UPDATE ON assessments_assessment
    FOR EACH ROW EXECUTE FUNCTION assessment_urteil_guard();

-- Only what is asked for, only in review, and with the model's value as it is.
CREATE FUNCTION eigenurteil_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM assessments_assessment WHERE id = NEW.assessment_id
        AND status = 'in_review' AND NEW.feld = ANY (eigenurteil_felder) FOR SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'Assessment % does not ask for an own rating of %',
            NEW.assessment_id, NEW.feld
            USING ERRCODE = 'check_violation', CONSTRAINT = 'own_rating_asked';
    END IF;
    IF NOT EXISTS (SELECT FROM assessments_feldbewertung WHERE assessment_id = NEW.assessment_id
                   AND feld = NEW.feld AND wert_modell = NEW.wert_modell) THEN
        RAISE EXCEPTION 'That is not what the model said of % in assessment %',
            NEW.feld, NEW.assessment_id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'own_rating_beside_model';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER eigenurteil_guard BEFORE INSERT ON assessments_eigenurteil
    FOR EACH ROW EXECUTE FUNCTION eigenurteil_guard();
CREATE TRIGGER append_only_guard BEFORE UPDATE OR DELETE ON assessments_eigenurteil
    FOR EACH ROW EXECUTE FUNCTION append_only_guard();
"""
DROP = """
DROP TRIGGER append_only_guard ON assessments_eigenurteil;
DROP TRIGGER eigenurteil_guard ON assessments_eigenurteil;
DROP FUNCTION eigenurteil_guard();
DROP TRIGGER assessment_urteil_guard ON assessments_assessment;
DROP FUNCTION assessment_urteil_guard();
DROP FUNCTION eigenurteil_auswahl(bigint, double precision);
"""


class Migration(migrations.Migration):
    dependencies = [
        ("assessments", "0005_reservierung"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            "assessment",
            "eigenurteil_felder",
            django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=2),
                blank=True,
                editable=False,
                help_text="Vor dem ersten Einreichen nichts; danach ausgelost: zwei Felder oder "
                "keines.",
                null=True,
                size=None,
                verbose_name="Felder für das eigene Urteil",
            ),
        ),
        migrations.AddConstraint(
            "assessment",
            models.CheckConstraint(
                condition=models.Q(
                    ("eigenurteil_felder__isnull", True),
                    ("eigenurteil_felder__len__in", [0, 2]),
                    _connector="OR",
                ),
                name="two_own_ratings_or_none",
            ),
        ),
        migrations.CreateModel(
            name="Eigenurteil",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("feld", models.CharField(max_length=2, verbose_name="Feld")),
                (
                    "wert",
                    models.CharField(choices=WERTE, max_length=2, verbose_name="eigener Wert"),
                ),
                (
                    "wert_modell",
                    models.CharField(choices=WERTE, max_length=2, verbose_name="Wert des Modells"),
                ),
                ("am", models.DateTimeField(auto_now_add=True, verbose_name="am")),
                (
                    "assessment",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="eigenurteile",
                        to="assessments.assessment",
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
                "verbose_name": "eigenes Urteil",
                "verbose_name_plural": "eigene Urteile",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("assessment", "feld", "by"), name="one_own_rating_per_person"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("wert__in", ["mm", "m", "o", "p", "pp", "n"]),
                            ("wert_modell__in", ["mm", "m", "o", "p", "pp", "n"]),
                        ),
                        name="own_rating_on_scale",
                    ),
                ],
            },
        ),
        migrations.RunSQL(CREATE, DROP),
    ]
