-- GET /api/responses?limit=1000&sort=updated_at_asc&starting_after=r1&cursor_time=2026-05-04T03:02:01Z
-- The position of the cursor is known.
-- Paste it into psql, with ids of your own at the end, and read its plan. It changes nothing.
-- Rendered by rendered.test.ts; 'pnpm test rendered -u' renders it again.
BEGIN;
SET LOCAL plan_cache_mode = 'force_generic_plan';
SET LOCAL enable_seqscan = 'off';
SET LOCAL enable_bitmapscan = 'off';
SET LOCAL enable_sort = 'off';
SET LOCAL jit = 'off';
PREPARE page AS
SELECT coalesce((
    SELECT CASE
    WHEN c.status <> 'connected' THEN CASE c.status WHEN 'approved' THEN 'connection_not_exchanged' ELSE 'connection_revoked' END
    WHEN c.disabled THEN 'connection_disabled'
    WHEN client.status <> 'active' THEN 'client_disabled'
    WHEN c.generation <> $3 THEN 'token_superseded'
    WHEN c.scope @> ARRAY['responses:read'] AND true THEN 'allowed'
    WHEN c.scope @> ARRAY['responses:read'] THEN 'plan_lacks_scope' ELSE 'connection_lacks_scope' END
    FROM oauth.connections c JOIN directory.clients client ON client.client_id = c.client_id
    WHERE c.shop_id = $1 AND c.client_id = $4 AND c.id = $2), 'unknown_connection') AS state,
(SELECT stamp::text FROM survey.stamps WHERE shop_id = $1) AS stamp, (EXISTS (SELECT FROM survey.responses WHERE shop_id = $1 AND id = $6)
  OR EXISTS (SELECT FROM survey.deleted_responses WHERE shop_id = $1 AND id = $6)) AS "cursorKnown", NOT EXISTS (
  SELECT FROM survey.responses r WHERE r.shop_id = $1 AND (r.updated_at, r.id) > ($5::timestamptz, $6)
  ORDER BY r.updated_at, r.id LIMIT 1) AS "isEmpty";
EXPLAIN (ANALYZE, BUFFERS, COSTS OFF) EXECUTE page ('shop_example', 'conn_example', 1, 'client_example', '2026-05-04T03:02:01.000Z', 'r1');
ROLLBACK;
DEALLOCATE page;
