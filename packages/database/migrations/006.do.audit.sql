-- The audit logs. Records about one shop are in oauth.audit_log (on a cluster: beside the shop's other rows), the rest in
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
-- The default partition stores rows of months whose partition does not exist yet.
CREATE TABLE oauth.audit_log_default PARTITION OF oauth.audit_log DEFAULT;
CREATE INDEX audit_log_by_connection ON oauth.audit_log (shop_id, connection_id, id);
CREATE INDEX audit_log_by_shop ON oauth.audit_log (shop_id, at, id);
CREATE INDEX audit_log_by_client ON oauth.audit_log (client_id, at, id);
CREATE INDEX audit_log_by_merchant ON oauth.audit_log (merchant_id, at, id);
CREATE INDEX audit_log_by_actor ON oauth.audit_log (actor, at, id);
CREATE INDEX audit_log_by_time ON oauth.audit_log (at, id);
-- The columns that INSERT … RETURNING reads for the log line of a record.
GRANT INSERT, SELECT (at, client_id, shop_id, connection_id, merchant_id) ON oauth.audit_log TO authorization_server;
-- Erasure takes names out of details.
GRANT INSERT, SELECT, UPDATE (details) ON oauth.audit_log TO back_office;

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
GRANT INSERT, SELECT, UPDATE (details) ON directory.audit_log TO back_office;

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

-- Months. The back office makes and drops them, and may change no table otherwise: packages/audit, months.ts.

-- The column by which a table is partitioned. Refuses any other table.
CREATE FUNCTION oauth.month_column(parted text) RETURNS text LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  found text := CASE WHEN parted IN ('oauth.audit_log', 'directory.audit_log') THEN 'at' WHEN parted = 'oauth.api_usage' THEN 'hour' END;
BEGIN
  IF found IS NULL THEN
    RAISE EXCEPTION '% is not partitioned by month', parted;
  END IF;
  RETURN found;
END
$$;

-- A partition inherits the row triggers, but not those of TRUNCATE.
CREATE FUNCTION oauth.keep_from_being_emptied(part text) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF part LIKE '%.audit\_log\_%' THEN
    EXECUTE format('CREATE TRIGGER audit_log_is_not_emptied BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION oauth.refuse_change()', part);
  END IF;
END
$$;

-- Makes partitions for a month and for all rows in the default partition, where they are missing, and returns their names. The rows move with a new
-- default partition: their month can't be made while they are in the default one, and records of the audit log can't be deleted.
CREATE FUNCTION oauth.make_month(parted text, month timestamptz) RETURNS SETOF text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET TimeZone = 'UTC' AS $$
DECLARE
  dated CONSTANT text := oauth.month_column(parted);
  aside CONSTANT text := parted || '_aside';
  months timestamptz[];
  part text;
  is_stray boolean;
BEGIN
  EXECUTE format('LOCK TABLE ONLY %s IN ACCESS EXCLUSIVE MODE', parted);
  EXECUTE format('SELECT array_agg(DISTINCT date_trunc(''month'', %I)) FROM %s_default', dated, parted) INTO months;
  is_stray := months IS NOT NULL;
  IF is_stray THEN
    EXECUTE format('ALTER TABLE %s DETACH PARTITION %1$s_default', parted);
    EXECUTE format('ALTER TABLE %s_default RENAME TO %I', parted, split_part(aside, '.', 2));
    EXECUTE format('CREATE TABLE %s_default PARTITION OF %1$s DEFAULT', parted);
    PERFORM oauth.keep_from_being_emptied(parted || '_default');
  END IF;
  FOREACH month IN ARRAY months || date_trunc('month', month) LOOP
    part := parted || to_char(month, '_YYYY_MM');
    CONTINUE WHEN to_regclass(part) IS NOT NULL;
    EXECUTE format('CREATE TABLE %s PARTITION OF %s FOR VALUES FROM (%L) TO (%L)', part, parted, month, month + interval '1 month');
    PERFORM oauth.keep_from_being_emptied(part);
    RETURN NEXT part;
  END LOOP;
  IF is_stray THEN
    EXECUTE format('INSERT INTO %s SELECT * FROM %s', parted, aside);
    EXECUTE format('DROP TABLE %s', aside);
  END IF;
END
$$;

-- Drops a month's partition. The month must have ended at least a month ago.
CREATE FUNCTION oauth.drop_month(parted text, month timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET TimeZone = 'UTC' AS $$
DECLARE
  part CONSTANT text := parted || to_char(month, '_YYYY_MM');
BEGIN
  PERFORM oauth.month_column(parted);
  IF month >= date_trunc('month', now()) - interval '1 month' THEN
    RAISE EXCEPTION '% is too young to be dropped', part;
  END IF;
  EXECUTE format('LOCK TABLE ONLY %s IN ACCESS EXCLUSIVE MODE', parted);
  EXECUTE format('DROP TABLE IF EXISTS %s', part);
END
$$;
REVOKE EXECUTE ON FUNCTION oauth.month_column, oauth.keep_from_being_emptied, oauth.make_month, oauth.drop_month FROM PUBLIC;
GRANT EXECUTE ON FUNCTION oauth.make_month, oauth.drop_month TO back_office;
