import { missingRoleSettingsHere, type Sql, setRoleSettingsHere } from "@partner-connect/database";

type RoleSettings = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * What sessions of the services' roles have in a distributed database. It is a setting of the role in this database, as the server
 * may have plain databases too.
 */
const SERVICES: RoleSettings = {
  // A write to a table that is whole on every node takes a lock at the first node, for each table that a foreign key leads to. Without
  // this, Citus asks for the right to write those tables too.
  authorization_server: { "citus.skip_advisory_lock_permission_checks": "on" },
  // A plan has to name the shop's node, so it is made by value.
  resource_server: { plan_cache_mode: "auto" },
};

/** What sessions of the owner have there, who changes tables. */
const OWNER = {
  // Our triggers touch rows that are on the same node.
  "citus.enable_unsafe_triggers": "on",
  // One connection to each node does all, as foreign keys lead from one table to another.
  "citus.multi_shard_modify_mode": "sequential",
  // The other nodes get a transaction's settings, so that no lock is waited for longer there.
  "citus.propagate_set_commands": "local",
};

/** Sets what sessions of the owner, who is asking, have from now on. */
export async function setOwnerSettings(sql: Sql): Promise<void> {
  await setRoleSettingsHere(sql, await ownerSettings(sql));
}

export async function setServiceSettings(sql: Sql): Promise<void> {
  await setRoleSettingsHere(sql, SERVICES);
}

/** The statements that set what is missing. */
export async function missingSettings(sql: Sql): Promise<string[]> {
  return await missingRoleSettingsHere(sql, { ...SERVICES, ...(await ownerSettings(sql)) });
}

async function ownerSettings(sql: Sql): Promise<RoleSettings> {
  const [row] = await sql<{ name: string }[]>`SELECT current_user AS name`;
  return row ? { [row.name]: OWNER } : {};
}
