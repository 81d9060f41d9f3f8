-- Which responses are deleted now, and since when: partners who keep a copy delete them too (GET /api/deleted-responses).
--
-- deleted_at is a stamp of the shop, of the last deletion. A record that is imported again keeps its row, as cursors may name
-- it, and leaves the list until it is deleted once more.
ALTER TABLE survey.deleted_responses
  ADD COLUMN deleted_at timestamptz(3),
  ADD COLUMN imported_again boolean NOT NULL DEFAULT false;

-- Nobody noted when these were deleted: not after the shop's newest stamp. Nobody has read the list yet, so none appears behind a reader.
UPDATE survey.deleted_responses d SET
  deleted_at = coalesce((SELECT s.stamp FROM survey.stamps s WHERE s.shop_id = d.shop_id), d.updated_at),
  imported_again = EXISTS (SELECT FROM survey.responses r WHERE r.shop_id = d.shop_id AND r.id = d.id);
ALTER TABLE survey.deleted_responses ALTER COLUMN deleted_at SET NOT NULL;
CREATE INDEX deleted_responses_by_time ON survey.deleted_responses (shop_id, deleted_at, id) WHERE NOT imported_again;

-- The trigger takes the stamp, so that no deletion is missed, however it was made. Who deletes much takes one before, for its lock
-- (packages/survey-data, take-stamp.ts).
CREATE OR REPLACE FUNCTION survey.keep_places_of_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH stamps AS (
    INSERT INTO survey.stamps AS last (shop_id, stamp)
    SELECT shop_id, greatest(date_trunc('milliseconds', clock_timestamp()), max(updated_at) + interval '1 millisecond')
    FROM deleted GROUP BY shop_id ORDER BY shop_id
    ON CONFLICT (shop_id) DO UPDATE SET stamp = greatest(
      date_trunc('milliseconds', clock_timestamp()), excluded.stamp, last.stamp + interval '1 millisecond')
    RETURNING shop_id, stamp
  )
  INSERT INTO survey.deleted_responses AS kept (shop_id, id, inserted_at, updated_at, deleted_at)
  SELECT shop_id, id, inserted_at, updated_at, stamp FROM deleted JOIN stamps USING (shop_id)
  ON CONFLICT (shop_id, id) DO UPDATE SET
    inserted_at = least(kept.inserted_at, excluded.inserted_at),
    last_inserted_at = greatest(kept.last_inserted_at, kept.inserted_at, excluded.inserted_at),
    updated_at = greatest(kept.updated_at, excluded.updated_at),
    deleted_at = excluded.deleted_at,
    imported_again = false;
  RETURN NULL;
END
$$;

-- GET /api/connection.
GRANT SELECT (name, domain) ON directory.shops TO resource_server;
GRANT SELECT (connected_at, exchanged_at, last_used_at) ON oauth.connections TO resource_server;
