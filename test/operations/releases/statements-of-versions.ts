/**
 * What services have asked at each version of the schema, in their plainest form: for the version from which on a table is there.
 * They have no parameters, so that each can run as it is.
 */
const STATEMENTS: readonly (readonly [version: number, statement: string])[] = [
  [2, "SELECT id, plan FROM directory.shops WHERE id = 'shop_1'"],
  [2, "SELECT client_id, status, scope FROM directory.clients WHERE client_id = 'client_1'"],
  [2, "SELECT id, email, password_hash FROM directory.merchants WHERE lower(email) = 'a@shop.example'"],
  [2, "SELECT shop_id FROM directory.memberships WHERE merchant_id = 'mer_1'"],
  [
    2,
    `INSERT INTO directory.clients (client_id, name, redirect_uris, scope, grant_types) VALUES ('client_1', 'C', '{}', '{}', '{}')
     ON CONFLICT (client_id) DO UPDATE SET name = excluded.name`,
  ],
  [2, "INSERT INTO directory.shops (name, plan) VALUES ('S', 'standard')"],
  [2, "INSERT INTO directory.merchants (email, name, password_hash) VALUES (gen_random_uuid()::text, 'A', '-')"],
  [
    3,
    "SELECT id, generation, status, scope FROM oauth.connections WHERE shop_id = 'shop_1' AND client_id = 'client_1'",
  ],
  [
    3,
    `WITH one AS (
       INSERT INTO directory.shops (name, plan) VALUES ('S', 'standard') RETURNING id
     ), merchant AS (
       INSERT INTO directory.merchants (email, name, password_hash) VALUES (gen_random_uuid()::text, 'A', '-') RETURNING id
     ), client AS (
       INSERT INTO directory.clients (client_id, name, redirect_uris, scope, grant_types)
       VALUES (gen_random_uuid()::text, 'C', '{}', '{}', '{}') RETURNING client_id
     ), made AS (
       INSERT INTO oauth.connections (shop_id, client_id, status, grant_id, scope, merchant_id)
       SELECT one.id, client_id, 'approved', 'g', '{}', merchant.id FROM one, merchant, client RETURNING shop_id, client_id, id
     )
     INSERT INTO oauth.audit_log (shop_id, client_id, connection_id, event, actor)
     SELECT shop_id, client_id, id, 'approve', 'system' FROM made`,
  ],
  [
    3,
    `UPDATE oauth.connections SET last_used_at = now()
     WHERE (shop_id, client_id) = (SELECT shop_id, client_id FROM oauth.connections LIMIT 1)`,
  ],
  [4, "SELECT doc FROM survey.responses WHERE shop_id = 'shop_1' ORDER BY inserted_at DESC, id DESC LIMIT 100"],
  [4, "SELECT doc FROM survey.questions WHERE shop_id = 'shop_1' ORDER BY id LIMIT 100"],
  [
    4,
    `INSERT INTO survey.responses (shop_id, id, inserted_at, updated_at, doc)
     VALUES ('shop_1', gen_random_uuid()::text, now(), now(), '{}')`,
  ],
  [4, "INSERT INTO survey.sources (shop_id, name, type) VALUES ('shop_1', 'Hats', 'tv')"],
  [
    4,
    `DELETE FROM survey.responses WHERE shop_id = 'shop_1'
     AND id = (SELECT id FROM survey.responses WHERE shop_id = 'shop_1' ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)`,
  ],
  [
    4,
    `INSERT INTO survey.idempotency_keys (shop_id, caller_id, key_hash, body_hash)
     VALUES ('shop_1', 'con_1', sha256(gen_random_uuid()::text::bytea), '')`,
  ],
  [
    5,
    `INSERT INTO survey.stamps AS last (shop_id, stamp) VALUES ('shop_2', clock_timestamp())
     ON CONFLICT (shop_id) DO UPDATE SET stamp = greatest(excluded.stamp, last.stamp)`,
  ],
  [8, "INSERT INTO directory.audit_log (event, actor) VALUES ('merchant_sign_in', 'system')"],
  [
    11,
    `INSERT INTO oauth.api_usage AS kept (shop_id, caller_id, hour, calls, records, refused, failed)
     VALUES ('shop_1', 'con_1', date_trunc('hour', now()), 1, 1, 0, 0)
     ON CONFLICT (shop_id, caller_id, hour) DO UPDATE SET calls = kept.calls + excluded.calls`,
  ],
  [12, "SELECT id, deleted_at FROM survey.deleted_responses WHERE shop_id = 'shop_1' AND NOT imported_again LIMIT 100"],
];

/** The statements that run at this version of the schema, and at all after it. */
export function statementsFor(version: number): string[] {
  return STATEMENTS.filter(([since]) => since <= version).map(([, statement]) => statement);
}
