import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import type { Queries, Sql } from "../pool/sql.ts";

export const MIGRATIONS: URL = new URL("../../migrations/", import.meta.url);

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly filename: string;
  readonly script: string;
  readonly md5: string;
}

const FILE = /^(\d+)\.do\.([^.]+)\.sql$/;

export async function readMigrations(folder: URL): Promise<Migration[]> {
  const migrations: Migration[] = [];
  for (const filename of await readdir(folder)) {
    const [, version, name = ""] = FILE.exec(filename) ?? [];
    if (version === undefined) continue;
    const script = await readFile(new URL(filename, folder), "utf8");
    const md5 = createHash("md5").update(script).digest("hex");
    migrations.push({ version: Number(version), name, filename, script, md5 });
  }
  return migrations.toSorted((one, other) => one.version - other.version);
}

interface Applied {
  readonly version: number;
  readonly name: string;
  readonly md5: string;
}

/** The applied migrations, in order; null if the database was never migrated. */
export async function appliedMigrations(sql: Queries): Promise<readonly Applied[] | null> {
  const [table] = await sql<{ there: boolean }[]>`
    SELECT to_regclass('public.schema_version') IS NOT NULL AS there`;
  if (!table?.there) return null;
  return await sql<Applied[]>`
    SELECT version::int AS version, name, md5 FROM public.schema_version WHERE version > 0 ORDER BY version`;
}

/** Describes the first applied migration that `ours` lacks or has differently; else null. */
export function describeHistoryMismatch(applied: readonly Applied[], ours: readonly Migration[]) {
  const known = new Map(ours.map(({ version, md5 }) => [version, md5]));
  const foreign = applied.find(({ version, md5 }) => known.get(version) !== md5);
  if (!foreign) return null;
  const title = `migration ${foreign.version} ${foreign.name}`;
  return known.has(foreign.version)
    ? `its ${title} differs from ours`
    : `its ${title} is none of ours`;
}

export async function schemaState(sql: Sql) {
  const migrations = await readMigrations(MIGRATIONS);
  const applied = (await appliedMigrations(sql)) ?? [];
  const versions = new Set(applied.map(({ version }) => version));
  const pending = migrations
    .filter(({ version }) => !versions.has(version))
    .map(({ filename }) => filename);
  return {
    /** Number of this release's migrations that are applied. */
    applied: migrations.length - pending.length,
    /** Names of this release's migrations that are not applied, such as `003.do.oauth.sql`. */
    pending,
    /** A description of the first migration that another version applied, or null. */
    foreign: describeHistoryMismatch(applied, migrations),
  };
}
