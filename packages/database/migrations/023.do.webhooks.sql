-- Where a client's hints go: "your feed has moved". One row is an endpoint, its state and its lease; there is no queue. A hint that was lost,
-- doubled or disordered does no harm, as the feed tells everything. No secret is here: each is derived from a key file (packages/webhooks, signing/).
CREATE TABLE oauth.webhooks (
  client_id text COLLATE "C" NOT NULL REFERENCES directory.clients ON DELETE CASCADE,
  id text COLLATE "C" NOT NULL DEFAULT 'whk_' || replace(uuidv7()::text, '-', ''),
  url text NOT NULL,
  secrets jsonb NOT NULL, -- [{key_id, salt, expires_at}], the newest first, two at most
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'paused')),
  sent_number bigint NOT NULL, -- the feed's number that the last delivered hint told; where the feed has another one, a hint is due
  hint jsonb, -- {id, number, kinds} of the last hint, delivered or not; a repeat is the same
  asked jsonb, -- {id, kinds}: an operator's, to be sent once whatever the status
  failures integer NOT NULL DEFAULT 0, -- in a row
  failing_since timestamptz(3),
  next_attempt_at timestamptz(3) NOT NULL DEFAULT now(), -- of a hint, not before
  claimed_until timestamptz(3), -- a process sends until then
  deliveries jsonb NOT NULL DEFAULT '[]', -- the last ones, the newest first
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (client_id, id)
) WITH (fillfactor = 50); -- an update of each hint finds room on its page

GRANT SELECT, UPDATE (status, sent_number, hint, asked, failures, failing_since, next_attempt_at, claimed_until, deliveries)
  ON oauth.webhooks TO notifier;
GRANT SELECT (status) ON directory.clients TO notifier; -- a disabled client gets no hints
GRANT SELECT (client_id, id, status) ON oauth.webhooks TO authorization_server; -- what the feed says of kind 'webhook'

-- On a cluster whose tables are distributed, beside the feeds.
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') THEN
    EXECUTE $sql$
      SELECT create_distributed_table('oauth.webhooks', 'client_id', colocate_with => 'oauth.changes')
      WHERE EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = 'oauth.changes'::regclass AND partmethod = 'h')$sql$;
  END IF;
END
$$;
