import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import type { Queries, Sql } from "../pool/sql.ts";

export const MIGRATIONS: URL = new URL("../../migrations/", import.meta.url);

export interface Migration {
  readonly version: number;
  readonly name: string;
  /** Such as `013.do.connections-room.sql`. */
  readonly filename: string;
  /** Whether it is applied statement by statement, outside of a transaction: `016.do.connections-by-client.outside.sql`. */
  readonly isOutside: boolean;
  readonly script: string;
  readonly md5: string;
}

const FILE = /^(\d+)\.do\.([^.]+)(\.outside)?\.sql$/;

export async function readMigrations(folder: URL): Promise<Migration[]> {
  const migrations: Migration[] = [];
  for (const filename of await readdir(folder)) {
    const [, version, name = "", outside] = FILE.exec(filename) ?? [];
    if (version === undefined) continue;
    const script = await readFile(new URL(filename, folder), "utf8");
    const md5 = createHash("md5").update(script).digest("hex");
    migrations.push({ version: Number(version), name, filename, isOutside: outside !== undefined, script, md5 });
  }
  return migrations.toSorted((one, other) => one.version - other.version);
}

/** The MD5 of each migration that the database has, by version; null: it was never migrated. */
export async function appliedMigrations(sql: Queries): Promise<Map<number, string> | null> {
  const [table] = await sql<{ there: boolean }[]>`SELECT to_regclass('public.schema_version') IS NOT NULL AS there`;
  if (!table?.there) return null;
  const rows = await sql<{ version: number; md5: string }[]>`
    SELECT version::int AS version, md5 FROM public.schema_version WHERE version > 0`;
  return new Map(rows.map(({ version, md5 }) => [version, md5]));
}

export async function createTableOfMigrations(sql: Queries): Promise<void> {
  await sql`CREATE TABLE public.schema_version (version bigint PRIMARY KEY, name text, md5 text, run_at timestamptz)`;
}

export async function isApplied(sql: Queries, { version }: Migration): Promise<boolean> {
  return (await sql`SELECT FROM public.schema_version WHERE version = ${version}`).count > 0;
}

export async function noteApplied(sql: Queries, { version, name, md5 }: Migration): Promise<void> {
  await sql`INSERT INTO public.schema_version (version, name, md5, run_at) VALUES (${version}, ${name}, ${md5}, now())`;
}

export async function schemaState(sql: Sql) {
  const known = await readMigrations(MIGRATIONS);
  const applied = (await appliedMigrations(sql)) ?? new Map();
  const pending = known.filter(({ version }) => !applied.has(version)).map(({ filename }) => filename);
  const versions = new Set(known.map(({ version }) => version));
  return {
    /** How many of this release's migrations are applied. */
    applied: known.length - pending.length,
    /** The names of those that are not, such as `013.do.connections-room.sql`. */
    pending,
    /** Versions that a newer release has applied. */
    unknown: [...applied.keys()].filter((version) => !versions.has(version)).toSorted((one, other) => one - other),
  };
}
