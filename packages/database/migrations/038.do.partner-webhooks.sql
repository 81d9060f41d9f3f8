-- Partners see their endpoints with the last deliveries, and ask for a test or the last hint again. The secrets stay unread.
GRANT SELECT (url, created_at, failing_since, asked, hint, deliveries), UPDATE (asked) ON oauth.webhooks TO authorization_server;
