-- The tables of a small survey product. All columns but `shop_id` are sent: name them as the API's fields, and keep amounts as text.
-- `.` and `..` can't be ids, because a URL with them leads to another path, even if encoded.
CREATE TABLE merchants (
  id text PRIMARY KEY CHECK (id NOT IN ('.', '..')),
  email text NOT NULL UNIQUE,
  name text NOT NULL,
  -- NULL is not sent. `active` ends `disabled`, also an operator's: set it to NULL once `outbox` has
  -- no row of the merchant. Note who and when: it is repeated after a restore of Partner Connect.
  status text CHECK (status IN ('active', 'disabled'))
);
CREATE TABLE shops (
  id text PRIMARY KEY CHECK (id NOT IN ('.', '..')),
  name text NOT NULL,
  domain text,
  plan text NOT NULL
);
CREATE TABLE members (
  shop_id text REFERENCES shops ON DELETE CASCADE,
  merchant_id text REFERENCES merchants ON DELETE CASCADE,
  PRIMARY KEY (shop_id, merchant_id)
);
CREATE TABLE questions (
  shop_id text REFERENCES shops ON DELETE CASCADE,
  id integer,
  prompt text NOT NULL,
  PRIMARY KEY (shop_id, id)
);
CREATE TABLE responses (
  shop_id text REFERENCES shops ON DELETE CASCADE,
  id text,
  inserted_at timestamptz(3) NOT NULL DEFAULT now(), -- when the customer answered
  question_id integer NOT NULL,
  response text NOT NULL,
  original_response text,
  question text NOT NULL, -- as the customer saw it; default: the question's prompt
  PRIMARY KEY (shop_id, id),
  FOREIGN KEY (shop_id, question_id) REFERENCES questions -- no CASCADE: Partner Connect keeps responses
);
CREATE FUNCTION fill_question() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT prompt INTO NEW.question FROM questions WHERE shop_id = NEW.shop_id AND id = NEW.question_id;
  RETURN NEW;
END $$;
CREATE TRIGGER fill_question BEFORE INSERT ON responses
  FOR EACH ROW WHEN (NEW.question IS NULL) EXECUTE FUNCTION fill_question();

-- Tables for sync-product.mjs: the sources that partners created, its state, and an outbox.
CREATE TABLE sources (
  shop_id text,
  id text,
  client_id text,
  source jsonb NOT NULL,
  is_lost boolean NOT NULL DEFAULT false, -- not yet read again since Partner Connect lost changes
  PRIMARY KEY (shop_id, id)
);
CREATE TABLE sync_state (
  cursor text, -- after the sources that have been read
  erasures bigint NOT NULL DEFAULT 0, -- a page of sources that was read before one is read again
  lost_at timestamptz, -- when Partner Connect last reported that it has lost changes
  older_versions bigint NOT NULL DEFAULT 0 -- changes that lost to a higher version
);
INSERT INTO sync_state DEFAULT VALUES;

-- Changes to be sent, in the order of `position`, which is also the `version` of a response. A
-- changed row is locked before its trigger takes a position, so the positions of a record grow.
-- Rows that are written with triggers off (session_replication_role) are not sent.
CREATE TABLE outbox (
  position bigserial PRIMARY KEY,
  kind text NOT NULL,
  shop_id text, -- NULL for a merchant
  id text NOT NULL,
  -- True if a merchant or a shop was deleted, even if the same id has been created again since.
  is_erasure boolean NOT NULL DEFAULT false,
  -- Why Partner Connect refused the change. To send all again: UPDATE outbox SET refused = NULL
  refused text,
  -- A merchant, or a shop with all its data. One process at a time sends a subject's changes.
  subject text NOT NULL GENERATED ALWAYS AS (coalesce('shop ' || shop_id, 'merchant ' || id)) STORED
);
CREATE INDEX ON outbox (position) WHERE refused IS NULL;
CREATE INDEX ON outbox (subject, kind, id);
CREATE INDEX ON outbox (subject, position) WHERE is_erasure;
CREATE INDEX ON outbox (id) WHERE refused IS NOT NULL;

-- What is sent again after a restore of Partner Connect. Keep rows as long as its backups.
CREATE TABLE deletions (at timestamptz, kind text, shop_id text, id text, is_erasure boolean);

-- The changes that may be sent now. A membership waits until its merchant has been sent.
CREATE VIEW sendable AS
  SELECT * FROM outbox AS change
  WHERE refused IS NULL AND (kind <> 'members' OR NOT EXISTS (
    SELECT FROM outbox AS merchant
    WHERE merchant.subject = 'merchant ' || change.id AND merchant.refused IS NULL));

CREATE FUNCTION note_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  before jsonb := to_jsonb(OLD);
  after jsonb := to_jsonb(NEW);
  is_subject boolean := TG_TABLE_NAME IN ('merchants', 'shops');
BEGIN
  -- An id can't change at Partner Connect, and a shop's erasure ends its connections.
  IF TG_OP = 'TRUNCATE' OR is_subject AND before ->> 'id' <> after ->> 'id' THEN
    RAISE EXCEPTION '% of %: INSERT new rows and DELETE the old ones', TG_OP, TG_TABLE_NAME
      USING HINT = 'A deleted shop loses its connections.';
  END IF;
  WITH noted AS (
    INSERT INTO outbox (kind, shop_id, id, is_erasure)
    SELECT DISTINCT -- two rows if the key has changed
      TG_TABLE_NAME,
      CASE TG_TABLE_NAME WHEN 'shops' THEN changed ->> 'id' ELSE changed ->> 'shop_id' END,
      coalesce(changed ->> 'id', changed ->> 'merchant_id'),
      is_subject AND TG_OP = 'DELETE'
    FROM unnest(ARRAY[before, after]) AS changed WHERE changed IS NOT NULL
    RETURNING kind, shop_id, id, is_erasure)
  INSERT INTO deletions SELECT now(), * FROM noted
  WHERE TG_OP = 'DELETE' OR (SELECT count(*) FROM noted) > 1;
  RETURN NULL;
END $$;
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['merchants', 'shops', 'members', 'questions', 'responses'] LOOP
    EXECUTE format('CREATE TRIGGER note_change AFTER INSERT OR UPDATE OR DELETE ON %I
      FOR EACH ROW EXECUTE FUNCTION note_change()', name);
    EXECUTE format('CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON %I
      EXECUTE FUNCTION note_change()', name);
  END LOOP;
END $$;
