import { setTimeout as pause } from "node:timers/promises";
import type { Sql } from "@partner-connect/database";

/** Milliseconds before the first look, longer than most commands take, and between looks. */
const FIRST_LOOK_MS = 2000;
const PACE_MS = 1000;

/**
 * Ends the wait of the session `pid` for its synchronous standbys after about ten seconds, on a second connection. Postgres has no deadline for
 * that wait. The commit is written on this server by then, so ending the wait lets it succeed.
 */
export function watchCommits(connect: () => Sql, pid: number) {
  const end = new AbortController();
  const { signal } = end;
  let isUnconfirmed = false;
  const watch = async () => {
    await pause(FIRST_LOOK_MS, undefined, { signal });
    const sql = connect();
    try {
      for (; ; await pause(PACE_MS, undefined, { signal })) {
        const ended = await sql`
          SELECT pg_cancel_backend(pid) FROM pg_stat_activity
          WHERE pid = ${pid} AND wait_event = 'SyncRep' AND clock_timestamp() - query_start > '10 s'`;
        isUnconfirmed ||= ended.count > 0;
      }
    } finally {
      await sql.end({ timeout: 1 });
    }
  };
  // Errors here are ignored; the command surfaces any database fault itself.
  const done = watch().catch(() => {});
  return {
    /** Ends the watch. True: a commit was not confirmed by a standby. */
    async stop(): Promise<boolean> {
      end.abort();
      await done;
      return isUnconfirmed;
    },
  };
}
