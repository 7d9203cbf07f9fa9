"""What was done to an account stays on record."""

from django.db import migrations

CREATE = """
CREATE FUNCTION kontoereignis_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'Event % is recorded and cannot be changed', OLD.id
        USING ERRCODE = 'check_violation', CONSTRAINT = 'kontoereignis_append_only';
END $$;
CREATE TRIGGER kontoereignis_guard BEFORE UPDATE OR DELETE ON konten_kontoereignis
    FOR EACH ROW EXECUTE FUNCTION kontoereignis_guard();
"""
DROP = """
DROP TRIGGER kontoereignis_guard ON konten_kontoereignis;
DROP FUNCTION kontoereignis_guard();
"""


class Migration(migrations.Migration):
    dependencies = [("konten", "0004_einladung_guard")]
    operations = [migrations.RunSQL(CREATE, DROP)]
