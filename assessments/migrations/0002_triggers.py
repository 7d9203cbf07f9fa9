"""What the constraints cannot say: frozen rows, closed evidence, an append-only record.

Every trigger takes the lock of the assessment's row first, so that of two at once (one publishes,
one adds open evidence) the second sees what the first did.
"""

from django.db import migrations

CREATE = """
-- The assessment itself: which ways lead where, and what publication asks for.
CREATE FUNCTION assessment_guard() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    ways CONSTANT text[] := ARRAY[
        'draft>in_review', 'in_review>draft', 'in_review>approved', 'in_review>rejected',
        'approved>draft', 'approved>published', 'published>superseded', 'published>withdrawn',
        'superseded>withdrawn'];
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NEW.status NOT IN ('draft', 'in_review') THEN
            RAISE EXCEPTION 'An assessment begins as a draft, not as %', NEW.status
                USING ERRCODE = 'check_violation', CONSTRAINT = 'assessment_begins_as_draft';
        END IF;
        RETURN NEW;
    END IF;
    IF TG_OP = 'DELETE' THEN
        IF OLD.status NOT IN ('draft', 'in_review') THEN
            RAISE EXCEPTION 'Assessment % is % and cannot be deleted', OLD.id, OLD.status
                USING ERRCODE = 'check_violation', CONSTRAINT = 'assessment_frozen';
        END IF;
        RETURN OLD;
    END IF;
    IF NEW.status <> OLD.status AND NOT OLD.status || '>' || NEW.status = ANY (ways) THEN
        RAISE EXCEPTION 'Assessment % cannot go from % to %', OLD.id, OLD.status, NEW.status
            USING ERRCODE = 'check_violation', CONSTRAINT = 'assessment_ways';
    END IF;
    -- From approval on only the state and its stamps may change.
    IF OLD.status NOT IN ('draft', 'in_review') AND
       (to_jsonb(NEW) - ARRAY['status', 'version', 'approved_by_id', 'approved_at',
                              'published_by_id', 'published_at'])
       IS DISTINCT FROM
       (to_jsonb(OLD) - ARRAY['status', 'version', 'approved_by_id', 'approved_at',
                              'published_by_id', 'published_at']) THEN
        RAISE EXCEPTION 'Assessment % is % and cannot be changed', OLD.id, OLD.status
            USING ERRCODE = 'check_violation', CONSTRAINT = 'assessment_frozen';
    END IF;
    -- Once published, the stamps are part of the record.
    IF OLD.status IN ('published', 'superseded', 'withdrawn') AND
       (NEW.version, NEW.approved_by_id, NEW.approved_at, NEW.published_by_id, NEW.published_at)
       IS DISTINCT FROM
       (OLD.version, OLD.approved_by_id, OLD.approved_at, OLD.published_by_id, OLD.published_at)
    THEN
        RAISE EXCEPTION 'Assessment % is published and cannot be changed', OLD.id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'assessment_frozen';
    END IF;
    IF NEW.status IN ('approved', 'published') AND NEW.status <> OLD.status THEN
        IF EXISTS (SELECT FROM assessments_beleg
                   WHERE assessment_id = NEW.id AND zustand = 'offen') THEN
            RAISE EXCEPTION 'Assessment % has open evidence', NEW.id
                USING ERRCODE = 'check_violation', CONSTRAINT = 'no_open_evidence';
        END IF;
        IF (SELECT count(*) FROM assessments_feldbewertung WHERE assessment_id = NEW.id
            AND coalesce(nullif(wert_redaktion, ''), wert_modell) <> '') <> 25 THEN
            RAISE EXCEPTION 'Assessment % has fields without a rating', NEW.id
                USING ERRCODE = 'check_violation', CONSTRAINT = 'all_fields_rated';
        END IF;
        IF EXISTS (SELECT FROM assessments_vergleich WHERE assessment_id = NEW.id
                   AND coalesce(nullif(ergebnis_redaktion, ''), ergebnis_modell) = 'unbewertet')
        THEN
            RAISE EXCEPTION 'Assessment % has comparisons without a result', NEW.id
                USING ERRCODE = 'check_violation', CONSTRAINT = 'all_comparisons_decided';
        END IF;
        -- No source, no score: a rated comparison shows words of the programme.
        IF EXISTS (SELECT FROM assessments_vergleich v WHERE v.assessment_id = NEW.id
                   AND coalesce(nullif(v.ergebnis_redaktion, ''), v.ergebnis_modell) = 'bewertet'
                   AND NOT EXISTS (SELECT FROM assessments_beleg b WHERE b.vergleich_id = v.id
                                   AND b.seite = 'programm' AND b.zustand = 'angenommen'))
        THEN
            RAISE EXCEPTION 'Assessment % has a rated comparison without a source', NEW.id
                USING ERRCODE = 'check_violation', CONSTRAINT = 'no_source_no_score';
        END IF;
        IF coalesce(nullif(NEW.zusammenfassung_redaktion, ''), NEW.zusammenfassung_modell) = ''
        THEN
            RAISE EXCEPTION 'Assessment % has no summary', NEW.id
                USING ERRCODE = 'check_violation', CONSTRAINT = 'summary_written';
        END IF;
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER assessment_guard BEFORE INSERT OR UPDATE OR DELETE ON assessments_assessment
    FOR EACH ROW EXECUTE FUNCTION assessment_guard();

-- What hangs on an assessment may change only while it is a draft or in review.
CREATE FUNCTION assessment_part_guard() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    part jsonb;
    state text;
BEGIN
    FOREACH part IN ARRAY CASE TG_OP
        WHEN 'INSERT' THEN ARRAY[to_jsonb(NEW)]
        WHEN 'DELETE' THEN ARRAY[to_jsonb(OLD)]
        ELSE ARRAY[to_jsonb(OLD), to_jsonb(NEW)] END
    LOOP
        SELECT status INTO state FROM assessments_assessment
            WHERE id = (part->>'assessment_id')::bigint FOR SHARE;
        IF state NOT IN ('draft', 'in_review') THEN
            RAISE EXCEPTION 'Assessment % is % and its % cannot be changed',
                part->>'assessment_id', state, TG_TABLE_NAME
                USING ERRCODE = 'check_violation', CONSTRAINT = 'assessment_frozen';
        END IF;
    END LOOP;
    IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
    RETURN NEW;
END $$;

-- An evidence and its owner belong to the same assessment.
CREATE FUNCTION beleg_owner_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.assessment_id IS DISTINCT FROM (
        SELECT assessment_id FROM assessments_feldbewertung WHERE id = NEW.feldbewertung_id
        UNION ALL
        SELECT assessment_id FROM assessments_vergleich WHERE id = NEW.vergleich_id
        UNION ALL
        SELECT assessment_id FROM assessments_verbesserung WHERE id = NEW.verbesserung_id)
    THEN
        RAISE EXCEPTION 'The owner of evidence % belongs to another assessment', NEW.id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'beleg_owner_same_assessment';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER beleg_owner_guard BEFORE INSERT OR UPDATE ON assessments_beleg
    FOR EACH ROW EXECUTE FUNCTION beleg_owner_guard();

-- A Zitat never changes; one that an approved or published version cites cannot vanish.
CREATE FUNCTION zitat_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        RAISE EXCEPTION 'Zitat % cannot be changed', OLD.id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'zitat_frozen';
    END IF;
    PERFORM FROM assessments_assessment a JOIN assessments_beleg b ON b.assessment_id = a.id
        WHERE b.zitat_id = OLD.id FOR SHARE OF a;
    IF EXISTS (SELECT FROM assessments_assessment a
               JOIN assessments_beleg b ON b.assessment_id = a.id
               WHERE b.zitat_id = OLD.id AND a.status NOT IN ('draft', 'in_review')) THEN
        RAISE EXCEPTION 'Zitat % is cited by a published assessment', OLD.id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'zitat_frozen';
    END IF;
    RETURN OLD;
END $$;
CREATE TRIGGER zitat_guard BEFORE UPDATE OR DELETE ON citations_zitat
    FOR EACH ROW EXECUTE FUNCTION zitat_guard();

CREATE FUNCTION append_only_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME
        USING ERRCODE = 'check_violation', CONSTRAINT = 'append_only';
END $$;
CREATE TRIGGER append_only_guard BEFORE UPDATE OR DELETE ON assessments_reviewevent
    FOR EACH ROW EXECUTE FUNCTION append_only_guard();
"""

PARTS = ["feldbewertung", "vergleich", "verbesserung", "beleg"]
CREATE_PARTS = "".join(
    f"""
CREATE TRIGGER assessment_part_guard BEFORE INSERT OR UPDATE OR DELETE ON assessments_{part}
    FOR EACH ROW EXECUTE FUNCTION assessment_part_guard();
"""
    for part in PARTS
)
DROP = (
    "".join(f"DROP TRIGGER assessment_part_guard ON assessments_{part};" for part in PARTS)
    + """
DROP TRIGGER assessment_guard ON assessments_assessment;
DROP TRIGGER beleg_owner_guard ON assessments_beleg;
DROP TRIGGER zitat_guard ON citations_zitat;
DROP TRIGGER append_only_guard ON assessments_reviewevent;
DROP FUNCTION assessment_guard();
DROP FUNCTION assessment_part_guard();
DROP FUNCTION beleg_owner_guard();
DROP FUNCTION zitat_guard();
DROP FUNCTION append_only_guard();
"""
)


class Migration(migrations.Migration):
    dependencies = [("assessments", "0001_initial"), ("citations", "0001_initial")]

    operations = [migrations.RunSQL(CREATE + CREATE_PARTS, DROP)]
