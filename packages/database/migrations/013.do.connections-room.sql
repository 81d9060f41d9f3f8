-- A refresh writes last_used_at once an hour. With room on the page for the new version of the row, Postgres touches no index for
-- that, and cleans up the old version without a vacuum. Pages that are full get their room by themselves, as each row's next update
-- leaves its page. Neither readers nor writers wait for this.
ALTER TABLE oauth.connections SET (fillfactor = 85);
