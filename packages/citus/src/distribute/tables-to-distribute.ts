import type { Queries } from "@partner-connect/database";
import { PLACEMENTS } from "../placements.ts";

/** The tables of ours that are not distributed yet, in order. @throws {DistributionError} if one has no placement */
export async function tablesToDistribute(sql: Queries) {
  const names = await ourTables(sql);
  const unknown = names.filter((name) => !PLACEMENTS.has(name));
  if (unknown.length > 0) {
    throw new DistributionError(
      `nobody has said where these tables lie on a cluster: ${unknown.join(", ")}`,
      "UNKNOWN_TABLES",
      "give each a line in packages/citus/src/placements.ts; or move your own to another schema",
    );
  }
  const rows = await sql<{ name: string }[]>`
    SELECT format('%I.%I', nspname, relname) AS name FROM pg_dist_partition
      JOIN pg_class c ON c.oid = logicalrelid JOIN pg_namespace n ON n.oid = relnamespace
    WHERE partmethod = 'h' OR repmodel = 't'`;
  const done = new Set(rows.map(({ name }) => name));
  return [...PLACEMENTS]
    .filter(([table, placement]) => placement !== "here" && names.includes(table) && !done.has(table))
    .map(([table, placement]) => ({ table, placement }));
}

/** Those of our schemas, without the parts of others. */
export async function ourTables(sql: Queries): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    SELECT format('%I.%I', nspname, relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
    WHERE relkind IN ('r', 'p') AND NOT relispartition
      AND (nspname IN ('directory', 'oauth', 'survey') OR c.oid = to_regclass('public.schema_version'))
    ORDER BY 1`;
  return rows.map(({ name }) => name);
}

export class DistributionError extends Error {
  override readonly name = "DistributionError";
  readonly code: "CITUS_MISSING" | "UNKNOWN_TABLES";
  readonly hint: string;

  constructor(message: string, code: DistributionError["code"], hint: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}
