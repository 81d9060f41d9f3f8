-- Who is connected: one row for each client × shop, and an append-only record of what happened to it.
CREATE SCHEMA oauth;

CREATE TABLE oauth.connections (
  shop_id text COLLATE "C" NOT NULL REFERENCES directory.shops,
  client_id text COLLATE "C" NOT NULL REFERENCES directory.clients,
  id text COLLATE "C" NOT NULL DEFAULT 'con_' || replace(uuidv7()::text, '-', ''),
  -- 'approved': a first approval whose code was not exchanged; not a connection yet, and not listed.
  status text NOT NULL CHECK (status IN ('approved', 'connected', 'revoked')),
  disabled boolean NOT NULL DEFAULT false, -- an operator's hold, over whatever the status is
  -- The one grant whose code and refresh token are honoured. Each approval sets a new one.
  grant_id text COLLATE "C" NOT NULL,
  scope text[] NOT NULL,
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
);

-- Append-only: the services' roles may insert and nothing else, and a trigger refuses changes to everybody.
CREATE TABLE oauth.audit_log (
  id text COLLATE "C" NOT NULL DEFAULT 'aud_' || replace(uuidv7()::text, '-', ''),
  shop_id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  connection_id text COLLATE "C",
  at timestamptz(3) NOT NULL DEFAULT now(),
  event text NOT NULL,
  actor text NOT NULL, -- 'merchant:<id>', 'client:<id>' or 'operator:<name>'
  ip inet,
  request_id text,
  details jsonb NOT NULL DEFAULT '{}',
  PRIMARY KEY (shop_id, id)
);
CREATE INDEX audit_log_by_connection ON oauth.audit_log (shop_id, connection_id, id);

CREATE FUNCTION oauth.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'oauth.audit_log is append-only';
END
$$;
CREATE TRIGGER audit_log_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON oauth.audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION oauth.refuse_change();

GRANT USAGE ON SCHEMA oauth TO authorization_server, resource_server;
GRANT SELECT, INSERT, UPDATE ON oauth.connections TO authorization_server;
GRANT INSERT ON oauth.audit_log TO authorization_server;
GRANT SELECT (shop_id, client_id, id, status, disabled, scope, generation) ON oauth.connections TO resource_server;
