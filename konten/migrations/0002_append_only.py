"""What was recorded of an attempt stays as it was."""

from django.db import migrations

CREATE = """
CREATE FUNCTION anmeldeversuch_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'Attempt % is recorded and cannot be changed', OLD.id
        USING ERRCODE = 'check_violation', CONSTRAINT = 'anmeldeversuch_append_only';
END $$;
CREATE TRIGGER anmeldeversuch_guard BEFORE UPDATE ON konten_anmeldeversuch
    FOR EACH ROW EXECUTE FUNCTION anmeldeversuch_guard();
"""
DROP = """
DROP TRIGGER anmeldeversuch_guard ON konten_anmeldeversuch;
DROP FUNCTION anmeldeversuch_guard();
"""


class Migration(migrations.Migration):
    dependencies = [("konten", "0001_anmeldeversuch")]
    operations = [migrations.RunSQL(CREATE, DROP)]
