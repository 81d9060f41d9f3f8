-- GET /api/responses?limit=50&sort=updated_at_asc&updated_at_min=2026-01-01T00:00:00Z&starting_after=r1&cursor_time=2026-05-04T03:02:01Z
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
WITH RECURSIVE
position AS MATERIALIZED (
  SELECT $8::timestamptz AS at, $7::text AS id, false AS is_listed
  WHERE EXISTS (SELECT FROM survey.responses WHERE shop_id = $1 AND id = $7)
  OR EXISTS (SELECT FROM survey.deleted_responses WHERE shop_id = $1 AND id = $7)),
caller AS MATERIALIZED (SELECT coalesce((
      SELECT CASE
      WHEN c.status <> 'connected' THEN CASE c.status WHEN 'approved' THEN 'connection_not_exchanged' ELSE 'connection_revoked' END
      WHEN c.disabled THEN 'connection_disabled'
      WHEN client.status <> 'active' THEN 'client_disabled'
      WHEN c.generation <> $3 THEN 'token_superseded'
      WHEN c.scope @> ARRAY['responses:read'] AND true THEN 'allowed'
      WHEN c.scope @> ARRAY['responses:read'] THEN 'plan_lacks_scope' ELSE 'connection_lacks_scope' END
      FROM oauth.connections c JOIN directory.clients client ON client.client_id = c.client_id
      WHERE c.shop_id = $1 AND c.client_id = $4 AND c.id = $2), 'unknown_connection') AS state),
start AS MATERIALIZED (
  SELECT CASE WHEN (at, id) > ($6::timestamptz, '') THEN at ELSE $6::timestamptz END AS at,
  CASE WHEN (at, id) > ($6::timestamptz, '') THEN id ELSE '' END AS id
  FROM position)
SELECT state, (state = 'allowed' AND is_listed IS NOT NULL)::text AS cursor_known, (CASE
  WHEN state <> 'allowed' OR is_listed IS NULL THEN false
  WHEN is_listed THEN true
  ELSE EXISTS (
    SELECT FROM position, LATERAL (
      SELECT FROM survey.responses r
      WHERE r.shop_id = $1 AND (r.updated_at, r.id) > ($6::timestamptz, '') AND (r.updated_at, r.id) <= (position.at, position.id)
      ORDER BY r.updated_at DESC, r.id DESC LIMIT 1) r) END)::text AS has_previous, count::text AS count, records
FROM caller LEFT JOIN position ON true CROSS JOIN (
  SELECT count(*) AS count, string_agg(doc, E',\n') AS records FROM (
    SELECT r.doc FROM start, LATERAL (
      SELECT r.doc FROM survey.responses r
      WHERE r.shop_id = $1 AND (r.updated_at, r.id) > (start.at, start.id)
      ORDER BY r.updated_at ASC, r.id ASC LIMIT $5) r) record
  WHERE (SELECT state FROM caller) = 'allowed') page;
EXPLAIN (ANALYZE, BUFFERS, COSTS OFF) EXECUTE page ('shop_example', 'conn_example', 1, 'client_example', 51, '2026-01-01T00:00:00.000Z', 'r1', '2026-05-04T03:02:01.000Z');
ROLLBACK;
DEALLOCATE page;
