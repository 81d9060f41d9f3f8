import type { Sql } from "../pool/sql.ts";
import { retryRoleChange, SERVICE_ROLES, type ServiceRole } from "./role-password.ts";

/**
 * The resource server's planner settings. Its statements read an index up to a limit. For a
 * parameterized limit the planner expects a tenth of the table, so sequential scans and sorts are
 * disabled. The best plan is the same for all parameter values, so plans are generic.
 */
const PLANNER_SETTINGS = {
  plan_cache_mode: "force_generic_plan",
  enable_seqscan: "off",
  enable_bitmapscan: "off",
  enable_sort: "off",
  jit: "off",
} as const;

/** The roles' `statement_timeout` in milliseconds. */
export const STATEMENT_TIMEOUT: Readonly<Record<ServiceRole, number>> = {
  authorization_server: 2000,
  resource_server: 3000,
  worker: 10_000,
  back_office: 600_000, // it reads whole tables, and moves a month's rows
};

/** The roles' `idle_in_transaction_session_timeout`: a stopped process would keep its locks. */
const IDLE_IN_TRANSACTION = "10s";

type Settings = Readonly<Record<string, string>>;
type RoleSettings = Readonly<Record<string, Settings>>;

/**
 * Session settings as `SHOW` prints them. They belong to roles, because a pooler doesn't pass on
 * connection settings.
 */
export const ROLE_SETTINGS = Object.fromEntries<Settings>(
  SERVICE_ROLES.map((role) => {
    const seconds = STATEMENT_TIMEOUT[role] / 1000;
    const timeout = seconds % 60 === 0 ? `${seconds / 60}min` : `${seconds}s`;
    const settings = {
      statement_timeout: timeout,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION,
    };
    return [role, role === "resource_server" ? { ...PLANNER_SETTINGS, ...settings } : settings];
  }),
) as Readonly<Record<ServiceRole, Settings>>;

/** The owner of the schemas lacks the right to alter a role. */
class RoleSettingsError extends Error {
  override readonly name = "RoleSettingsError";
  readonly code = "FORBIDDEN";

  constructor(statements: readonly string[], cause: unknown) {
    super(`an administrator has to run: ${statements.join("; ")}`, { cause });
  }
}

/** Whether settings of a role apply on the whole server or only in this database. */
type Extent = "server" | "database";

/**
 * Sets the settings that are missing; an administrator may have set them before. @throws
 * {RoleSettingsError} without the right to alter a role
 */
export async function setRoleSettings(
  sql: Sql,
  roles: RoleSettings = ROLE_SETTINGS,
  extent: Extent = "server",
): Promise<void> {
  await retryRoleChange(async () => {
    const statements = await missingRoleSettings(sql, roles, extent);
    if (statements.length === 0) return;
    await sql.unsafe(statements.join("; ")).catch((error: { readonly code?: unknown }) => {
      throw error.code === "42501" ? new RoleSettingsError(statements, error) : error;
    });
  });
}

/** The statements that set missing settings. */
export async function missingRoleSettings(
  sql: Sql,
  roles: RoleSettings = ROLE_SETTINGS,
  extent: Extent = "server",
): Promise<string[]> {
  const isHere = extent === "database";
  const wanted = Object.entries(roles).flatMap(([role, settings]) =>
    Object.entries(settings).map(([name, value]) => ({ role, name, value })),
  );
  const rows = await sql<{ statement: string }[]>`
    SELECT format('ALTER ROLE %I %sSET %I TO %L', role, place, name, value) AS statement
    FROM unnest(${wanted.map(({ role }) => role)}::text[], ${wanted.map(({ name }) => name)}::text[],
        ${wanted.map(({ value }) => value)}::text[]) WITH ORDINALITY AS wanted (role, name, value, number)
      JOIN pg_roles r ON rolname = role
      CROSS JOIN (SELECT oid AS base, format('IN DATABASE %I ', datname) AS place FROM pg_database
        WHERE ${isHere} AND datname = current_database() UNION ALL SELECT 0, '' WHERE NOT ${isHere}) AS extent
      LEFT JOIN pg_db_role_setting ON setrole = r.oid AND setdatabase = base
    WHERE NOT coalesce(name || '=' || value = ANY (setconfig), false) ORDER BY number`;
  return rows.map(({ statement }) => statement);
}
