import type { SchemaObject } from "@partner-connect/database";
import { type Check, findingOf, type Problem } from "./system.ts";

/** Checks that the database has this release's migrations, and all objects that they created. */
export const checkSchema: Check = async ({ sql, differences }) => {
  const { schemaState } = await import("@partner-connect/database");
  const { applied, pending, foreign } = await schemaState(await sql());
  if (foreign !== null || pending.length > 0) {
    const problem: Problem =
      foreign === null
        ? [`not applied: ${pending.join(", ")}`, "partner-connect migrate"]
        : [
            `another version has migrated the database: ${foreign}`,
            "use the commands and services of that version",
          ];
    return { ...findingOf("", [problem]), blocks: true };
  }
  const { missing, changed, broken, added } = await differences();
  const list = (what: string, objects: readonly Found[], remedyFor: (object: Found) => string) =>
    objects
      .filter(({ kind }) => kind !== "grant")
      .map((object): Problem => [`${what}: ${object.kind} ${object.name}`, remedyFor(object)]);
  return findingOf(
    `all ${applied} migrations are applied, and no object differs from them`,
    [
      ...list("does not work", broken, ({ repair }) => repair ?? ""),
      ...list("missing", missing, remedyOf),
      ...list("changed", changed, (object) => `drop it; ${remedyOf(object)}`),
    ],
    list("not ours", added, () => "drop it, unless you need it"),
  );
};

type Found = Pick<SchemaObject, "kind" | "name" | "definition"> & Partial<SchemaObject>;

function remedyOf({ kind, definition }: Found): string {
  return ["index", "constraint", "trigger"].includes(kind)
    ? definition
    : "make it as packages/database/migrations does, or restore a backup";
}

/**
 * Checks that each service has the rights that the migrations granted, and no others, so that an
 * intruder in one service reaches neither another's data and secrets nor the audit log. Also checks
 * the session settings of the roles.
 */
export const checkRoles: Check = async ({ sql, differences }) => {
  const { missingRoleSettings, ROLE_SETTINGS } = await import("@partner-connect/database");
  const ask = await sql();
  const mighty = await ask<{ role: string }[]>`
    SELECT rolname AS role FROM pg_roles r WHERE rolname = ANY (${Object.keys(ROLE_SETTINGS)}::text[])
    AND (rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls
      OR EXISTS (SELECT FROM pg_auth_members m WHERE m.member = r.oid)
      OR EXISTS (SELECT FROM pg_class c WHERE c.relowner = r.oid)) ORDER BY 1`;
  const { missing, added } = await differences();
  const grants = (objects: readonly Found[]) =>
    objects.filter(({ kind }) => kind === "grant").map(({ name }) => name);
  const settings = await missingRoleSettings(ask);
  return findingOf("each service has the rights and settings that it needs, and no others", [
    ...mighty.map(
      ({ role }): Problem => [
        `${role} has more rights than a service needs`,
        `take from ${role} its attributes, memberships and tables`,
      ],
    ),
    ...grants(added).map(
      (name): Problem => [`not ours: ${name}`, `REVOKE ${name.replace(/ TO (?=\S+$)/, " FROM ")};`],
    ),
    ...grants(missing).map((name): Problem => [`missing: ${name}`, `GRANT ${name};`]),
    ...settings.map(
      (statement): Problem => [
        `not set: ${statement}`,
        "partner-connect migrate, then restart the services",
      ],
    ),
  ] as Problem[]);
};
