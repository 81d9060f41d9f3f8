import { type Finding, type System, unless } from "../../system.ts";

type Role = "authorization_server" | "resource_server";
type Rule = readonly [role: Role, privilege: string, table: string, column?: string];

/** What a service that was broken into must not reach: the other service's data, secrets, and the log of what was done. */
const MUST_NOT: readonly Rule[] = [
  ["authorization_server", "SELECT", "survey.responses"],
  ["authorization_server", "SELECT", "survey.questions"],
  ["authorization_server", "SELECT", "survey.sources"],
  ["authorization_server", "SELECT", "survey.deleted_responses"],
  ["authorization_server", "SELECT", "directory.api_keys"],
  ["authorization_server", "DELETE", "oauth.connections"],
  ["authorization_server", "UPDATE", "directory.clients"],
  ["authorization_server", "UPDATE", "oauth.audit_log"],
  ["authorization_server", "DELETE", "oauth.audit_log"],
  ["resource_server", "SELECT", "oauth.connections", "refresh_token_hash"],
  ["resource_server", "UPDATE", "oauth.connections"],
  ["resource_server", "SELECT", "directory.merchants", "password_hash"],
  ["resource_server", "SELECT", "directory.client_secrets", "secret_hash"],
  ["resource_server", "SELECT", "directory.merchant_links"],
  ["resource_server", "UPDATE", "survey.responses"],
  ["resource_server", "DELETE", "survey.responses"],
  ["resource_server", "INSERT", "oauth.audit_log"],
];

/** Without these it does not work. Migrations grant them. */
const MUST: readonly Rule[] = [
  ["authorization_server", "SELECT", "oauth.connections", "refresh_token_hash"],
  ["authorization_server", "UPDATE", "oauth.connections", "status"],
  ["authorization_server", "INSERT", "oauth.audit_log", "event"],
  ["authorization_server", "SELECT", "directory.client_secrets", "secret_hash"],
  ["resource_server", "SELECT", "oauth.connections", "generation"],
  ["resource_server", "SELECT", "survey.responses", "doc"],
  ["resource_server", "SELECT", "survey.questions", "id"],
  ["resource_server", "INSERT", "survey.sources", "id"],
  ["resource_server", "SELECT", "directory.api_keys", "key_hash"],
];

const TABLE_WIDE = new Set(["DELETE"]);

export async function privileges({ sql }: System): Promise<Finding> {
  const ask = await sql();
  const mighty = await ask<{ role: string }[]>`
    SELECT rolname AS role FROM pg_roles r WHERE rolname IN ('authorization_server', 'resource_server')
    AND (rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls
      OR EXISTS (SELECT FROM pg_auth_members m WHERE m.member = r.oid)
      OR EXISTS (SELECT FROM pg_class c WHERE c.relowner = r.oid)) ORDER BY 1`;
  const has = async ([role, privilege, table, column]: Rule): Promise<boolean> => {
    const [row] = TABLE_WIDE.has(privilege)
      ? await ask<{ has: boolean }[]>`SELECT has_table_privilege(${role}, ${table}, ${privilege}) AS has`
      : column === undefined
        ? await ask<{ has: boolean }[]>`SELECT has_any_column_privilege(${role}, ${table}, ${privilege}) AS has`
        : await ask<{ has: boolean }[]>`SELECT has_column_privilege(${role}, ${table}, ${column}, ${privilege}) AS has`;
    return row?.has === true;
  };
  const nameOf = ([role, privilege, table, column]: Rule) =>
    `${role}: ${privilege} of ${table}${column === undefined ? "" : ` (${column})`}`;
  const [granted, missing] = await Promise.all([
    Promise.all(MUST_NOT.map(async (rule) => ((await has(rule)) ? [`must not: ${nameOf(rule)}`] : []))),
    Promise.all(MUST.map(async (rule) => ((await has(rule)) ? [] : [`can't: ${nameOf(rule)}`]))),
  ]);
  return unless(
    [...mighty.map(({ role }) => `${role} has more rights than a service needs`), ...granted.flat(), ...missing.flat()],
    "each service has the least that it needs",
    "REVOKE what is too much, GRANT what is missing, as packages/database/migrations have it",
  );
}
