-- Examples of what was refused a client lately, for the partner who asks why: words of ours and ids, nothing of what the caller sent. How many
-- there were is in client_activity. Of each reason the newest 200 (packages/connections, activity/) of 7 days (purge).
CREATE TABLE oauth.client_refusals (
  client_id text COLLATE "C" NOT NULL,
  what text COLLATE "C" NOT NULL, -- as in client_activity
  reason text COLLATE "C" NOT NULL,
  at timestamptz(3) NOT NULL,
  request_id text COLLATE "C" NOT NULL, -- of a batch there is a row for each reason
  call text NOT NULL, -- 'GET /api/responses': the route's own path
  status smallint NOT NULL,
  error text, -- of the answer; none: it was a page
  param text,
  connection_id text COLLATE "C",
  PRIMARY KEY (client_id, what, reason, at, request_id)
);
GRANT SELECT, INSERT, DELETE ON oauth.client_refusals TO authorization_server;
GRANT SELECT (client_id, what, reason, at, request_id), INSERT, DELETE ON oauth.client_refusals TO resource_server;

-- On a cluster whose tables are distributed it is whole on every node, as client_activity is.
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') THEN
    EXECUTE $sql$
      SELECT create_reference_table('oauth.client_refusals')
      WHERE EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = 'directory.merchants'::regclass)$sql$;
  END IF;
END
$$;
