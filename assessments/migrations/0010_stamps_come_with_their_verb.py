"""Who approved, who published, and whether that takes two is written by the verbs alone."""

from django.db import migrations

CREATE = """
-- Else another approver could be entered behind the rules that asked the first one: shown evidence,
-- own ratings, four eyes.
CREATE FUNCTION assessment_stamp_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.approved_by_id, NEW.approved_at) IS DISTINCT FROM (OLD.approved_by_id, OLD.approved_at)
       AND NOT (NEW.status <> OLD.status AND NEW.status IN ('approved', 'draft'))
       OR (NEW.version, NEW.published_by_id, NEW.published_at)
           IS DISTINCT FROM (OLD.version, OLD.published_by_id, OLD.published_at)
       AND NOT (NEW.status <> OLD.status AND NEW.status = 'published')
       OR NEW.vier_augen <> OLD.vier_augen AND OLD.status <> 'draft' THEN
        RAISE EXCEPTION 'Who approves or publishes assessment % cannot be changed', NEW.id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'stamps_with_their_verb';
    END IF;
    RETURN NEW;
END $$;
-- Behind assessment_guard, by its name, which says what is frozen.
CREATE TRIGGER assessment_stamp_guard BEFORE UPDATE ON assessments_assessment
    FOR EACH ROW EXECUTE FUNCTION assessment_stamp_guard();
"""
DROP = """
DROP TRIGGER assessment_stamp_guard ON assessments_assessment;
DROP FUNCTION assessment_stamp_guard();
"""


class Migration(migrations.Migration):
    dependencies = [("assessments", "0009_a_permission_for_each_verb")]
    operations = [migrations.RunSQL(CREATE, DROP)]
