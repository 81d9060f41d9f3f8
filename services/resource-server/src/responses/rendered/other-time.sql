-- GET /api/responses?limit=50&updated_at_min=2026-01-01T00:00:00Z&ending_before=r1
-- Paste it into psql, with ids of your own at the end, and read its plan. It changes nothing.
-- Rendered by rendered.test.ts; 'pnpm test rendered -u' renders it again.
BEGIN;
SET LOCAL plan_cache_mode = 'force_generic_plan';
SET LOCAL enable_seqscan = 'off';
SET LOCAL enable_bitmapscan = 'off';
SET LOCAL enable_sort = 'off';
SET LOCAL jit = 'off';
PREPARE page AS
WITH position AS MATERIALIZED (
  SELECT r.inserted_at AS at, r.id FROM survey.responses r WHERE r.shop_id = $1 AND r.id = $8
  UNION ALL
  SELECT d.inserted_at, d.id FROM survey.deleted_responses d WHERE d.shop_id = $1 AND d.id = $8
  AND NOT EXISTS (SELECT FROM survey.responses r WHERE r.shop_id = $1 AND r.id = $8)),
caller AS MATERIALIZED (SELECT coalesce((
      SELECT CASE
      WHEN c.status <> 'connected' THEN CASE c.status WHEN 'approved' THEN 'connection_not_exchanged' ELSE 'connection_revoked' END
      WHEN c.disabled THEN 'connection_disabled'
      WHEN client.status <> 'active' THEN 'client_disabled'
      WHEN c.generation <> $3 THEN 'token_superseded'
      WHEN c.scope @> ARRAY['responses:read'] AND true THEN 'allowed'
      WHEN c.scope @> ARRAY['responses:read'] THEN 'plan_lacks_scope' ELSE 'connection_lacks_scope' END
      FROM oauth.connections c JOIN directory.clients client ON client.client_id = c.client_id
      WHERE c.shop_id = $1 AND c.client_id = $4 AND c.id = $2), 'unknown_connection') AS state)
SELECT state, (state = 'allowed' AND position.id IS NOT NULL)::text AS cursor_known, (state = 'allowed' AND EXISTS (
    (SELECT FROM survey.responses r
      WHERE r.shop_id = $1 AND r.updated_at = r.inserted_at AND (r.inserted_at, r.id) > ($7::timestamptz, '') AND (r.inserted_at, r.id) <= (SELECT at, id FROM position)
      ORDER BY r.inserted_at DESC, r.id DESC LIMIT 1)
    UNION ALL
    (SELECT FROM survey.responses r
      WHERE r.shop_id = $1 AND r.updated_at > r.inserted_at AND r.updated_at >= $6::timestamptz AND (r.inserted_at, r.id) <= (SELECT at, id FROM position)
      ORDER BY r.inserted_at DESC, r.id DESC LIMIT 1)))::text AS has_previous, chunk, count, records
FROM caller LEFT JOIN position ON true LEFT JOIN (
  SELECT '0' AS chunk, count(*)::text AS count, string_agg(doc, E',\n') AS records FROM (
    SELECT doc FROM (
      (SELECT r.inserted_at AS at, r.id, r.doc FROM survey.responses r
        WHERE r.shop_id = $1 AND r.updated_at = r.inserted_at AND (r.inserted_at, r.id) > (SELECT CASE WHEN (at, id) > ($7::timestamptz, '') THEN at ELSE $7::timestamptz END, CASE WHEN (at, id) > ($7::timestamptz, '') THEN id ELSE '' END FROM position)
        ORDER BY r.inserted_at ASC, r.id ASC LIMIT $5)
      UNION ALL
      SELECT r.at, r.id, (SELECT doc FROM survey.responses WHERE shop_id = $1 AND id = r.id) FROM (SELECT r.inserted_at AS at, r.id FROM survey.responses r
        WHERE r.shop_id = $1 AND r.updated_at > r.inserted_at AND r.updated_at >= $6::timestamptz AND (r.inserted_at, r.id) > (SELECT at, id FROM position)
        ORDER BY r.inserted_at ASC, r.id ASC LIMIT $5) r) r
    ORDER BY at ASC, r.id ASC LIMIT $5) record
  WHERE (SELECT state FROM caller) = 'allowed') page ON true;
EXPLAIN (ANALYZE, BUFFERS, COSTS OFF) EXECUTE page ('shop_example', 'conn_example', 1, 'client_example', 51, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', 'r1');
ROLLBACK;
DEALLOCATE page;
