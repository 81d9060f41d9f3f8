-- An operator names a connection by its id, or all of a partner by the client. Neither is the beginning of another index.
--
-- For operators' statements alone: they say `generation > 0`, which is so of every row. Else the planner would take these for the services'
-- statements, which name client and shop, on a table that has no statistics yet.
CREATE INDEX CONCURRENTLY IF NOT EXISTS connections_by_client ON oauth.connections (client_id, shop_id) WHERE generation > 0;
CREATE INDEX CONCURRENTLY IF NOT EXISTS connections_by_id ON oauth.connections (id) WHERE generation > 0;
