-- What each client did, by the hour and over all its connections: for whoever is asked what a partner has seen since nine. Both services
-- count in their memory and add here now and then, so the last moments of a killed process are missing.
CREATE TABLE oauth.client_activity (
  client_id text COLLATE "C" NOT NULL,
  hour timestamptz(0) NOT NULL, -- its beginning
  what text COLLATE "C" NOT NULL, -- such as 'calls', 'refused', 'refreshes': packages/connections, activity/
  reason text COLLATE "C" NOT NULL, -- of what was refused, limited or failed; else empty
  count bigint NOT NULL,
  PRIMARY KEY (client_id, hour, what, reason)
);
GRANT SELECT, INSERT, UPDATE ON oauth.client_activity TO authorization_server, resource_server;
