-- A client's list of its connections, and what ends all of them, are in the order of their ids. As in 020, statements say `generation > 0`.
--
-- The former release ends all connections of a client in the order of shops, by connections_by_client. A later migration drops that index.
CREATE INDEX CONCURRENTLY IF NOT EXISTS connections_of_client ON oauth.connections (client_id, id) WHERE generation > 0;
