import { readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Sql } from "../pool/sql.ts";

const FOLDER = fileURLToPath(new URL("../../migrations", import.meta.url));

export interface SchemaState {
  /** How many of this release's migrations are applied. */
  readonly applied: number;
  /** The names of those that are not, such as `013.do.connections-room.sql`. */
  readonly pending: readonly string[];
  /** Versions that a newer release has applied. */
  readonly unknown: readonly number[];
}

/** Which of this release's migrations the database has. */
export async function schemaState(sql: Sql): Promise<SchemaState> {
  const known = new Map((await readdir(FOLDER)).toSorted().flatMap((file) => versionOf(file)));
  const [table] = await sql`SELECT to_regclass('public.schema_version') IS NOT NULL AS exists`;
  const rows = table?.["exists"]
    ? await sql<{ version: number }[]>`SELECT version::int AS version FROM public.schema_version WHERE version > 0`
    : [];
  const applied = new Set(rows.map(({ version }) => version));
  const pending = [...known].filter(([version]) => !applied.has(version)).map(([, file]) => file);
  return {
    applied: known.size - pending.length,
    pending,
    unknown: [...applied].filter((version) => !known.has(version)).toSorted((one, other) => one - other),
  };
}

function versionOf(file: string): [number, string][] {
  const version = /^(\d+)\.do\..*\.sql$/.exec(file)?.[1];
  return version === undefined ? [] : [[Number(version), file]];
}
