WITH position AS MATERIALIZED (
SELECT $5::timestamptz AS at, r.id FROM survey.responses r WHERE r.shop_id = $1 AND r.id = $4
UNION ALL
SELECT $5::timestamptz, d.id FROM survey.deleted_responses d WHERE d.shop_id = $1 AND d.id = $4 AND NOT d.is_hidden
AND NOT EXISTS (SELECT FROM survey.responses r WHERE r.shop_id = $1 AND r.id = $4)),
caller AS MATERIALIZED (SELECT coalesce((
      SELECT CASE WHEN revoked_at IS NOT NULL THEN 'revoked_api_key' WHEN true THEN 'allowed' ELSE 'plan_lacks_scope' END
      FROM directory.api_keys WHERE id = $2 AND shop_id = $1), 'unknown_api_key') AS state)
SELECT state, (state = 'allowed' AND position.id IS NOT NULL)::text AS cursor_known, (state = 'allowed' AND EXISTS (
(SELECT FROM survey.responses r
WHERE r.shop_id = $1 AND r.updated_at = r.inserted_at AND (r.inserted_at, r.id) >= (SELECT at, id FROM position)
ORDER BY r.inserted_at ASC, r.id ASC LIMIT 1)
UNION ALL
(SELECT FROM survey.responses r
WHERE r.shop_id = $1 AND r.updated_at > r.inserted_at AND (r.inserted_at, r.id) >= (SELECT at, id FROM position)
ORDER BY r.inserted_at ASC, r.id ASC LIMIT 1)))::text AS has_previous, chunk, count, records
FROM caller LEFT JOIN position ON true LEFT JOIN (
  SELECT '0' AS chunk, count(*)::text AS count, string_agg(doc, E',\n') AS records FROM (
SELECT doc FROM (
(SELECT r.inserted_at AS at, r.id, r.doc FROM survey.responses r
WHERE r.shop_id = $1 AND r.updated_at = r.inserted_at AND (r.inserted_at, r.id) < (SELECT at, id FROM position)
ORDER BY r.inserted_at DESC, r.id DESC LIMIT $3)
UNION ALL
(SELECT r.inserted_at AS at, r.id, r.doc FROM survey.responses r
WHERE r.shop_id = $1 AND r.updated_at > r.inserted_at AND (r.inserted_at, r.id) < (SELECT at, id FROM position)
ORDER BY r.inserted_at DESC, r.id DESC LIMIT $3)) r
ORDER BY at DESC, r.id DESC LIMIT $3) record
  WHERE (SELECT state FROM caller) = 'allowed') page ON true
