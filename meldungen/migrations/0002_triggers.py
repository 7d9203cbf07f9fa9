"""What the constraints cannot say: what may be reported, the ways of a report, its record.

The row of the assessment is locked first, as everywhere (assessments/0002_triggers), so that a
report cannot stay open beside a withdrawal that happens at the same moment.
"""

from django.db import migrations

CREATE = """
-- Only what readers can read is reported, and only quotes that stand there.
CREATE FUNCTION meldung_begins() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    state text;
BEGIN
    SELECT status INTO state FROM assessments_assessment WHERE id = NEW.assessment_id FOR SHARE;
    IF NEW.status <> 'offen' OR state NOT IN ('published', 'superseded') THEN
        RAISE EXCEPTION 'Assessment % is % and cannot be reported', NEW.assessment_id, state
            USING ERRCODE = 'check_violation', CONSTRAINT = 'meldung_on_readable';
    END IF;
    IF NEW.zitat_id IS NOT NULL AND NOT EXISTS (
        SELECT FROM assessments_beleg WHERE assessment_id = NEW.assessment_id
        AND zitat_id = NEW.zitat_id AND zustand = 'angenommen') THEN
        RAISE EXCEPTION 'Zitat % is not cited by assessment %', NEW.zitat_id, NEW.assessment_id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'meldung_on_cited_zitat';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER meldung_begins BEFORE INSERT ON meldungen_meldung
    FOR EACH ROW EXECUTE FUNCTION meldung_begins();

CREATE FUNCTION meldung_guard() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    ways CONSTANT text[] := ARRAY[
        'offen>abgewiesen', 'offen>berichtigt', 'offen>zurueckgezogen', 'offen>unbrauchbar',
        'abgewiesen>offen', 'berichtigt>offen', 'unbrauchbar>offen'];
    moving CONSTANT text[] := ARRAY[
        'status', 'begruendung', 'berichtigt_durch_id', 'entschieden_am'];
    reported record;
BEGIN
    IF TG_OP = 'DELETE' THEN
        RAISE EXCEPTION 'Report % cannot be deleted', OLD.id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'meldung_frozen';
    END IF;
    -- The text of a decided report may be emptied, and nothing else without a way.
    IF NEW.status = OLD.status AND OLD.status <> 'offen' AND NEW.text = ''
       AND to_jsonb(NEW) - 'text' = to_jsonb(OLD) - 'text' THEN
        RETURN NEW;
    END IF;
    IF NOT OLD.status || '>' || NEW.status = ANY (ways) THEN
        RAISE EXCEPTION 'Report % cannot go from % to %', OLD.id, OLD.status, NEW.status
            USING ERRCODE = 'check_violation', CONSTRAINT = 'meldung_ways';
    END IF;
    IF to_jsonb(NEW) - moving IS DISTINCT FROM to_jsonb(OLD) - moving THEN
        RAISE EXCEPTION 'Report % cannot be changed', OLD.id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'meldung_frozen';
    END IF;
    SELECT status, antrag_id, version INTO reported FROM assessments_assessment
        WHERE id = NEW.assessment_id FOR SHARE;
    IF (NEW.status = 'zurueckgezogen') <> (reported.status = 'withdrawn')
       AND NEW.status IN ('zurueckgezogen', 'offen') THEN
        RAISE EXCEPTION 'Report % cannot be % while its assessment is %',
            OLD.id, NEW.status, reported.status
            USING ERRCODE = 'check_violation', CONSTRAINT = 'meldung_follows_withdrawal';
    END IF;
    IF NEW.status = 'berichtigt' AND NOT EXISTS (
        SELECT FROM assessments_assessment WHERE id = NEW.berichtigt_durch_id
        AND antrag_id = reported.antrag_id AND version > reported.version
        AND status IN ('published', 'superseded')) THEN
        RAISE EXCEPTION 'Assessment % is no newer version of assessment %',
            NEW.berichtigt_durch_id, NEW.assessment_id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'meldung_corrected_by_newer';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER meldung_guard BEFORE UPDATE OR DELETE ON meldungen_meldung
    FOR EACH ROW EXECUTE FUNCTION meldung_guard();

CREATE TRIGGER append_only_guard BEFORE UPDATE OR DELETE ON meldungen_meldungsereignis
    FOR EACH ROW EXECUTE FUNCTION append_only_guard();

-- A withdrawal answers what is open, whoever withdraws and however.
CREATE FUNCTION meldung_follows_withdrawal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    WITH closed AS (
        UPDATE meldungen_meldung SET status = 'zurueckgezogen', entschieden_am = now()
        WHERE assessment_id = NEW.id AND status = 'offen' RETURNING id)
    INSERT INTO meldungen_meldungsereignis (meldung_id, verb, von, nach, note, am)
        SELECT id, 'withdraw', 'offen', 'zurueckgezogen', '', now() FROM closed;
    RETURN NULL;
END $$;
CREATE TRIGGER meldung_follows_withdrawal AFTER UPDATE ON assessments_assessment
    FOR EACH ROW WHEN (NEW.status = 'withdrawn' AND OLD.status <> 'withdrawn')
    EXECUTE FUNCTION meldung_follows_withdrawal();
"""
DROP = """
DROP TRIGGER meldung_follows_withdrawal ON assessments_assessment;
DROP TRIGGER append_only_guard ON meldungen_meldungsereignis;
DROP TRIGGER meldung_guard ON meldungen_meldung;
DROP TRIGGER meldung_begins ON meldungen_meldung;
DROP FUNCTION meldung_follows_withdrawal();
DROP FUNCTION meldung_guard();
DROP FUNCTION meldung_begins();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("meldungen", "0001_initial"),
        ("assessments", "0002_triggers"),
    ]

    operations = [migrations.RunSQL(CREATE, DROP)]
