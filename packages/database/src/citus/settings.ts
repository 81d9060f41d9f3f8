import type { Queries, Sql } from "../pool/sql.ts";
import { missingRoleSettings, setRoleSettings } from "../roles/role-settings.ts";

type RoleSettings = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The owner's settings. */
const OWNER = {
  // Allows triggers; ours write only rows of the same node.
  "citus.enable_unsafe_triggers": "on",
  // Uses one connection per node, because foreign keys connect the tables.
  "citus.multi_shard_modify_mode": "sequential",
  // Applies a transaction's settings, such as lock_timeout, on the other nodes.
  "citus.propagate_set_commands": "local",
};

/**
 * Settings of the services' roles in this database only, because the server may have plain
 * databases too.
 */
const SERVICES: RoleSettings = {
  // A write to a reference table locks it on the first node, and also the tables that its foreign
  // keys reference. Without this setting, Citus requires write access to them.
  authorization_server: { "citus.skip_advisory_lock_permission_checks": "on" },
  // A generic plan can't choose the shop's node.
  resource_server: { plan_cache_mode: "auto" },
  worker: { "citus.skip_advisory_lock_permission_checks": "on" },
  // In the back office's sessions, functions create and drop monthly partitions as the owner.
  back_office: { ...OWNER, "citus.skip_advisory_lock_permission_checks": "on" },
};

/** Sets the owner's settings for its later sessions and for the current one. */
export async function setOwnerSettings(sql: Sql): Promise<void> {
  await setRoleSettings(sql, await ownerSettings(sql), "database");
  for (const [name, value] of Object.entries(OWNER))
    await sql`SELECT set_config(${name}, ${value}, false)`;
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

/** True if the database has the extension, even if its tables are not distributed yet. */
export async function isOnCitus(sql: Queries): Promise<boolean> {
  const found = await sql.unsafe("SELECT FROM pg_extension WHERE extname = 'citus'");
  return found.length > 0;
}
