-- The invitations to a client that wait, and those that end with a person or with the client.
CREATE INDEX CONCURRENTLY IF NOT EXISTS merchant_links_by_client ON directory.merchant_links (client_id) WHERE client_id IS NOT NULL;
