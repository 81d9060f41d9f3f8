import type { Queries } from "../pool/sql.ts";
import type { Migration } from "./migration-files.ts";

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
