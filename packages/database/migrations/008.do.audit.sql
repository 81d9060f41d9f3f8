-- Who did what. What concerns one shop is in oauth.audit_log (on a cluster: beside the shop's other rows), the rest in
-- directory.audit_log. Both are parted by month, so that old records go by dropping a month, never by a DELETE.
--
-- The table that there was becomes the first part, with all its rows, up to the end of this month.
ALTER TABLE oauth.audit_log RENAME TO audit_log_first;
ALTER TABLE oauth.audit_log_first ALTER COLUMN client_id DROP NOT NULL;
ALTER TABLE oauth.audit_log_first ADD COLUMN merchant_id text COLLATE "C"; -- whom it concerns; the author is the actor
ALTER TABLE oauth.audit_log_first ALTER COLUMN at SET DEFAULT clock_timestamp(); -- an import's record is not as old as its beginning
ALTER TABLE oauth.audit_log_first DROP CONSTRAINT audit_log_pkey;
ALTER TABLE oauth.audit_log_first ADD CONSTRAINT audit_log_first_pkey PRIMARY KEY (shop_id, id, at);
DROP TRIGGER audit_log_is_append_only ON oauth.audit_log_first;
DROP INDEX oauth.audit_log_by_connection;
REVOKE ALL ON oauth.audit_log_first FROM authorization_server;

CREATE TABLE oauth.audit_log (LIKE oauth.audit_log_first INCLUDING DEFAULTS) PARTITION BY RANGE (at);
ALTER TABLE oauth.audit_log ADD PRIMARY KEY (shop_id, id, at);

CREATE TABLE directory.audit_log (LIKE oauth.audit_log INCLUDING DEFAULTS) PARTITION BY RANGE (at);
ALTER TABLE directory.audit_log DROP COLUMN shop_id, DROP COLUMN connection_id;
ALTER TABLE directory.audit_log ADD PRIMARY KEY (id, at);

-- What no month takes: nothing is refused when nobody has made the next months. packages/audit moves its rows when it makes them.
CREATE TABLE oauth.audit_log_default PARTITION OF oauth.audit_log DEFAULT;
CREATE TABLE directory.audit_log_default PARTITION OF directory.audit_log DEFAULT;

CREATE INDEX audit_log_by_connection ON oauth.audit_log (shop_id, connection_id, id);
CREATE INDEX audit_log_by_shop ON oauth.audit_log (shop_id, at, id);
CREATE INDEX audit_log_by_client ON oauth.audit_log (client_id, at, id);
CREATE INDEX audit_log_by_merchant ON oauth.audit_log (merchant_id, at, id);
CREATE INDEX audit_log_by_actor ON oauth.audit_log (actor, at, id);
CREATE INDEX audit_log_by_time ON oauth.audit_log (at, id);
CREATE INDEX audit_log_by_client ON directory.audit_log (client_id, at, id);
CREATE INDEX audit_log_by_merchant ON directory.audit_log (merchant_id, at, id);
CREATE INDEX audit_log_by_actor ON directory.audit_log (actor, at, id);
CREATE INDEX audit_log_by_time ON directory.audit_log (at, id);

DO $$
BEGIN
  EXECUTE format(
    'ALTER TABLE oauth.audit_log ATTACH PARTITION oauth.audit_log_first FOR VALUES FROM (MINVALUE) TO (%L)',
    (date_trunc('month', now() AT TIME ZONE 'UTC') + interval '1 month') AT TIME ZONE 'UTC');
END
$$;

-- Append-only for everybody, the owner too. Each part gets the triggers of rows by itself; TRUNCATE needs one a part.
CREATE OR REPLACE FUNCTION oauth.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is append-only';
END
$$;
CREATE TRIGGER audit_log_is_append_only BEFORE UPDATE OR DELETE ON oauth.audit_log
  FOR EACH ROW EXECUTE FUNCTION oauth.refuse_change();
CREATE TRIGGER audit_log_is_append_only BEFORE UPDATE OR DELETE ON directory.audit_log
  FOR EACH ROW EXECUTE FUNCTION oauth.refuse_change();
DO $$
DECLARE
  part text;
BEGIN
  FOREACH part IN ARRAY ARRAY[
    'oauth.audit_log', 'oauth.audit_log_first', 'oauth.audit_log_default', 'directory.audit_log', 'directory.audit_log_default'
  ] LOOP
    EXECUTE format('CREATE TRIGGER audit_log_is_not_emptied BEFORE TRUNCATE ON %s
      FOR EACH STATEMENT EXECUTE FUNCTION oauth.refuse_change()', part);
  END LOOP;
END
$$;

GRANT INSERT ON oauth.audit_log, directory.audit_log TO authorization_server;
