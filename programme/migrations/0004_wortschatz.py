"""Passages by their words and as wholes; `index_programme` fills them in afterwards."""

import django.contrib.postgres.indexes
import django.contrib.postgres.search
import django.db.models.functions
import pgvector.django
from django.contrib.postgres.operations import TrigramExtension
from django.db import migrations, models


def suche(*fields):
    return models.GeneratedField(
        verbose_name="Suchform",
        expression=django.contrib.postgres.search.SearchVector(*fields, config="german"),
        output_field=django.contrib.postgres.search.SearchVectorField(),
        db_persist=True,
    )


class Migration(migrations.Migration):
    dependencies = [("programme", "0003_confirmed_programmes")]

    operations = [
        TrigramExtension(),
        migrations.CreateModel(
            name="Wort",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "lexem",
                    models.CharField(max_length=2048, unique=True, verbose_name="Wortstamm"),
                ),
                (
                    "passagen",
                    models.PositiveIntegerField(default=0, verbose_name="Passagen mit dem Wort"),
                ),
            ],
            options={
                "verbose_name": "Wort",
                "verbose_name_plural": "Wortschatz",
                "indexes": [
                    django.contrib.postgres.indexes.GinIndex(
                        django.contrib.postgres.indexes.OpClass("lexem", name="gin_trgm_ops"),
                        name="wort_dreierfolgen",
                    )
                ],
            },
        ),
        migrations.AddField(
            "chunk",
            "vorspann",
            models.TextField(
                blank=True,
                default="",
                help_text="Der Satz, der die Liste einleitet, in der die Passage beginnt; die "
                "Kopfzeile einer Tabelle.",
                verbose_name="Vorspann",
            ),
            preserve_default=False,
        ),
        migrations.AlterField(
            "chunk",
            "pfad",
            models.CharField(
                blank=True,
                help_text="Von oben nach unten, mit › getrennt.",
                max_length=500,
                verbose_name="Überschriften",
            ),
        ),
        migrations.RemoveIndex("chunk", "chunk_suche"),
        migrations.RemoveField("chunk", "suche"),
        migrations.AddField("chunk", "suche", suche("pfad", "vorspann", "text")),
        migrations.AddIndex(
            "chunk",
            django.contrib.postgres.indexes.GinIndex(fields=["suche"], name="chunk_suche"),
        ),
        migrations.AddField(
            "chunk",
            "woerter",
            pgvector.django.SparseVectorField(
                dimensions=1_000_000,
                help_text="Je Wort der Suchform sein Gewicht, unter dem Schlüssel des Wortes.",
                null=True,
                verbose_name="Wörter",
            ),
        ),
        migrations.RemoveConstraint("einbettung", "one_vector_per_sentence_and_model"),
        migrations.AlterField(
            "einbettung",
            "satz",
            models.PositiveSmallIntegerField(
                blank=True,
                help_text="Leer: die ganze Passage.",
                null=True,
                verbose_name="Satz der Passage",
            ),
        ),
        # On the way back there is no room for the vectors of whole passages.
        migrations.RunSQL(
            migrations.RunSQL.noop, "DELETE FROM programme_einbettung WHERE satz IS NULL"
        ),
        migrations.AlterField(
            "einbettung", "vektor", pgvector.django.HalfVectorField(verbose_name="Vektor")
        ),
        migrations.AddConstraint(
            "einbettung",
            models.UniqueConstraint(
                fields=("chunk", "modell", "satz"),
                name="one_vector_per_sentence_and_model",
                nulls_distinct=False,
            ),
        ),
    ]
