-- The audit logs. What concerns one shop is in oauth.audit_log (on a cluster: beside the shop's other rows), the rest in
-- directory.audit_log. Both are partitioned by month, so that old records go by dropping a partition: packages/audit.
CREATE TABLE oauth.audit_log (
  shop_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL DEFAULT 'aud_' || replace(uuidv7()::text, '-', ''),
  client_id text COLLATE "C",
  connection_id text COLLATE "C",
  merchant_id text COLLATE "C", -- whom it concerns
  at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  event text NOT NULL,
  actor text NOT NULL, -- 'merchant:<id>', 'client:<id>' or 'operator:<name>'
  ip inet,
  request_id text,
  details jsonb NOT NULL DEFAULT '{}',
  PRIMARY KEY (shop_id, id, at)
) PARTITION BY RANGE (at);
-- Takes what no month takes, so that nothing is refused while the next months don't exist.
CREATE TABLE oauth.audit_log_default PARTITION OF oauth.audit_log DEFAULT;
CREATE INDEX audit_log_by_connection ON oauth.audit_log (shop_id, connection_id, id);
CREATE INDEX audit_log_by_shop ON oauth.audit_log (shop_id, at, id);
CREATE INDEX audit_log_by_client ON oauth.audit_log (client_id, at, id);
CREATE INDEX audit_log_by_merchant ON oauth.audit_log (merchant_id, at, id);
CREATE INDEX audit_log_by_actor ON oauth.audit_log (actor, at, id);
CREATE INDEX audit_log_by_time ON oauth.audit_log (at, id);
-- The columns that INSERT … RETURNING reads for the log line of a record.
GRANT INSERT, SELECT (at, client_id, shop_id, connection_id, merchant_id) ON oauth.audit_log TO authorization_server;

CREATE TABLE directory.audit_log (
  id text COLLATE "C" NOT NULL DEFAULT 'aud_' || replace(uuidv7()::text, '-', ''),
  client_id text COLLATE "C",
  merchant_id text COLLATE "C", -- whom it concerns
  at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  event text NOT NULL,
  actor text NOT NULL,
  ip inet,
  request_id text,
  details jsonb NOT NULL DEFAULT '{}',
  PRIMARY KEY (id, at)
) PARTITION BY RANGE (at);
CREATE TABLE directory.audit_log_default PARTITION OF directory.audit_log DEFAULT;
CREATE INDEX audit_log_by_client ON directory.audit_log (client_id, at, id);
CREATE INDEX audit_log_by_merchant ON directory.audit_log (merchant_id, at, id);
CREATE INDEX audit_log_by_actor ON directory.audit_log (actor, at, id);
CREATE INDEX audit_log_by_time ON directory.audit_log (at, id);
GRANT INSERT, SELECT (at, client_id, merchant_id) ON directory.audit_log TO authorization_server;

-- Append-only for everybody, also the owner. One exception: erasure removes fields from a record's details
-- (packages/audit, erase-names.ts).
CREATE FUNCTION oauth.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF to_jsonb(NEW) - 'details' = to_jsonb(OLD) - 'details' AND OLD.details @> NEW.details THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'the audit log is append-only';
END
$$;
CREATE TRIGGER audit_log_is_append_only BEFORE UPDATE OR DELETE ON oauth.audit_log
  FOR EACH ROW EXECUTE FUNCTION oauth.refuse_change();
CREATE TRIGGER audit_log_is_append_only BEFORE UPDATE OR DELETE ON directory.audit_log
  FOR EACH ROW EXECUTE FUNCTION oauth.refuse_change();
-- Partitions inherit row triggers, but not those of TRUNCATE.
CREATE TRIGGER audit_log_is_not_emptied BEFORE TRUNCATE ON oauth.audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION oauth.refuse_change();
CREATE TRIGGER audit_log_is_not_emptied BEFORE TRUNCATE ON oauth.audit_log_default
  FOR EACH STATEMENT EXECUTE FUNCTION oauth.refuse_change();
CREATE TRIGGER audit_log_is_not_emptied BEFORE TRUNCATE ON directory.audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION oauth.refuse_change();
CREATE TRIGGER audit_log_is_not_emptied BEFORE TRUNCATE ON directory.audit_log_default
  FOR EACH STATEMENT EXECUTE FUNCTION oauth.refuse_change();
