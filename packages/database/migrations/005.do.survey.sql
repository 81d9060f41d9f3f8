-- Survey data. Every key begins with shop_id.
-- Ids compare bytewise ("C"), in SQL as in the cursors.
CREATE SCHEMA survey;
GRANT USAGE ON SCHEMA survey TO resource_server, back_office;

-- A record is stored as the compact JSON text that is served, beside the columns by which it is filtered and sorted.

-- The list joins documents with a comma and a line break and splits them there (services/resource-server, pagination/page.ts), so none
-- may contain a raw line break. Sizes: a response is imported from a line of 64 KiB; a recategorized write-in is stored twice
-- (other_response, original_response); its new category has 8 KiB; absent fields and the times add about 2 KiB.
CREATE TABLE survey.responses (
  shop_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL CHECK (length(id) BETWEEN 1 AND 64),
  inserted_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  version bigint, -- the survey product's, which orders its calls; not served
  doc text NOT NULL,
  PRIMARY KEY (shop_id, id),
  CHECK (updated_at >= inserted_at),
  CONSTRAINT responses_doc_is_one_line CHECK (strpos(doc, E'\n') = 0),
  CONSTRAINT responses_doc_size CHECK (octet_length(doc) <= 144 * 1024)
);
-- Times are equal unless the response changed or its sender gave an earlier inserted_at, so one index serves every sort. One with unequal
-- times is in an index for each sort, which also holds the other time for the filters (services/resource-server, list-responses.query.ts).
CREATE INDEX responses_unchanged ON survey.responses (shop_id, inserted_at, id) WHERE updated_at = inserted_at;
CREATE INDEX responses_changed_by_inserted_at ON survey.responses (shop_id, inserted_at, id) INCLUDE (updated_at)
  WHERE updated_at > inserted_at;
CREATE INDEX responses_changed_by_updated_at ON survey.responses (shop_id, updated_at, id) INCLUDE (inserted_at)
  WHERE updated_at > inserted_at;
GRANT SELECT ON survey.responses TO resource_server;
GRANT SELECT, INSERT, UPDATE, DELETE ON survey.responses TO back_office;

-- A question is imported from a line of 1 MiB; an option of 13 bytes, {"value":""}, is stored in 53.
CREATE TABLE survey.questions (
  shop_id text COLLATE "C" NOT NULL,
  id bigint NOT NULL,
  inserted_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  doc text NOT NULL,
  PRIMARY KEY (shop_id, id),
  CONSTRAINT questions_doc_is_one_line CHECK (strpos(doc, E'\n') = 0),
  CONSTRAINT questions_doc_size CHECK (octet_length(doc) <= 5 * 1024 * 1024)
);
GRANT SELECT ON survey.questions TO resource_server;
GRANT SELECT, INSERT, UPDATE, DELETE ON survey.questions TO back_office;

CREATE TABLE survey.sources (
  shop_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL DEFAULT 'src_' || replace(uuidv7()::text, '-', ''),
  client_id text COLLATE "C", -- who set the external_id; null: the merchant, with any API key of the shop
  external_id text COLLATE "C",
  name text NOT NULL,
  type text NOT NULL CHECK (type IN ('podcast', 'youtube', 'influencer', 'tv', 'newsletter', 'event', 'other')),
  url text,
  aliases text[] NOT NULL DEFAULT '{}',
  inserted_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  number bigint, -- in the order of GET /internal/sources; null: not numbered since its last change
  PRIMARY KEY (shop_id, id)
);
CREATE UNIQUE INDEX sources_by_external_id ON survey.sources (shop_id, client_id, external_id) NULLS NOT DISTINCT
  WHERE external_id IS NOT NULL;
CREATE INDEX sources_by_number ON survey.sources (number);
GRANT SELECT, INSERT, UPDATE ON survey.sources TO resource_server;
GRANT SELECT, DELETE, UPDATE (number) ON survey.sources TO back_office;

-- The last number of a source, in one row. Its lock makes numbers visible in order, as that of oauth.change_positions does.
CREATE TABLE survey.source_position (
  id text COLLATE "C" PRIMARY KEY,
  number bigint NOT NULL,
  moved_at timestamptz(3) NOT NULL DEFAULT now(), -- when `number` last grew
  epoch text COLLATE "C" NOT NULL,
  past jsonb NOT NULL DEFAULT '{}'
) WITH (fillfactor = 50);
CREATE TRIGGER source_position_set_epoch BEFORE INSERT OR UPDATE OF number ON survey.source_position
  FOR EACH ROW EXECUTE FUNCTION oauth.set_epoch();
INSERT INTO survey.source_position (id, number) VALUES ('sources', 0);
GRANT SELECT, UPDATE (number, moved_at) ON survey.source_position TO back_office;

-- Answers to requests with an Idempotency-Key, repeated for 24 hours. A null status: the transaction is in progress.
CREATE TABLE survey.idempotency_keys (
  shop_id text COLLATE "C" NOT NULL,
  caller_id text COLLATE "C" NOT NULL, -- the connection or the API key
  key_hash bytea NOT NULL, -- SHA-256
  body_hash bytea NOT NULL, -- SHA-256
  status smallint,
  answer text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (shop_id, caller_id, key_hash)
);
GRANT SELECT, INSERT, UPDATE ON survey.idempotency_keys TO resource_server;
GRANT SELECT (shop_id, caller_id, key_hash, created_at), DELETE ON survey.idempotency_keys TO back_office;

-- Stamps

-- The newest updated_at that a shop's records were given. Its row lock is the shop's write lock: packages/survey-data, shop-transaction.ts.
CREATE TABLE survey.stamps (
  shop_id text COLLATE "C" PRIMARY KEY,
  stamp timestamptz(3) NOT NULL,
  -- Kinds of the writer's changes, for the feed. Null: unknown; empty: noted by other means. A trigger stores null.
  changes text[]
) WITH (fillfactor = 50); -- every write updates the row in place
GRANT SELECT, INSERT, UPDATE, DELETE ON survey.stamps TO back_office;

CREATE FUNCTION survey.note_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  former timestamptz := '-infinity'; -- as in a row that is inserted only to be locked
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

-- Deletions

-- Positions of deleted responses, from which a walk can continue, and times of deletion (GET /api/deleted-responses).
-- Besides, only their version is kept. A record that is imported again keeps its row, because cursors may name it, and leaves the list.
-- A record that was deleted several times keeps its earliest and latest positions (services/resource-server, list-responses.query.ts).
CREATE TABLE survey.deleted_responses (
  shop_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  inserted_at timestamptz(3) NOT NULL, -- the earliest
  last_inserted_at timestamptz(3), -- the latest; null: it had only one
  updated_at timestamptz(3) NOT NULL, -- the latest
  deleted_at timestamptz(3) NOT NULL, -- a stamp of the shop, of the last deletion
  version bigint, -- the highest deleted one: the internal API stores no record of this version or a lower one
  is_hidden boolean NOT NULL DEFAULT false, -- not in the list: it was imported again, or never stored
  PRIMARY KEY (shop_id, id)
);
CREATE INDEX deleted_responses_by_time ON survey.deleted_responses (shop_id, deleted_at, id) WHERE NOT is_hidden;
GRANT SELECT ON survey.deleted_responses TO resource_server;
GRANT SELECT, INSERT, UPDATE, DELETE ON survey.deleted_responses TO back_office;

-- Notes that this transaction deletes responses of a shop, and returns their stamp: the one that the transaction has already taken (its row version has
-- our transaction id as xmin), else a new one. If a row changed at that stamp or later, a later one.
CREATE FUNCTION survey.stamp_of_deletions(shop text, latest timestamptz) RETURNS timestamptz LANGUAGE plpgsql AS $$
DECLARE
  at timestamptz(3);
BEGIN
  SELECT stamp INTO at FROM survey.stamps WHERE shop_id = shop AND xmin = pg_current_xact_id()::xid;
  IF at IS NULL OR at <= latest THEN
    INSERT INTO survey.stamps AS last (shop_id, stamp) VALUES (shop, '-infinity')
    ON CONFLICT (shop_id) DO UPDATE SET stamp = last.stamp -- for the row's lock
    RETURNING stamp INTO at;
    at := greatest(date_trunc('milliseconds', clock_timestamp()), greatest(at, latest) + interval '1 millisecond');
    UPDATE survey.stamps SET stamp = at, changes = '{}' WHERE shop_id = shop;
  END IF;
  IF NOT EXISTS (SELECT FROM oauth.change_notes
    WHERE shop_id = shop AND xmin = pg_current_xact_id()::xid AND kinds = '{deletions}') THEN
    INSERT INTO oauth.change_notes (shop_id, kinds) VALUES (shop, '{deletions}');
  END IF;
  RETURN at;
END
$$;

-- Records every deletion, however it is made. For each row, because Citus distributes no table whose trigger has a transition table.
CREATE FUNCTION survey.keep_places_of_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  at CONSTANT timestamptz := survey.stamp_of_deletions(OLD.shop_id, OLD.updated_at);
BEGIN
  INSERT INTO survey.deleted_responses AS kept (shop_id, id, inserted_at, updated_at, deleted_at, version)
  VALUES (OLD.shop_id, OLD.id, OLD.inserted_at, OLD.updated_at, at, OLD.version)
  ON CONFLICT (shop_id, id) DO UPDATE SET
    inserted_at = least(kept.inserted_at, excluded.inserted_at),
    last_inserted_at = greatest(kept.last_inserted_at, kept.inserted_at, excluded.inserted_at),
    updated_at = greatest(kept.updated_at, excluded.updated_at),
    deleted_at = excluded.deleted_at,
    version = greatest(kept.version, excluded.version),
    is_hidden = false;
  RETURN NULL;
END
$$;
CREATE TRIGGER responses_keep_places AFTER DELETE ON survey.responses
  FOR EACH ROW EXECUTE FUNCTION survey.keep_places_of_deleted();

-- A time as records show it: 2026-11-21T01:02:03.123Z.
CREATE FUNCTION survey.timestamp_text(at timestamptz) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
