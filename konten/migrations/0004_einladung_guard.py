"""What was issued stays as it was, and a link ends once."""

from django.db import migrations

CREATE = """
CREATE FUNCTION einladung_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE'
       AND OLD.eingeloest_am IS NULL AND OLD.widerrufen_am IS NULL
       AND to_jsonb(NEW) - 'eingeloest_am' - 'widerrufen_am'
           = to_jsonb(OLD) - 'eingeloest_am' - 'widerrufen_am' THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'Link % cannot be changed so', OLD.id
        USING ERRCODE = 'check_violation', CONSTRAINT = 'einladung_endet_einmal';
END $$;
CREATE TRIGGER einladung_guard BEFORE UPDATE OR DELETE ON konten_einladung
    FOR EACH ROW EXECUTE FUNCTION einladung_guard();
"""
DROP = """
DROP TRIGGER einladung_guard ON konten_einladung;
DROP FUNCTION einladung_guard();
"""


class Migration(migrations.Migration):
    dependencies = [("konten", "0003_konto_einladung_ereignis")]
    operations = [migrations.RunSQL(CREATE, DROP)]
