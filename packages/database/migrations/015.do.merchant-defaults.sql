-- An account by an invitation. On a cluster an INSERT names the columns of all defaults, so the role must be allowed those too.
GRANT INSERT (id, created_at, status, session_epoch) ON directory.merchants TO authorization_server;
