-- Webhook endpoints, which learn that their feed has moved. A job per endpoint and attempt sends what the row says is new; a lost, repeated
-- or reordered webhook does no harm, because the feed has everything. Secrets are derived from a key file (packages/connections/src/webhooks).
CREATE TABLE oauth.webhooks (
  client_id text COLLATE "C" NOT NULL REFERENCES directory.clients ON DELETE CASCADE,
  id text COLLATE "C" NOT NULL DEFAULT 'whk_' || replace(uuidv7()::text, '-', ''),
  url text NOT NULL,
  secrets jsonb NOT NULL, -- [{key_id, salt, expires_at}], newest first, at most two
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'paused')),
  sent_number bigint NOT NULL, -- the feed's number in the last delivered webhook; one is due when the feed has another number
  failures integer NOT NULL DEFAULT 0, -- in a row
  failing_since timestamptz(3),
  next_attempt_at timestamptz(3) NOT NULL DEFAULT now(),
  deliveries jsonb NOT NULL DEFAULT '[]', -- the last ones, newest first
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (client_id, id)
) WITH (fillfactor = 50); -- every webhook updates the row in place
-- Partners manage their endpoints on our pages. INSERT of all columns: Citus names those with a default too.
GRANT SELECT (client_id, id, url, secrets, status, failures, failing_since, next_attempt_at, deliveries, created_at), INSERT,
  UPDATE (secrets, status, failures, failing_since, next_attempt_at), DELETE ON oauth.webhooks TO authorization_server;
GRANT SELECT, UPDATE (status, sent_number, failures, failing_since, next_attempt_at, deliveries) ON oauth.webhooks TO worker;
