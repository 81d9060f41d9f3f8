-- GET /api/responses?limit=50&updated_at_min=2026-01-01T00:00:00Z
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
range_size AS MATERIALIZED (
  SELECT count(*) <= 1500 AS is_small FROM (
    SELECT FROM survey.responses r WHERE r.shop_id = $1 AND (r.updated_at, r.id) >= ($8::timestamptz, '')
    ORDER BY r.updated_at DESC, r.id DESC LIMIT 1500 + 1) r),
small_range AS MATERIALIZED (
  SELECT r.inserted_at AS at, r.id FROM survey.responses r WHERE r.shop_id = $1 AND (r.updated_at, r.id) >= ($8::timestamptz, '')
  AND (SELECT is_small FROM range_size)),
bins AS MATERIALIZED (
  WITH RECURSIVE bins AS (
    (
      SELECT date_bin('28 days', r.updated_at, timestamptz '2000-01-03T00:00:00Z') AS bin FROM survey.responses r
      WHERE r.shop_id = $1 AND r.updated_at > r.inserted_at AND date_bin('28 days', r.updated_at, timestamptz '2000-01-03T00:00:00Z') >= $9::timestamptz
      ORDER BY date_bin('28 days', r.updated_at, timestamptz '2000-01-03T00:00:00Z') DESC LIMIT 1)
    UNION ALL
    SELECT r.bin FROM bins, LATERAL (
      SELECT date_bin('28 days', r.updated_at, timestamptz '2000-01-03T00:00:00Z') AS bin FROM survey.responses r
      WHERE r.shop_id = $1 AND r.updated_at > r.inserted_at AND date_bin('28 days', r.updated_at, timestamptz '2000-01-03T00:00:00Z') < bins.bin AND date_bin('28 days', r.updated_at, timestamptz '2000-01-03T00:00:00Z') >= $9::timestamptz
      ORDER BY date_bin('28 days', r.updated_at, timestamptz '2000-01-03T00:00:00Z') DESC LIMIT 1) r)
  SELECT list, inside, least($5, 2 * $5 / greatest(1, cardinality(inside)) + 1) AS probe_limit
  FROM (
    SELECT list, array(SELECT bin FROM unnest(list) AS bin WHERE bin NOT IN ($9::timestamptz)) AS inside
    FROM (SELECT CASE WHEN (SELECT is_small FROM range_size) THEN '{}' ELSE array(TABLE bins) END AS list) bins) bins),
unchanged AS MATERIALIZED (
  SELECT r.at, r.id FROM LATERAL (
    SELECT r.inserted_at AS at, r.id FROM survey.responses r WHERE r.shop_id = $1 AND r.updated_at = r.inserted_at AND (r.inserted_at, r.id) >= ($7::timestamptz, '')
    ORDER BY at DESC, r.id DESC LIMIT $5) r
  WHERE NOT (SELECT is_small FROM range_size)),
page_end AS MATERIALIZED (
  SELECT coalesce(r.at, '-infinity') AS at, coalesce(r.id, '') AS id
  FROM (SELECT) one LEFT JOIN (
    SELECT at, id FROM (
      TABLE unchanged
      UNION ALL
      SELECT r.at, r.id FROM bins, unnest(bins.inside) AS bin, LATERAL (
        SELECT r.inserted_at AS at, r.id FROM survey.responses r WHERE r.shop_id = $1 AND r.updated_at > r.inserted_at
        AND date_bin('28 days', r.updated_at, timestamptz '2000-01-03T00:00:00Z') = bin AND r.updated_at >= $6::timestamptz
        ORDER BY at DESC, r.id DESC LIMIT bins.probe_limit) r) r
    ORDER BY at DESC, r.id DESC OFFSET $5 - 1 LIMIT 1) r ON true)
SELECT state, (false)::text AS cursor_known, (false)::text AS has_previous, count::text AS count, records
FROM caller CROSS JOIN (
  SELECT count(*) AS count, string_agg(doc, E',\n') AS records FROM (
    SELECT (SELECT doc FROM survey.responses WHERE shop_id = $1 AND id = r.id) AS doc
    FROM (
      SELECT at, id FROM (
        SELECT r.at, r.id FROM small_range r WHERE true
        UNION ALL
        TABLE unchanged
        UNION ALL
        SELECT r.at, r.id FROM bins, page_end, unnest(bins.list) AS bin, LATERAL (
          SELECT r.inserted_at AS at, r.id FROM survey.responses r WHERE r.shop_id = $1 AND r.updated_at > r.inserted_at
          AND date_bin('28 days', r.updated_at, timestamptz '2000-01-03T00:00:00Z') = bin AND r.updated_at >= $6::timestamptz AND (r.inserted_at, r.id) >= (page_end.at, page_end.id)
          ORDER BY at DESC, r.id DESC LIMIT $5) r) r
      ORDER BY at DESC, r.id DESC LIMIT $5) r) record
  WHERE (SELECT state FROM caller) = 'allowed') page;
EXPLAIN (ANALYZE, BUFFERS, COSTS OFF) EXECUTE page ('shop_example', 'conn_example', 1, 'client_example', 51, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', '2025-12-29T00:00:00.000Z');
ROLLBACK;
DEALLOCATE page;
