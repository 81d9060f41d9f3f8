-- An operator names a connection by its id, or all of a partner by the client. Neither is the beginning of another index.
--
-- The shop stands behind both: a statement that names the shop too finds its one row by any of the indexes. On a table without
-- statistics the planner takes any, and by the client alone it would read all connections of the client.
CREATE INDEX CONCURRENTLY IF NOT EXISTS connections_by_client ON oauth.connections (client_id, shop_id);
CREATE INDEX CONCURRENTLY IF NOT EXISTS connections_by_id ON oauth.connections (id, shop_id);
