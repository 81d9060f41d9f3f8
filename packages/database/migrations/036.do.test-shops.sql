-- Shops of made-up responses, for a client's partner to try a sync on: at most five a client. 'partner-connect shop run-tests' fills and
-- changes them, and erases those that have ended.
CREATE TABLE directory.test_shops (
  client_id text COLLATE "C" NOT NULL REFERENCES directory.clients,
  slot smallint NOT NULL CHECK (slot BETWEEN 1 AND 5),
  shop_id text COLLATE "C" NOT NULL UNIQUE REFERENCES directory.shops,
  steps integer NOT NULL DEFAULT 0, -- how often it was filled or changed
  next_step_at timestamptz(3) NOT NULL DEFAULT now(),
  ended_at timestamptz(3), -- the partner wants it no more
  PRIMARY KEY (client_id, slot)
);
GRANT SELECT, INSERT, UPDATE (ended_at, next_step_at) ON directory.test_shops TO authorization_server;
-- Also what is left to its default: Citus sends it to the other nodes as values.
GRANT INSERT (id, name, domain, plan, created_at) ON directory.shops TO authorization_server;

-- On a cluster, beside the other tables of who exists.
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') THEN
    EXECUTE $sql$
      SELECT create_reference_table('directory.test_shops')
      WHERE EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = 'directory.shops'::regclass AND partmethod = 'n')$sql$;
  END IF;
END
$$;
