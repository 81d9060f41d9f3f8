-- The same as 012's, row by row: a table whose trigger reads all that a statement deleted (a transition table) can't be distributed.
--
-- All that a transaction deletes of a shop has one stamp, and one that it has taken already is used (packages/survey-data,
-- take-stamp.ts): a version of a row that our transaction made has its number as xmin. The stamp is kept in a setting of the
-- transaction, so that it is looked up once. A row that was changed after the stamp takes a later one.
CREATE OR REPLACE FUNCTION survey.keep_places_of_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  kept CONSTANT text := current_setting('survey.deletions_at', true); -- such as '2026-11-21 01:02:03.123+00 shop_1'
  at timestamptz(3);
  is_kept boolean := false;
BEGIN
  IF substr(kept, strpos(kept, '+00 ') + 4) = OLD.shop_id THEN
    at := split_part(kept, '+00 ', 1) || '+00';
    is_kept := true;
  ELSE
    SELECT stamp INTO at FROM survey.stamps WHERE shop_id = OLD.shop_id AND xmin = pg_current_xact_id()::xid;
  END IF;
  IF at IS NULL OR at <= OLD.updated_at THEN
    INSERT INTO survey.stamps AS last (shop_id, stamp) VALUES (OLD.shop_id, OLD.updated_at)
    ON CONFLICT (shop_id) DO UPDATE SET stamp = last.stamp -- for the row's lock
    RETURNING stamp INTO at;
    at := greatest(date_trunc('milliseconds', clock_timestamp()), greatest(at, OLD.updated_at) + interval '1 millisecond');
    UPDATE survey.stamps SET stamp = at WHERE shop_id = OLD.shop_id;
    is_kept := false;
  END IF;
  IF NOT is_kept THEN
    PERFORM set_config('survey.deletions_at', (at AT TIME ZONE 'UTC') || '+00 ' || OLD.shop_id, true);
  END IF;
  INSERT INTO survey.deleted_responses AS kept (shop_id, id, inserted_at, updated_at, deleted_at)
  VALUES (OLD.shop_id, OLD.id, OLD.inserted_at, OLD.updated_at, at)
  ON CONFLICT (shop_id, id) DO UPDATE SET
    inserted_at = least(kept.inserted_at, excluded.inserted_at),
    last_inserted_at = greatest(kept.last_inserted_at, kept.inserted_at, excluded.inserted_at),
    updated_at = greatest(kept.updated_at, excluded.updated_at),
    deleted_at = excluded.deleted_at,
    imported_again = false;
  RETURN NULL;
END
$$;
DROP TRIGGER responses_keep_places ON survey.responses;
CREATE TRIGGER responses_keep_places AFTER DELETE ON survey.responses
  FOR EACH ROW EXECUTE FUNCTION survey.keep_places_of_deleted();
