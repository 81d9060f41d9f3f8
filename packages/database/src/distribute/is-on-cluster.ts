import type { ISql } from "postgres";

/** Whether the database is one of a Citus cluster. Its tables may be distributed already, or will be. */
export async function isOnCluster(sql: ISql): Promise<boolean> {
  const found = await sql`SELECT FROM pg_extension WHERE extname = 'citus'`.simple();
  return found.length > 0;
}
