import type { Queries } from "@partner-connect/database";

/** Whether the database has the extension. Its tables may be distributed already, or will be. */
export async function isOnCitus(sql: Queries): Promise<boolean> {
  const found = await sql.unsafe("SELECT FROM pg_extension WHERE extname = 'citus'");
  return found.length > 0;
}
