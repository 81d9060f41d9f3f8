import type { HolderRow, Queries } from "@partner-connect/database";
import { isOnCitus } from "./is-on-citus.ts";

/** $1 is a backend of the node that is asked. `pid` is Citus's number of a session: `pg_terminate_backend` takes it too. */
const HOLDERS = `
  SELECT DISTINCT w.blocking_gpid::float8 AS pid, a.usename AS "user", a.application_name AS application, a.backend_type AS type, a.state, a.query,
    extract(epoch FROM clock_timestamp() - coalesce(a.xact_start, a.query_start))::float8 AS seconds,
    'a table on another node' AS "table"
  FROM citus_lock_waits w LEFT JOIN citus_stat_activity a ON a.global_pid = w.blocking_gpid AND NOT a.is_worker_query
  WHERE w.waiting_gpid = citus_calculate_gpid(citus_nodeid_for_gpid(citus_backend_gpid()), $1::int)`;

/** Who holds, on another node, what this session waits for. Nobody on one Postgres. */
export async function holdersOnOtherNodes(sql: Queries, pid: number): Promise<HolderRow[]> {
  return (await isOnCitus(sql)) ? await sql.unsafe<HolderRow[]>(HOLDERS, [pid]) : [];
}
