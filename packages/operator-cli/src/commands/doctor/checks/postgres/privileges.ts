import { type Finding, type System, unless } from "../../system.ts";

/**
 * What migrations grant to the services' roles: by table, the privileges, each with its columns in the order of their names. A service
 * that was broken into reaches nothing else: not the other service's data and secrets, nor the whole log of what was done.
 */
const GRANTED: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  authorization_server: {
    "directory.audit_log": ["INSERT", "SELECT (at, client_id, merchant_id)"],
    "directory.client_members": ["SELECT"],
    "directory.client_secrets": ["DELETE", "INSERT", "SELECT", "UPDATE (expires_at, last_used_at)"],
    "directory.clients": ["SELECT", "UPDATE (created_at)"],
    "directory.memberships": ["INSERT", "SELECT"],
    "directory.merchant_identities": ["INSERT", "SELECT"],
    "directory.merchant_links": ["SELECT", "UPDATE (used_at)"],
    "directory.merchants": ["SELECT", "UPDATE (language, password_changed_at, password_hash, session_epoch)"],
    "directory.passkeys": ["DELETE", "INSERT", "SELECT", "UPDATE (counter, last_used_at, name)"],
    "directory.shops": ["INSERT (created_at, domain, id, name, plan)", "SELECT"],
    "directory.test_shops": ["INSERT", "SELECT", "UPDATE (change, change_by, ended_at, next_step_at)"],
    "oauth.api_usage": ["SELECT"],
    "oauth.audit_log": ["INSERT", "SELECT (at, client_id, connection_id, merchant_id, shop_id)"],
    "oauth.change_notes": ["INSERT"],
    "oauth.change_positions": ["SELECT"],
    "oauth.changes": ["SELECT"],
    "oauth.client_activity": ["INSERT", "SELECT", "UPDATE"],
    "oauth.client_refusals": ["DELETE", "INSERT", "SELECT"],
    "oauth.connections": ["INSERT", "SELECT", "UPDATE"],
    "oauth.decisions": ["DELETE", "INSERT", "SELECT"],
    "oauth.mails": ["INSERT"],
    "oauth.webhooks": [
      "SELECT (asked, client_id, created_at, deliveries, failing_since, id, status, url)",
      "UPDATE (asked)",
    ],
  },
  notifier: {
    "directory.clients": ["SELECT (client_id, name, status)"],
    "directory.merchant_links": ["INSERT"],
    "directory.merchants": ["SELECT (email, id, language, name, status)"],
    "directory.shops": ["SELECT (id, name)"],
    "oauth.change_notes": ["DELETE", "SELECT"],
    "oauth.change_positions": ["INSERT", "SELECT", "UPDATE"],
    "oauth.changes": ["DELETE", "INSERT", "SELECT", "UPDATE"],
    "oauth.connections": ["SELECT (client_id, id, shop_id, status)"],
    "oauth.leases": ["SELECT", "UPDATE (holder, until)"],
    "oauth.mails": ["DELETE", "SELECT", "UPDATE (attempts, claimed_until, failed_at, failure, next_attempt_at)"],
    "oauth.webhooks": [
      "SELECT",
      "UPDATE (asked, claimed_until, deliveries, failing_since, failures, hint, next_attempt_at, sent_number, status)",
    ],
  },
  resource_server: {
    "directory.api_keys": ["SELECT (id, key_hash, revoked_at, shop_id)"],
    "directory.clients": ["SELECT (client_id, scope, status)"],
    "directory.shops": ["SELECT (domain, id, name, plan)"],
    "oauth.api_usage": ["INSERT", "SELECT", "UPDATE"],
    "oauth.client_activity": ["INSERT", "SELECT", "UPDATE"],
    "oauth.client_refusals": ["DELETE", "INSERT", "SELECT (at, client_id, reason, request_id, what)"],
    "oauth.connections": [
      "SELECT (client_id, connected_at, disabled, exchanged_at, generation, id, last_used_at, scope, shop_id, status)",
    ],
    "survey.deleted_responses": ["SELECT"],
    "survey.idempotency_keys": ["DELETE", "INSERT", "SELECT", "UPDATE"],
    "survey.questions": ["SELECT"],
    "survey.responses": ["SELECT"],
    "survey.sources": ["INSERT", "SELECT", "UPDATE"],
  },
};

interface Grant {
  readonly role: string;
  readonly relation: string;
  readonly privilege: string;
}

export async function privileges({ sql }: System): Promise<Finding> {
  const ask = await sql();
  const mighty = await ask<{ role: string }[]>`
    SELECT rolname AS role FROM pg_roles r WHERE rolname = ANY (${Object.keys(GRANTED)}::text[])
    AND (rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls
      OR EXISTS (SELECT FROM pg_auth_members m WHERE m.member = r.oid)
      OR EXISTS (SELECT FROM pg_class c WHERE c.relowner = r.oid)) ORDER BY 1`;
  const granted = await ask<Grant[]>`
    WITH grants AS (
      SELECT c.oid, NULL AS attname, a.grantee, a.privilege_type FROM pg_class c, aclexplode(c.relacl) a
      UNION ALL
      SELECT c.oid, t.attname, a.grantee, a.privilege_type
      FROM pg_class c JOIN pg_attribute t ON t.attrelid = c.oid, aclexplode(t.attacl) a)
    SELECT coalesce(r.rolname, 'PUBLIC') AS role, g.oid::regclass::text AS relation,
      g.privilege_type || coalesce(' (' || string_agg(g.attname, ', ' ORDER BY g.attname COLLATE "C") || ')', '') AS privilege
    FROM grants g JOIN pg_class c ON c.oid = g.oid LEFT JOIN pg_roles r ON r.oid = g.grantee
    WHERE c.relnamespace::regnamespace::text IN ('directory', 'oauth', 'survey')
      AND (g.grantee = 0 OR r.rolname = ANY (${Object.keys(GRANTED)}::text[]))
    GROUP BY r.rolname, g.oid, g.privilege_type ORDER BY 1, 2, 3`;
  const expected = Object.entries(GRANTED).flatMap(([role, relations]) =>
    Object.entries(relations).flatMap(([relation, all]) => all.map((privilege) => ({ role, relation, privilege }))),
  );
  const tooMuch = without(granted, expected);
  const missing = without(expected, granted);
  return unless(
    [
      ...mighty.map(({ role }) => `${role} has more rights than a service needs`),
      ...tooMuch.map((grant) => `must not: ${nameOf(grant)}`),
      ...missing.map((grant) => `can't: ${nameOf(grant)}`),
    ],
    "each service has the least that it needs",
    [
      ...mighty.map(({ role }) => `take from ${role} its attributes, memberships and tables;`),
      ...tooMuch.map(({ role, relation, privilege }) => `REVOKE ${privilege} ON ${relation} FROM ${role};`),
      ...missing.map(({ role, relation, privilege }) => `GRANT ${privilege} ON ${relation} TO ${role};`),
    ].join(" "),
  );
}

function without(grants: readonly Grant[], others: readonly Grant[]): Grant[] {
  const known = new Set(others.map(nameOf));
  return grants.filter((grant) => !known.has(nameOf(grant)));
}

function nameOf({ role, relation, privilege }: Grant): string {
  return `${role}: ${privilege} of ${relation}`;
}
