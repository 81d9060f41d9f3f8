import type { SchemaObject } from "@partner-connect/database";
import { type Finding, judge, type Problem, type System } from "./system.ts";

/** The database has this release's migrations, and all that they made. */
export async function schema({ sql, differences }: System): Promise<Finding> {
  const { schemaState } = await import("@partner-connect/database");
  const { applied, pending, foreign } = await schemaState(await sql());
  if (foreign !== null) {
    const remedy = "use the command line and the services of that version";
    return { ...judge("", [[`another version has migrated the database: ${foreign}`, remedy]]), blocks: true };
  }
  if (pending.length > 0) {
    return { ...judge("", [[`not applied: ${pending.join(", ")}`, "partner-connect migrate"]]), blocks: true };
  }
  const { missing, changed, broken, added } = await differences();
  return judge(
    `all ${applied} migrations applied, and everything is as they made it`,
    [
      ...broken.map((object) => [`does not work: ${nameOf(object)}`, object.repair ?? ""] as const),
      ...missing.filter(isNoGrant).map((object) => [`missing: ${nameOf(object)}`, remedyOf(object)] as const),
      ...changed.map((object) => [`changed: ${nameOf(object)}`, `drop it; ${remedyOf(object)}`] as const),
    ],
    added.filter(isNoGrant).map((object) => [`not ours: ${nameOf(object)}`, "drop it, unless you need it"]),
  );
}

const isNoGrant = ({ kind }: SchemaKind): boolean => kind !== "grant";

type SchemaKind = Pick<SchemaObject, "kind" | "name" | "definition">;

const nameOf = ({ kind, name }: SchemaKind): string => `${kind} ${name}`;

function remedyOf({ kind, definition }: SchemaKind): string {
  return ["index", "constraint", "trigger"].includes(kind)
    ? definition
    : "make it as packages/database/migrations does, or restore a backup";
}

/**
 * Each service has the rights that the migrations granted, and no others: one that was broken into reaches neither another's data and
 * secrets nor the log of what was done. And its sessions have its settings: through a pooler there is no other way than by the role.
 */
export async function roles({ sql, differences }: System): Promise<Finding> {
  const { missingRoleSettings, ROLE_SETTINGS } = await import("@partner-connect/database");
  const ask = await sql();
  const mighty = await ask<{ role: string }[]>`
    SELECT rolname AS role FROM pg_roles r WHERE rolname = ANY (${Object.keys(ROLE_SETTINGS)}::text[])
    AND (rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls
      OR EXISTS (SELECT FROM pg_auth_members m WHERE m.member = r.oid)
      OR EXISTS (SELECT FROM pg_class c WHERE c.relowner = r.oid)) ORDER BY 1`;
  const { missing, added } = await differences();
  const grants = (objects: readonly SchemaKind[]) => objects.filter(({ kind }) => kind === "grant");
  const settings = await missingRoleSettings(ask);
  return judge("each service has the rights and settings that it needs, and no others", [
    ...mighty.map(
      ({ role }): Problem => [
        `${role} has more rights than a service needs`,
        `take from ${role} its attributes, memberships and tables`,
      ],
    ),
    ...grants(added).map(
      ({ name }): Problem => [`not ours: ${name}`, `REVOKE ${name.replace(/ TO (?=\S+$)/, " FROM ")};`],
    ),
    ...grants(missing).map(({ name }): Problem => [`missing: ${name}`, `GRANT ${name};`]),
    ...settings.map(
      (statement): Problem => [`not set: ${statement}`, "partner-connect migrate, then restart the services"],
    ),
  ]);
}
