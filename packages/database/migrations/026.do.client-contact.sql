-- The email address that merchants ask to delete what an app has read. Null: the operator gave none.
ALTER TABLE directory.clients ADD COLUMN contact text;

-- What happened, on merchants' pages: of shops without addresses of networks and requests, of accounts without details.
GRANT SELECT (id, shop_id, connection_id, client_id, merchant_id, at, event, actor, details) ON oauth.audit_log TO authorization_server;
GRANT SELECT (id, merchant_id, at, event, actor, ip) ON directory.audit_log TO authorization_server;
