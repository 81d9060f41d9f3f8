-- GET /api/responses?limit=50&sort=updated_at_desc&inserted_at_max=2026-06-30T00:00:00Z&starting_after=r1
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
  SELECT r.updated_at AS at, r.id, coalesce(true AND r.inserted_at <= $6::timestamptz, false) AS is_listed
  FROM survey.responses r WHERE r.shop_id = $1 AND r.id = $10
  UNION ALL
  SELECT d.updated_at, d.id, false FROM survey.deleted_responses d
  WHERE d.shop_id = $1 AND d.id = $10
  AND NOT EXISTS (SELECT FROM survey.responses r WHERE r.shop_id = d.shop_id AND r.id = d.id)),
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
  SELECT at AS at,
  id AS id,
  CASE WHEN (at, id) < ($7::timestamptz, '') THEN at ELSE $7::timestamptz END AS unchanged_at,
  CASE WHEN (at, id) < ($7::timestamptz, '') THEN id ELSE '' END AS unchanged_id
  FROM position),
range_size AS MATERIALIZED (
  SELECT count(*) <= 1500 AS is_small FROM (
    SELECT FROM survey.responses r WHERE r.shop_id = $1 AND (r.inserted_at, r.id) < ($8::timestamptz, '')
    ORDER BY r.inserted_at DESC, r.id DESC LIMIT 1500 + 1) r),
small_range AS MATERIALIZED (
  SELECT r.updated_at AS at, r.id FROM survey.responses r WHERE r.shop_id = $1 AND (r.inserted_at, r.id) < ($8::timestamptz, '')
  AND (SELECT is_small FROM range_size)),
bins AS MATERIALIZED (
  WITH RECURSIVE bins AS (
    (
      SELECT date_bin('28 days', r.inserted_at, timestamptz '2000-01-03T00:00:00Z') AS bin FROM survey.responses r
      WHERE r.shop_id = $1 AND r.updated_at > r.inserted_at AND date_bin('28 days', r.inserted_at, timestamptz '2000-01-03T00:00:00Z') <= $9::timestamptz
      ORDER BY date_bin('28 days', r.inserted_at, timestamptz '2000-01-03T00:00:00Z') DESC LIMIT 1)
    UNION ALL
    SELECT r.bin FROM bins, LATERAL (
      SELECT date_bin('28 days', r.inserted_at, timestamptz '2000-01-03T00:00:00Z') AS bin FROM survey.responses r
      WHERE r.shop_id = $1 AND r.updated_at > r.inserted_at AND date_bin('28 days', r.inserted_at, timestamptz '2000-01-03T00:00:00Z') < bins.bin
      ORDER BY date_bin('28 days', r.inserted_at, timestamptz '2000-01-03T00:00:00Z') DESC LIMIT 1) r)
  SELECT list, inside, least($5, 2 * $5 / greatest(1, cardinality(inside)) + 1) AS probe_limit
  FROM (
    SELECT list, array(SELECT bin FROM unnest(list) AS bin WHERE bin NOT IN ($9::timestamptz)) AS inside
    FROM (SELECT CASE WHEN (SELECT is_small FROM range_size) THEN '{}' ELSE array(TABLE bins) END AS list) bins) bins),
unchanged AS MATERIALIZED (
  SELECT r.at, r.id FROM start, LATERAL (
    SELECT r.inserted_at AS at, r.id FROM survey.responses r WHERE r.shop_id = $1 AND r.updated_at = r.inserted_at AND (r.inserted_at, r.id) < (start.unchanged_at, start.unchanged_id)
    ORDER BY at DESC, r.id DESC LIMIT $5) r
  WHERE NOT (SELECT is_small FROM range_size)),
page_end AS MATERIALIZED (
  SELECT coalesce(r.at, '-infinity') AS at, coalesce(r.id, '') AS id
  FROM (SELECT) one LEFT JOIN (
    SELECT at, id FROM (
      TABLE unchanged
      UNION ALL
      SELECT r.at, r.id FROM start, bins, unnest(bins.inside) AS bin, LATERAL (
        SELECT r.updated_at AS at, r.id FROM survey.responses r WHERE r.shop_id = $1 AND r.updated_at > r.inserted_at
        AND date_bin('28 days', r.inserted_at, timestamptz '2000-01-03T00:00:00Z') = bin AND r.inserted_at <= $6::timestamptz AND (r.updated_at, r.id) < (start.at, start.id)
        ORDER BY at DESC, r.id DESC LIMIT bins.probe_limit) r) r
    ORDER BY at DESC, r.id DESC OFFSET $5 - 1 LIMIT 1) r ON true)
SELECT state, (state = 'allowed' AND is_listed IS NOT NULL)::text AS cursor_known, (CASE
  WHEN state <> 'allowed' OR is_listed IS NULL THEN false
  WHEN is_listed THEN true
  ELSE EXISTS (
    SELECT FROM position, small_range r WHERE true AND (r.at, r.id) >= (position.at, position.id)
    UNION ALL
    SELECT FROM position, LATERAL (
      SELECT FROM survey.responses r WHERE r.shop_id = $1 AND r.updated_at = r.inserted_at AND (r.inserted_at, r.id) < ($7::timestamptz, '') AND (r.inserted_at, r.id) >= (position.at, position.id)
      AND NOT (SELECT is_small FROM range_size)
      ORDER BY r.inserted_at ASC, r.id ASC LIMIT 1) r
    UNION ALL
    SELECT FROM position, bins, unnest(bins.list) AS bin, LATERAL (
      SELECT FROM survey.responses r WHERE r.shop_id = $1 AND r.updated_at > r.inserted_at
      AND date_bin('28 days', r.inserted_at, timestamptz '2000-01-03T00:00:00Z') = bin AND r.inserted_at <= $6::timestamptz AND (r.updated_at, r.id) >= (position.at, position.id)
      ORDER BY r.updated_at ASC, r.id ASC LIMIT 1) r) END)::text AS has_previous, count::text AS count, records
FROM caller LEFT JOIN position ON true CROSS JOIN (
  SELECT count(*) AS count, string_agg(doc, E',\n') AS records FROM (
    SELECT (SELECT doc FROM survey.responses WHERE shop_id = $1 AND id = r.id) AS doc
    FROM (
      SELECT at, id FROM (
        SELECT r.at, r.id FROM start, small_range r WHERE true AND (r.at, r.id) < (start.at, start.id)
        UNION ALL
        TABLE unchanged
        UNION ALL
        SELECT r.at, r.id FROM start, bins, page_end, unnest(bins.list) AS bin, LATERAL (
          SELECT r.updated_at AS at, r.id FROM survey.responses r WHERE r.shop_id = $1 AND r.updated_at > r.inserted_at
          AND date_bin('28 days', r.inserted_at, timestamptz '2000-01-03T00:00:00Z') = bin AND r.inserted_at <= $6::timestamptz AND (r.updated_at, r.id) < (start.at, start.id) AND (r.updated_at, r.id) >= (page_end.at, page_end.id)
          ORDER BY at DESC, r.id DESC LIMIT $5) r) r
      ORDER BY at DESC, r.id DESC LIMIT $5) r) record
  WHERE (SELECT state FROM caller) = 'allowed') page;
EXPLAIN (ANALYZE, BUFFERS, COSTS OFF) EXECUTE page ('shop_example', 'conn_example', 1, 'client_example', 51, '2026-06-30T00:00:00.000Z', '2026-06-30T00:00:00.001Z', '2026-06-30T00:00:00.001Z', '2026-06-15T00:00:00.000Z', 'r1');
ROLLBACK;
DEALLOCATE page;
