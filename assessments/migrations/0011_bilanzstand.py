from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('assessments', '0010_stamps_come_with_their_verb'),
    ]

    operations = [
        migrations.CreateModel(
            name='Bilanzstand',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('am', models.DateTimeField(verbose_name='gezählt am')),
                ('zeilen', models.JSONField(verbose_name='Summen')),
            ],
            options={
                'verbose_name': 'Stand der Bilanzen',
                'verbose_name_plural': 'Stand der Bilanzen',
                'default_permissions': (),
                'constraints': [models.CheckConstraint(condition=models.Q(('pk', 1)), name='one_state_of_figures')],
            },
        ),
    ]
