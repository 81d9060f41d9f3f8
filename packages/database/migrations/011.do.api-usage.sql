-- What each caller (a connection or an API key) did with the API, by the hour: for merchants, who see what an app read, and for
-- operators. Counted in the resource servers' memory and added here now and then, so the last moments of a killed process are missing.
CREATE TABLE oauth.api_usage (
  shop_id text COLLATE "C" NOT NULL,
  caller_id text COLLATE "C" NOT NULL, -- con_… or key_…
  hour timestamptz(0) NOT NULL, -- its beginning
  calls bigint NOT NULL,
  records bigint NOT NULL, -- sent in answers
  refused bigint NOT NULL, -- of the calls: answered 4xx
  failed bigint NOT NULL, -- of the calls: answered 5xx
  PRIMARY KEY (shop_id, caller_id, hour)
) PARTITION BY RANGE (hour);
CREATE TABLE oauth.api_usage_default PARTITION OF oauth.api_usage DEFAULT;

GRANT SELECT, INSERT, UPDATE ON oauth.api_usage TO resource_server;
GRANT SELECT ON oauth.api_usage TO authorization_server;
