"""One confirmed app and one list of recovery codes for each account."""

from django.db import migrations

CREATE = """
CREATE UNIQUE INDEX ein_geraet_je_konto ON otp_totp_totpdevice (user_id) WHERE confirmed;
CREATE UNIQUE INDEX eine_liste_je_konto ON otp_static_staticdevice (user_id) WHERE confirmed;
"""
DROP = """
DROP INDEX eine_liste_je_konto;
DROP INDEX ein_geraet_je_konto;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("konten", "0005_kontoereignis_append_only"),
        ("otp_totp", "0003_add_timestamps"),
        ("otp_static", "0003_add_timestamps"),
    ]
    operations = [migrations.RunSQL(CREATE, DROP)]
