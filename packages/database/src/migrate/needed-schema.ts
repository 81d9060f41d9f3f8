import type { Queries } from "../pool/sql.ts";
import { MIGRATIONS, readMigrations } from "./migration-files.ts";

/** A newer release has changed the database so that this one would do something wrong on it. */
export class NewerSchemaError extends Error {
  override readonly name = "NewerSchemaError";
  readonly code = "SCHEMA_NEWER";
  readonly hint = "use the newer release, or see deploy/operations/release.md, 'Going back'";
}

/**
 * @throws {NewerSchemaError} if the database needs a release that knows more migrations than this one. That it has such migrations is no
 *   reason: releases run side by side while replicas are replaced
 */
export async function requireKnownSchema(sql: Queries): Promise<void> {
  const [table] = await sql<{ there: boolean }[]>`SELECT to_regclass('directory.needed_schemas') IS NOT NULL AS there`;
  if (!table?.there) return;
  const [needed] = await sql<{ version: number; reason: string }[]>`
    SELECT version, reason FROM directory.needed_schemas ORDER BY version DESC LIMIT 1`;
  if (!needed) return;
  const known = (await readMigrations(MIGRATIONS)).at(-1)?.version ?? 0;
  if (needed.version <= known) return;
  throw new NewerSchemaError(
    `the database needs a release that knows migration ${needed.version} (else ${needed.reason}), and this one knows ${known}`,
  );
}
