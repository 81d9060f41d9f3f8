WITH caller AS MATERIALIZED (SELECT coalesce((
    SELECT CASE
      WHEN c.status <> 'connected' THEN CASE c.status WHEN 'approved' THEN 'connection_not_exchanged' ELSE 'connection_revoked' END
      WHEN c.disabled THEN 'connection_disabled'
      WHEN client.status <> 'active' THEN 'client_disabled'
      WHEN c.generation <> $6 THEN 'token_superseded'
      WHEN c.scope @> ARRAY['responses:read'] AND true THEN 'allowed'
      WHEN c.scope @> ARRAY['responses:read'] THEN 'plan_lacks_scope' ELSE 'connection_lacks_scope' END
    FROM oauth.connections c JOIN directory.clients client ON client.client_id = c.client_id
    WHERE c.shop_id = $1 AND c.client_id = $7 AND c.id = $5), 'unknown_connection') AS state),
cursor AS MATERIALIZED (SELECT coalesce(
  (SELECT inserted_at FROM survey.responses WHERE shop_id = $1 AND id = $4),
  (SELECT coalesce(last_inserted_at, inserted_at) FROM survey.deleted_responses WHERE shop_id = $1 AND id = $4 AND NOT is_hidden)) AS key)
SELECT state,
  (state = 'allowed' AND (SELECT key FROM cursor) IS NOT NULL)::text AS cursor_known,
  (state = 'allowed' AND EXISTS ((SELECT FROM survey.responses r
   WHERE r.shop_id = $1 AND r.updated_at = r.inserted_at AND (r.inserted_at, r.id) >= ($3::timestamptz, $4)
   ORDER BY r.inserted_at ASC, r.id ASC LIMIT 1)
  UNION ALL
  (SELECT FROM survey.responses r
   WHERE r.shop_id = $1 AND r.updated_at > r.inserted_at AND (r.inserted_at, r.id) >= ($3::timestamptz, $4)
   ORDER BY r.inserted_at ASC, r.id ASC LIMIT 1)))::text AS has_behind,
  chunk, count, records
FROM caller LEFT JOIN LATERAL (
  SELECT '0' AS chunk, count(*)::text AS count,
    string_agg(doc, E',\n' ORDER BY at DESC, id DESC) AS records
  FROM (
SELECT at, id, doc FROM (
  (SELECT r.inserted_at AS at, r.id, r.doc FROM survey.responses r
   WHERE r.shop_id = $1 AND r.updated_at = r.inserted_at AND (r.inserted_at, r.id) < ($3::timestamptz, $4)
   ORDER BY r.inserted_at DESC, r.id DESC LIMIT $2)
  UNION ALL
  (SELECT r.inserted_at, r.id, r.doc FROM survey.responses r
   WHERE r.shop_id = $1 AND r.updated_at > r.inserted_at AND (r.inserted_at, r.id) < ($3::timestamptz, $4)
   ORDER BY r.inserted_at DESC, r.id DESC LIMIT $2)
) merged ORDER BY at DESC, id DESC LIMIT $2
  ) record WHERE caller.state = 'allowed'
) page ON true
