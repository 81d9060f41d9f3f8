-- The product's data. Every key begins with shop_id, so the schema distributes by it unchanged (Citus).
-- Ids and timestamps compare bytewise ("C"), in SQL as in the cursors.
CREATE SCHEMA survey;

-- The record as it is served is stored as compact JSON text beside what is filtered and sorted by; every change of
-- the row rewrites it, and reading passes its bytes through.
CREATE TABLE survey.responses (
  shop_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL CHECK (length(id) BETWEEN 1 AND 64),
  inserted_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  doc text NOT NULL,
  PRIMARY KEY (shop_id, id),
  CHECK (updated_at >= inserted_at)
);
CREATE INDEX responses_by_inserted_at ON survey.responses (shop_id, inserted_at, id);
CREATE INDEX responses_by_updated_at ON survey.responses (shop_id, updated_at, id);

-- Sorted by the one time and filtered by the other (services/resource-server, merged-walk.query.ts). A response that
-- never changed has equal times, so one index serves both; a changed one is found in the sort's order within bins of
-- the other time.
CREATE INDEX responses_unchanged ON survey.responses (shop_id, inserted_at, id) WHERE updated_at = inserted_at;
CREATE INDEX responses_changed_by_updated_at ON survey.responses
  (shop_id, date_bin('28 days', inserted_at, timestamptz '2000-01-03T00:00:00Z'), updated_at, id)
  INCLUDE (inserted_at) WHERE updated_at > inserted_at;
CREATE INDEX responses_changed_by_inserted_at ON survey.responses
  (shop_id, date_bin('28 days', updated_at, timestamptz '2000-01-03T00:00:00Z'), inserted_at, id)
  INCLUDE (updated_at) WHERE updated_at > inserted_at;

-- Where a deleted response stood, so that a walk goes on from it. Nothing of what it said is kept.
CREATE TABLE survey.deleted_responses (
  shop_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  inserted_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (shop_id, id)
);
CREATE FUNCTION survey.keep_places_of_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO survey.deleted_responses (shop_id, id, inserted_at, updated_at)
  SELECT shop_id, id, inserted_at, updated_at FROM deleted
  ON CONFLICT (shop_id, id) DO UPDATE SET inserted_at = excluded.inserted_at, updated_at = excluded.updated_at;
  RETURN NULL;
END
$$;
CREATE TRIGGER responses_keep_places AFTER DELETE ON survey.responses
  REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION survey.keep_places_of_deleted();

CREATE TABLE survey.questions (
  shop_id text COLLATE "C" NOT NULL,
  id bigint NOT NULL,
  inserted_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  doc text NOT NULL,
  PRIMARY KEY (shop_id, id)
);

CREATE TABLE survey.sources (
  shop_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL DEFAULT 'src_' || replace(uuidv7()::text, '-', ''),
  external_id text COLLATE "C",
  name text NOT NULL,
  type text NOT NULL CHECK (type IN ('podcast', 'youtube', 'influencer', 'tv', 'newsletter', 'event', 'other')),
  url text,
  aliases text[] NOT NULL DEFAULT '{}',
  inserted_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (shop_id, id)
);
CREATE UNIQUE INDEX sources_by_external_id ON survey.sources (shop_id, external_id) WHERE external_id IS NOT NULL;

-- What a request with an Idempotency-Key was answered, for 24 hours. A null status: its transaction is under way.
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
CREATE INDEX idempotency_keys_by_age ON survey.idempotency_keys (shop_id, created_at);

GRANT USAGE ON SCHEMA survey TO resource_server;
GRANT SELECT ON survey.responses, survey.deleted_responses, survey.questions TO resource_server;
GRANT SELECT, INSERT, UPDATE ON survey.sources TO resource_server;
GRANT SELECT, INSERT, UPDATE, DELETE ON survey.idempotency_keys TO resource_server;
