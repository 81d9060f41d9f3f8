WITH caller AS MATERIALIZED (SELECT coalesce((
      SELECT CASE WHEN revoked_at IS NOT NULL THEN 'revoked_api_key' WHEN true THEN 'allowed' ELSE 'plan_lacks_scope' END
      FROM directory.api_keys WHERE id = $2 AND shop_id = $1), 'unknown_api_key') AS state)
SELECT state, (false)::text AS cursor_known, (false)::text AS has_previous, chunk, count, records
FROM caller LEFT JOIN (
  SELECT '0' AS chunk, count(*)::text AS count, string_agg(doc, E',\n') AS records FROM (
SELECT doc FROM (
(SELECT r.inserted_at AS at, r.id, r.doc FROM survey.responses r
WHERE r.shop_id = $1 AND r.updated_at = r.inserted_at
ORDER BY r.inserted_at DESC, r.id DESC LIMIT $3)
UNION ALL
(SELECT r.inserted_at AS at, r.id, r.doc FROM survey.responses r
WHERE r.shop_id = $1 AND r.updated_at > r.inserted_at
ORDER BY r.inserted_at DESC, r.id DESC LIMIT $3)) r
ORDER BY at DESC, r.id DESC LIMIT $3) record
  WHERE (SELECT state FROM caller) = 'allowed') page ON true
