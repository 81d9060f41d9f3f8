WITH caller AS MATERIALIZED (SELECT coalesce((
    SELECT CASE
      WHEN c.status <> 'connected' THEN CASE c.status WHEN 'approved' THEN 'connection_not_exchanged' ELSE 'connection_revoked' END
      WHEN c.disabled THEN 'connection_disabled'
      WHEN client.status <> 'active' THEN 'client_disabled'
      WHEN c.generation <> $4 THEN 'token_superseded'
      WHEN c.scope @> ARRAY['responses:read'] AND true THEN 'allowed'
      WHEN c.scope @> ARRAY['responses:read'] THEN 'plan_lacks_scope' ELSE 'connection_lacks_scope' END
    FROM oauth.connections c JOIN directory.clients client ON client.client_id = c.client_id
    WHERE c.shop_id = $1 AND c.client_id = $5 AND c.id = $3), 'unknown_connection') AS state)
SELECT state,
  (false)::text AS cursor_known,
  (false)::text AS has_behind,
  chunk, count, records
FROM caller LEFT JOIN LATERAL (
  SELECT chunk::text AS chunk, count(*)::text AS count,
    string_agg(doc, E',\n' ORDER BY at DESC, id DESC) AS records
  FROM (
SELECT *, bytes / 65536 AS chunk FROM (
SELECT *, sum(octet_length(doc) + 2) OVER (ORDER BY at DESC, id DESC ROWS UNBOUNDED PRECEDING) AS bytes FROM (
SELECT at, id, doc FROM (
  (SELECT r.inserted_at AS at, r.id, r.doc FROM survey.responses r
   WHERE r.shop_id = $1 AND r.updated_at = r.inserted_at
   ORDER BY r.inserted_at DESC, r.id DESC LIMIT $2)
  UNION ALL
  (SELECT r.inserted_at, r.id, r.doc FROM survey.responses r
   WHERE r.shop_id = $1 AND r.updated_at > r.inserted_at
   ORDER BY r.inserted_at DESC, r.id DESC LIMIT $2)
) merged ORDER BY at DESC, id DESC LIMIT $2) r) r
WHERE bytes - octet_length(doc) - 2 < $6::bigint
  ) record WHERE caller.state = 'allowed'
  GROUP BY chunk
) page ON true
