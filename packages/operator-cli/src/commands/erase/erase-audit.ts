import { randomBytes } from "node:crypto";
import type { Sql } from "@partner-connect/database";
import { type Context, OperatorError } from "../../run/context.ts";

/**
 * The key of the pseudonyms. Without AUDIT_NAMES_KEY it is a new one that is thrown away. Where the log is sealed, the seals know the
 * pseudonyms by that key alone.
 * @throws {OperatorError} NO_AUDIT_KEYS: nothing was changed
 */
export async function namesKey({ config }: Context, sql: Sql): Promise<string> {
  if (config.auditNamesKey !== undefined) return config.auditNamesKey;
  const [seals] = await sql<{ table: string | null }[]>`SELECT to_regclass('directory.audit_seals')::text AS table`;
  if (seals?.table && (await sql`SELECT FROM ${sql(seals.table)} LIMIT 1`).length > 0) {
    throw new OperatorError("the audit log is sealed: AUDIT_NAMES_KEY is needed to erase names from it", {
      code: "NO_AUDIT_KEYS",
    });
  }
  return randomBytes(32).toString("base64url");
}
