-- Connections, one row per client and shop, and what callers did with the API.
CREATE SCHEMA oauth;
GRANT USAGE ON SCHEMA oauth TO authorization_server, resource_server, worker, back_office;

CREATE TABLE oauth.connections (
  shop_id text COLLATE "C" NOT NULL REFERENCES directory.shops,
  client_id text COLLATE "C" NOT NULL REFERENCES directory.clients,
  id text COLLATE "C" NOT NULL DEFAULT 'con_' || replace(uuidv7()::text, '-', ''),
  -- 'approved': the first approval, or the first after a revocation, whose code was not exchanged yet.
  status text NOT NULL CHECK (status IN ('approved', 'connected', 'revoked')),
  disabled boolean NOT NULL DEFAULT false, -- an operator's hold, whatever the status is
  -- The only grant whose code and refresh token are accepted. Each approval sets a new one.
  grant_id text COLLATE "C" NOT NULL,
  scope text[] NOT NULL,
  redirect_uri text, -- of the current grant, as registered
  merchant_id text COLLATE "C" NOT NULL REFERENCES directory.merchants, -- who approved last
  -- Access tokens carry the generation they were issued in; a revocation or a disable starts a new one.
  generation integer NOT NULL DEFAULT 1,
  refresh_token_hash bytea, -- SHA-256; null until the current grant's code is exchanged
  connected_at timestamptz(3), -- first exchange
  approved_at timestamptz(3) NOT NULL DEFAULT now(), -- of the current grant
  exchanged_at timestamptz(3), -- when the current grant's code was redeemed
  last_used_at timestamptz(3), -- of the current refresh token, coarse: see packages/connections
  PRIMARY KEY (shop_id, client_id),
  UNIQUE (shop_id, id)
) WITH (fillfactor = 85); -- a refresh updates last_used_at hourly: with free space on the page, as a HOT update
-- For statements that name no shop.
CREATE INDEX connections_by_id ON oauth.connections (id);
CREATE INDEX connections_of_client ON oauth.connections (client_id, id);
GRANT SELECT, INSERT, UPDATE ON oauth.connections TO authorization_server;
GRANT SELECT (shop_id, client_id, id, status, disabled, scope, generation, connected_at, exchanged_at, last_used_at)
  ON oauth.connections TO resource_server;
GRANT SELECT (shop_id, client_id, id, status) ON oauth.connections TO worker;
GRANT SELECT, UPDATE (status, generation), DELETE ON oauth.connections TO back_office;

-- Connections of erased shops, kept for 400 days so that their clients learn of the end. Without names, and without test shops.
CREATE TABLE oauth.ended_connections (
  shop_id text COLLATE "C" NOT NULL, -- a shop that is made again under this id is a new one
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL REFERENCES directory.clients ON DELETE CASCADE,
  refresh_token_hash bytea, -- as the connection had it
  ended_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (shop_id, id)
);
CREATE INDEX ended_connections_of_client ON oauth.ended_connections (client_id, id);
GRANT SELECT ON oauth.ended_connections TO authorization_server;
GRANT SELECT, INSERT, DELETE ON oauth.ended_connections TO back_office;

-- Decided authorizations, for a day. The insert decides, in the transaction of the approval: the first one counts.
CREATE TABLE oauth.decisions (
  authorization_hash bytea PRIMARY KEY, -- SHA-256 of the authorization's secret, which only its browser has
  choice_hash bytea NOT NULL, -- keyed hash of what was decided
  decided_at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX decisions_by_time ON oauth.decisions (decided_at);
GRANT SELECT, INSERT, DELETE ON oauth.decisions TO authorization_server;
GRANT SELECT (authorization_hash, decided_at), DELETE ON oauth.decisions TO back_office;

-- Use of the API per caller and hour, shown to merchants and operators. Services count in memory and add their counts every ten seconds, so a killed
-- process loses its last ones. Partitioned by month: packages/audit creates and drops the months.
CREATE TABLE oauth.api_usage (
  shop_id text COLLATE "C" NOT NULL,
  caller_id text COLLATE "C" NOT NULL, -- con_… or key_…
  hour timestamptz(0) NOT NULL, -- its beginning
  calls bigint NOT NULL,
  records bigint NOT NULL, -- sent
  refused bigint NOT NULL, -- calls answered 4xx
  failed bigint NOT NULL, -- calls answered 5xx
  PRIMARY KEY (shop_id, caller_id, hour)
) PARTITION BY RANGE (hour);
CREATE TABLE oauth.api_usage_default PARTITION OF oauth.api_usage DEFAULT;
GRANT SELECT ON oauth.api_usage TO authorization_server;
GRANT SELECT, INSERT, UPDATE ON oauth.api_usage TO resource_server;
GRANT SELECT, DELETE ON oauth.api_usage TO back_office;

-- Activity per client and hour over all its connections, counted like api_usage by both services.
CREATE TABLE oauth.client_activity (
  client_id text COLLATE "C" NOT NULL,
  hour timestamptz(0) NOT NULL, -- its beginning
  what text COLLATE "C" NOT NULL, -- such as 'calls', 'refused', 'refreshes': packages/connections, activity/
  reason text COLLATE "C" NOT NULL, -- why it was refused, limited or failed; else empty
  count bigint NOT NULL,
  PRIMARY KEY (client_id, hour, what, reason)
);
GRANT SELECT, INSERT, UPDATE ON oauth.client_activity TO authorization_server, resource_server;
GRANT SELECT, DELETE ON oauth.client_activity TO back_office;

-- Recent examples of refusals, for the partner who asks why: our own words and ids, and a refused redirect URI. For each reason the newest 200 are kept
-- (packages/connections, activity/), for 7 days (purge).
CREATE TABLE oauth.client_refusals (
  client_id text COLLATE "C" NOT NULL,
  what text COLLATE "C" NOT NULL, -- as in client_activity
  reason text COLLATE "C" NOT NULL,
  at timestamptz(3) NOT NULL,
  request_id text COLLATE "C" NOT NULL, -- a batch has a row per reason
  call text NOT NULL, -- 'GET /api/responses': the route's path
  status smallint NOT NULL,
  error text, -- of the JSON response; null: the response was a page
  param text,
  connection_id text COLLATE "C",
  sent text, -- the refused redirect URI, without what may be secret
  PRIMARY KEY (client_id, what, reason, at, request_id)
);
GRANT SELECT, INSERT, DELETE ON oauth.client_refusals TO authorization_server;
GRANT SELECT (client_id, what, reason, at, request_id), INSERT, DELETE ON oauth.client_refusals TO resource_server;
GRANT SELECT, DELETE ON oauth.client_refusals TO back_office;
