WITH caller AS MATERIALIZED (SELECT coalesce((
    SELECT CASE
      WHEN c.status <> 'connected' THEN CASE c.status WHEN 'approved' THEN 'connection_not_exchanged' ELSE 'connection_revoked' END
      WHEN c.disabled THEN 'connection_disabled'
      WHEN client.status <> 'active' THEN 'client_disabled'
      WHEN c.generation <> $8 THEN 'token_superseded'
      WHEN c.scope @> ARRAY['responses:read'] AND true THEN 'allowed'
      WHEN c.scope @> ARRAY['responses:read'] THEN 'plan_lacks_scope' ELSE 'connection_lacks_scope' END
    FROM oauth.connections c JOIN directory.clients client ON client.client_id = c.client_id
    WHERE c.shop_id = $1 AND c.client_id = $9 AND c.id = $7), 'unknown_connection') AS state),
cursor AS MATERIALIZED (SELECT coalesce(
  (SELECT updated_at FROM survey.responses WHERE shop_id = $1 AND id = $3),
  (SELECT updated_at FROM survey.deleted_responses WHERE shop_id = $1 AND id = $3 AND NOT is_hidden)) AS key)
SELECT state,
  (state = 'allowed' AND (SELECT key FROM cursor) IS NOT NULL)::text AS cursor_known,
  (state = 'allowed' AND EXISTS ((SELECT FROM survey.responses r
   WHERE r.shop_id = $1 AND r.updated_at = r.inserted_at AND (r.inserted_at, r.id) > ($4::timestamptz, '') AND (r.inserted_at, r.id) <= ((SELECT key FROM cursor), $3)
   ORDER BY r.inserted_at DESC, r.id DESC LIMIT 1)
  UNION ALL
  (SELECT FROM survey.responses r
   WHERE r.shop_id = $1 AND r.updated_at > r.inserted_at AND r.inserted_at >= $6::timestamptz AND (r.updated_at, r.id) > ($5::timestamptz, '') AND (r.updated_at, r.id) <= ((SELECT key FROM cursor), $3)
   ORDER BY r.updated_at DESC, r.id DESC LIMIT 1)))::text AS has_behind,
  chunk, count, records
FROM caller LEFT JOIN LATERAL (
  SELECT '0' AS chunk, count(*)::text AS count,
    string_agg(doc, E',\n' ORDER BY at ASC, id ASC) AS records
  FROM (
SELECT at, id, coalesce(merged.doc, (SELECT doc FROM survey.responses WHERE shop_id = $1 AND id = merged.id)) AS doc FROM (
  (SELECT r.inserted_at AS at, r.id, r.doc FROM survey.responses r
   WHERE r.shop_id = $1 AND r.updated_at = r.inserted_at AND (r.inserted_at, r.id) > (greatest((SELECT key FROM cursor), $4::timestamptz), CASE WHEN (SELECT key FROM cursor) >= $4::timestamptz THEN $3 ELSE '' END)
   ORDER BY r.inserted_at ASC, r.id ASC LIMIT $2)
  UNION ALL
  (SELECT r.updated_at, r.id, NULL FROM survey.responses r
   WHERE r.shop_id = $1 AND r.updated_at > r.inserted_at AND r.inserted_at >= $6::timestamptz AND (r.updated_at, r.id) > (greatest((SELECT key FROM cursor), $5::timestamptz), CASE WHEN (SELECT key FROM cursor) >= $5::timestamptz THEN $3 ELSE '' END)
   ORDER BY r.updated_at ASC, r.id ASC LIMIT $2)
) merged ORDER BY at ASC, id ASC LIMIT $2
  ) record WHERE caller.state = 'allowed'
) page ON true
