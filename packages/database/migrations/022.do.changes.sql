-- What a partner's feed tells (GET /oauth/api/changes): which of its connections has something new. See packages/changes.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'notifier') THEN
    CREATE ROLE notifier LOGIN;
  END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN
  NULL; -- made meanwhile by a migration of another database in this cluster
END
$$;

-- Who changes something of a shop adds a row in the same transaction, and the relay deletes it once it is in the feeds. No row is changed,
-- so writers and the relay never wait for each other.
CREATE TABLE oauth.change_notes (
  shop_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL DEFAULT 'note_' || replace(uuidv7()::text, '-', ''),
  client_id text COLLATE "C", -- null: each client that is connected with the shop
  connection_id text COLLATE "C", -- of that client
  kinds text[] NOT NULL,
  gone boolean NOT NULL DEFAULT false, -- the connection's row is deleted
  at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (shop_id, id)
);
CREATE INDEX change_notes_by_age ON oauth.change_notes (id);

-- The last number of a client's feed. Its row lock makes numbers visible in their order and without gaps. The epoch names the running
-- Postgres that gave that number; `past` has, for each former epoch, its last number.
CREATE TABLE oauth.change_positions (
  client_id text COLLATE "C" PRIMARY KEY REFERENCES directory.clients ON DELETE CASCADE,
  number bigint NOT NULL,
  epoch text COLLATE "C" NOT NULL,
  past jsonb NOT NULL DEFAULT '{}'
) WITH (fillfactor = 50); -- every change updates the row in place

-- The feeds: of each connection and kind the latest entry.
CREATE TABLE oauth.changes (
  client_id text COLLATE "C" NOT NULL REFERENCES directory.clients ON DELETE CASCADE,
  connection_id text COLLATE "C" NOT NULL, -- empty: concerns no connection
  kind text COLLATE "C" NOT NULL,
  shop_id text COLLATE "C",
  number bigint NOT NULL,
  at timestamptz(3) NOT NULL,
  gone boolean NOT NULL DEFAULT false, -- the last entry of a connection whose row is deleted
  PRIMARY KEY (client_id, connection_id, kind),
  UNIQUE (client_id, number)
);

-- Which process does what one alone should do, and until when.
CREATE TABLE oauth.leases (
  id text COLLATE "C" PRIMARY KEY,
  holder text NOT NULL DEFAULT '',
  until timestamptz(3) NOT NULL DEFAULT '-infinity'
) WITH (fillfactor = 50);
INSERT INTO oauth.leases (id) VALUES ('relay');

GRANT USAGE ON SCHEMA directory, oauth TO notifier;
GRANT SELECT ON directory.needed_schemas TO notifier;
GRANT SELECT (client_id) ON directory.clients TO notifier;
GRANT SELECT (shop_id, client_id, id, status) ON oauth.connections TO notifier;
GRANT SELECT, DELETE ON oauth.change_notes TO notifier;
GRANT SELECT, INSERT, UPDATE ON oauth.change_positions TO notifier;
GRANT SELECT, INSERT, UPDATE, DELETE ON oauth.changes TO notifier;
GRANT SELECT, UPDATE (holder, until) ON oauth.leases TO notifier;
GRANT INSERT ON oauth.change_notes TO authorization_server;
GRANT SELECT ON oauth.change_positions, oauth.changes TO authorization_server;

-- On a cluster whose tables are distributed, the triggers below write on the other nodes from their commit on.
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') THEN
    EXECUTE $sql$
      SELECT create_distributed_table(name::regclass, key, colocate_with => 'survey.stamps')
      FROM (VALUES ('oauth.change_notes', 'shop_id'), ('oauth.change_positions', 'client_id'), ('oauth.changes', 'client_id')) AS t (name, key)
      WHERE EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = 'survey.stamps'::regclass AND partmethod = 'h')$sql$;
  END IF;
END
$$;

-- So every start of a Postgres, after a failover or of a copy too, begins a new epoch at the next number. What is copied keeps its epoch.
CREATE FUNCTION oauth.set_epoch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' AND NEW.epoch IS NOT NULL THEN
    RETURN NEW;
  END IF;
  NEW.epoch := left(md5(concat_ws(' ', extract(epoch FROM pg_postmaster_start_time()),
    (SELECT oid FROM pg_database WHERE datname = current_database()), TG_RELID)), 12);
  IF TG_OP = 'UPDATE' AND NEW.epoch <> OLD.epoch THEN
    NEW.past := OLD.past || jsonb_build_object(OLD.epoch, OLD.number);
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER change_positions_set_epoch BEFORE INSERT OR UPDATE OF number ON oauth.change_positions
  FOR EACH ROW EXECUTE FUNCTION oauth.set_epoch();

-- Who takes a stamp of a shop says here what changes: null is not known, and an empty list is noted otherwise. Always null once it is stored,
-- as a writer of a former release leaves it alone.
ALTER TABLE survey.stamps ADD COLUMN changes text[];

CREATE FUNCTION survey.note_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  former timestamptz := '-infinity'; -- with which a row is made, for its lock
  kinds CONSTANT text[] := coalesce(NEW.changes, '{responses,deletions,questions}');
BEGIN
  IF TG_OP = 'UPDATE' THEN
    former := OLD.stamp;
  END IF;
  NEW.changes := NULL;
  IF NEW.stamp <> former AND kinds <> '{}' THEN
    INSERT INTO oauth.change_notes (shop_id, kinds) VALUES (NEW.shop_id, kinds);
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER stamps_note_change BEFORE INSERT OR UPDATE ON survey.stamps
  FOR EACH ROW EXECUTE FUNCTION survey.note_change();

-- The same as 014's, and it notes deletions: once for all that a transaction deletes of a shop.
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
    INSERT INTO survey.stamps AS last (shop_id, stamp) VALUES (OLD.shop_id, '-infinity')
    ON CONFLICT (shop_id) DO UPDATE SET stamp = last.stamp -- for the row's lock
    RETURNING stamp INTO at;
    at := greatest(date_trunc('milliseconds', clock_timestamp()), greatest(at, OLD.updated_at) + interval '1 millisecond');
    UPDATE survey.stamps SET stamp = at, changes = '{}' WHERE shop_id = OLD.shop_id;
    is_kept := false;
  END IF;
  IF NOT is_kept THEN
    PERFORM set_config('survey.deletions_at', (at AT TIME ZONE 'UTC') || '+00 ' || OLD.shop_id, true);
    IF NOT EXISTS (SELECT FROM oauth.change_notes
      WHERE shop_id = OLD.shop_id AND xmin = pg_current_xact_id()::xid AND kinds = '{deletions}') THEN
      INSERT INTO oauth.change_notes (shop_id, kinds) VALUES (OLD.shop_id, '{deletions}');
    END IF;
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

-- A connection's events. When a code is exchanged or a hold ends, a reader has to read all that the shop has. That a refresh token was used
-- (last_used_at) is no event.
CREATE FUNCTION oauth.note_connection() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  kinds text[] := '{connection}';
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF OLD.connected_at IS NOT NULL THEN
      INSERT INTO oauth.change_notes (shop_id, client_id, connection_id, kinds, gone)
      VALUES (OLD.shop_id, OLD.client_id, OLD.id, kinds, true);
    END IF;
    RETURN NULL;
  END IF;
  IF NEW.connected_at IS NULL THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    kinds := '{connection,responses,deletions,questions}';
  ELSIF (OLD.status, OLD.disabled, OLD.grant_id, OLD.scope, OLD.exchanged_at, OLD.generation)
    IS NOT DISTINCT FROM (NEW.status, NEW.disabled, NEW.grant_id, NEW.scope, NEW.exchanged_at, NEW.generation) THEN
    RETURN NULL;
  ELSIF NEW.exchanged_at IS DISTINCT FROM OLD.exchanged_at AND NEW.exchanged_at IS NOT NULL OR OLD.disabled AND NOT NEW.disabled THEN
    kinds := '{connection,responses,deletions,questions}';
  END IF;
  INSERT INTO oauth.change_notes (shop_id, client_id, connection_id, kinds)
  VALUES (NEW.shop_id, NEW.client_id, NEW.id, kinds);
  RETURN NULL;
END
$$;
CREATE TRIGGER connections_note
  AFTER INSERT OR DELETE OR UPDATE OF status, disabled, grant_id, scope, exchanged_at, generation ON oauth.connections
  FOR EACH ROW EXECUTE FUNCTION oauth.note_connection();

-- Notes every connection and all that it can read, a thousand shops in a transaction. For connections from before the feed; and on a cluster
-- after a node lost commits that other nodes kept.
CREATE PROCEDURE oauth.note_all_connections() LANGUAGE plpgsql AS $$
DECLARE
  shops text[];
  after text := '';
BEGIN
  LOOP
    SELECT array_agg(shop_id) INTO shops FROM
      (SELECT DISTINCT shop_id FROM oauth.connections WHERE shop_id > after ORDER BY shop_id LIMIT 1000) AS next;
    EXIT WHEN shops IS NULL;
    INSERT INTO oauth.change_notes (shop_id, client_id, connection_id, kinds)
    SELECT shop_id, client_id, id, '{connection,responses,deletions,questions}'
    FROM oauth.connections WHERE shop_id = ANY (shops) AND connected_at IS NOT NULL;
    COMMIT;
    after := shops[array_length(shops, 1)];
  END LOOP;
END
$$;
