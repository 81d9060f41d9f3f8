import type { TransactionSql } from "postgres";

/**
 * Makes our functions on every node, now and when one is added. Citus does that by itself for those that are made once the database is
 * a cluster's; not for those of a database that became one.
 */
export async function distributeFunctions(tx: TransactionSql): Promise<void> {
  await tx`
    SELECT create_distributed_function(p.oid::regprocedure) FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace
    WHERE nspname IN ('directory', 'oauth', 'survey')
      AND NOT EXISTS (SELECT FROM pg_dist_object WHERE classid = 'pg_proc'::regclass AND objid = p.oid)
    ORDER BY p.oid`;
}
