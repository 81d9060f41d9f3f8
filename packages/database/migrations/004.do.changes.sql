-- The change feed (GET /oauth/api/changes): which of a client's connections has something new. See packages/connections/src/changes.

-- Outbox: a writer inserts a note in the transaction of its change, and the relay deletes it after appending it to the feeds.
-- No row is updated, so writers and the relay never wait for each other.
CREATE TABLE oauth.change_notes (
  shop_id text COLLATE "C" NOT NULL, -- empty: concerns no shop
  id text COLLATE "C" NOT NULL DEFAULT 'note_' || replace(uuidv7()::text, '-', ''),
  client_id text COLLATE "C", -- null: every client that is connected with the shop
  connection_id text COLLATE "C", -- of that client
  kinds text[] NOT NULL,
  gone boolean NOT NULL DEFAULT false, -- the connection's row is deleted
  at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (shop_id, id)
);
CREATE INDEX change_notes_by_age ON oauth.change_notes (id);
GRANT INSERT ON oauth.change_notes TO authorization_server;
GRANT SELECT, INSERT ON oauth.change_notes TO back_office;
GRANT SELECT, DELETE ON oauth.change_notes TO worker;

-- The last number of each feed. Its row lock makes numbers visible in order and without gaps.
CREATE TABLE oauth.change_positions (
  client_id text COLLATE "C" PRIMARY KEY REFERENCES directory.clients ON DELETE CASCADE,
  number bigint NOT NULL,
  epoch text COLLATE "C" NOT NULL, -- names the running Postgres that assigned the number
  past jsonb NOT NULL DEFAULT '{}' -- the last number of each former epoch
) WITH (fillfactor = 50); -- every change updates the row in place
GRANT SELECT ON oauth.change_positions TO authorization_server;
GRANT SELECT, INSERT, UPDATE ON oauth.change_positions TO worker;

-- The feeds: the latest entry per connection and kind.
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
GRANT SELECT ON oauth.changes TO authorization_server;
GRANT SELECT, INSERT, UPDATE ON oauth.changes TO worker;
GRANT SELECT, DELETE ON oauth.changes TO back_office;

-- When a connection's row is deleted, only its entry of kind 'connection' stays. The worker's role may not delete entries.
CREATE FUNCTION oauth.forget_gone() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  DELETE FROM oauth.changes WHERE client_id = NEW.client_id AND connection_id = NEW.connection_id AND kind <> 'connection';
  RETURN NULL;
END
$$;
REVOKE EXECUTE ON FUNCTION oauth.forget_gone FROM PUBLIC;
CREATE TRIGGER changes_forget_gone AFTER INSERT OR UPDATE OF gone ON oauth.changes
  FOR EACH ROW WHEN (NEW.gone) EXECUTE FUNCTION oauth.forget_gone();

-- Every start of Postgres, also after a failover or from a copy, begins a new epoch at the next number, because commits may be lost.
CREATE FUNCTION oauth.set_epoch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' AND NEW.epoch IS NOT NULL THEN
    RETURN NEW; -- copied with its epoch
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

-- Notes a connection's events. After an exchange, or when a hold ends, a reader has to read everything the shop has. A refresh
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

-- Notes every connection with everything it can read, a thousand shops per transaction. For operators, after a node of a cluster lost
-- commits that other nodes kept (deploy/operations/runbook.md).
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
