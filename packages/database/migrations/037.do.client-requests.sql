-- Changes of a client that its partner asks for. An operator approves or declines each; nothing of the client changes before.
CREATE TABLE directory.client_requests (
  id text COLLATE "C" PRIMARY KEY DEFAULT 'req_' || replace(uuidv7()::text, '-', ''),
  client_id text COLLATE "C" NOT NULL REFERENCES directory.clients,
  asked_by text COLLATE "C" NOT NULL REFERENCES directory.merchants,
  changes jsonb NOT NULL, -- packages/directory, client-requests/requested-changes.ts
  logo bytea CHECK (octet_length(logo) <= 64 * 1024), -- as it was given, and undecoded; null once it is decided
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'approved', 'declined')),
  reason text, -- why it was declined
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  decided_at timestamptz(3)
);
CREATE INDEX client_requests_by_client ON directory.client_requests (client_id, created_at);
CREATE INDEX client_requests_open ON directory.client_requests (created_at) WHERE status = 'open';

-- Partners make and end secrets of their own. The hour in which a secret was last used; null: not since this was kept.
ALTER TABLE directory.client_secrets ADD COLUMN last_used_at timestamptz(0);

-- What was asked can't be changed by a service: an operator approves what was shown.
GRANT SELECT, DELETE, INSERT ON directory.client_requests TO authorization_server;
GRANT INSERT, DELETE, UPDATE (expires_at, last_used_at) ON directory.client_secrets TO authorization_server;
-- Who locks a row needs a right to change something of it. This decides nothing.
GRANT UPDATE (created_at) ON directory.clients TO authorization_server;

-- On a cluster, on every node, as the clients are.
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') THEN
    EXECUTE $sql$
      SELECT create_reference_table('directory.client_requests')
      WHERE EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = 'directory.clients'::regclass)$sql$;
  END IF;
END
$$;
