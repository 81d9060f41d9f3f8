import type { Sql } from "../pool/sql.ts";
import { appliedMigrations } from "./applied-migrations.ts";
import { MIGRATIONS, readMigrations } from "./migration-files.ts";

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
  const known = await readMigrations(MIGRATIONS);
  const applied = (await appliedMigrations(sql)) ?? new Map();
  const pending = known.filter(({ version }) => !applied.has(version)).map(({ filename }) => filename);
  const versions = new Set(known.map(({ version }) => version));
  return {
    applied: known.length - pending.length,
    pending,
    unknown: [...applied.keys()].filter((version) => !versions.has(version)).toSorted((one, other) => one - other),
  };
}
