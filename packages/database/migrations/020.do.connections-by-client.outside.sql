-- An operator names a connection by its id, or all of a partner by the client. Neither is the beginning of another index.
CREATE INDEX CONCURRENTLY IF NOT EXISTS connections_by_client ON oauth.connections (client_id, id);
CREATE INDEX CONCURRENTLY IF NOT EXISTS connections_by_id ON oauth.connections (id);
