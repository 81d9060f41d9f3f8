-- A record may be deleted, come again with other times, and be deleted again. A walk may go on from any of the positions at
-- which it stood, so the earliest and the latest of them are kept (services/resource-server, cursor-position.query.ts):
-- inserted_at is the earliest that it had, updated_at the latest, and last_inserted_at the latest; null: it had one only.
ALTER TABLE survey.deleted_responses ADD COLUMN last_inserted_at timestamptz(3);

CREATE OR REPLACE FUNCTION survey.keep_places_of_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO survey.deleted_responses AS kept (shop_id, id, inserted_at, updated_at)
  SELECT shop_id, id, inserted_at, updated_at FROM deleted
  ON CONFLICT (shop_id, id) DO UPDATE SET
    inserted_at = least(kept.inserted_at, excluded.inserted_at),
    last_inserted_at = greatest(kept.last_inserted_at, kept.inserted_at, excluded.inserted_at),
    updated_at = greatest(kept.updated_at, excluded.updated_at);
  RETURN NULL;
END
$$;
