import type { ISql } from "postgres";

/** Whether the database has the extension. Its tables may be distributed already, or will be. */
export async function isOnCitus(sql: ISql): Promise<boolean> {
  const found = await sql`SELECT FROM pg_extension WHERE extname = 'citus'`.simple();
  return found.length > 0;
}
