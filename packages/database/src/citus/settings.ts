import type { Queries, Sql } from "../pool/sql.ts";
import { missingRoleSettings, setRoleSettings } from "../roles/role-settings.ts";

type RoleSettings = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Of the services' roles, in this database alone, as the server may have plain databases too. */
const SERVICES: RoleSettings = {
  // A write to a table that is whole on every node takes a lock at the first node, for each table that a foreign key leads to. Without
  // this, Citus asks for the right to write those tables too.
  authorization_server: { "citus.skip_advisory_lock_permission_checks": "on" },
  // A plan has to name the shop's node, so it is made by value.
  resource_server: { plan_cache_mode: "auto" },
  worker: { "citus.skip_advisory_lock_permission_checks": "on" },
};

const OWNER = {
  // Our triggers touch rows that are on the same node.
  "citus.enable_unsafe_triggers": "on",
  // One connection to each node does all, as foreign keys lead from one table to another.
  "citus.multi_shard_modify_mode": "sequential",
  // The other nodes get a transaction's settings, so that no lock is waited for longer there.
  "citus.propagate_set_commands": "local",
};

/** For the owner's later sessions, and for this one. */
export async function setOwnerSettings(sql: Sql): Promise<void> {
  await setRoleSettings(sql, await ownerSettings(sql), "database");
  for (const [name, value] of Object.entries(OWNER)) await sql`SELECT set_config(${name}, ${value}, false)`;
}

export async function setServiceSettings(sql: Sql): Promise<void> {
  await setRoleSettings(sql, SERVICES, "database");
}

export async function missingSettings(sql: Sql): Promise<string[]> {
  return await missingRoleSettings(sql, { ...SERVICES, ...(await ownerSettings(sql)) }, "database");
}

async function ownerSettings(sql: Sql): Promise<RoleSettings> {
  const [row] = await sql<{ name: string }[]>`SELECT current_user AS name`;
  return row ? { [row.name]: OWNER } : {};
}

/** Whether the database has the extension. Its tables may be distributed already, or will be. */
export async function isOnCitus(sql: Queries): Promise<boolean> {
  const found = await sql.unsafe("SELECT FROM pg_extension WHERE extname = 'citus'");
  return found.length > 0;
}

/**
 * Who holds, on another node, what the backend $1 of this node waits for. `pid` is Citus's number of a session, which
 * `pg_terminate_backend` takes too.
 */
export const HOLDERS_ON_OTHER_NODES = `
  SELECT DISTINCT w.blocking_gpid::float8 AS pid, a.usename AS "user", a.application_name AS application, a.backend_type AS type, a.state, a.query,
    extract(epoch FROM clock_timestamp() - coalesce(a.xact_start, a.query_start))::float8 AS seconds,
    'a table on another node' AS "table"
  FROM citus_lock_waits w LEFT JOIN citus_stat_activity a ON a.global_pid = w.blocking_gpid AND NOT a.is_worker_query
  WHERE w.waiting_gpid = citus_calculate_gpid(citus_nodeid_for_gpid(citus_backend_gpid()), $1::int)`;
