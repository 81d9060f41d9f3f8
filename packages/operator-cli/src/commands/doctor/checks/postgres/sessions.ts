import { type Finding, unless } from "../../check.ts";
import type { System } from "../../system.ts";

/** A transaction that stays open keeps Postgres from cleaning up, and migrations from their locks. */
const LONGEST_MINUTES = 5;

export async function idleTransactions({ sql }: System): Promise<Finding> {
  const rows = await (await sql())<{ pid: number; who: string; minutes: number }[]>`
    SELECT pid, usename || ' ' || application_name AS who, (extract(epoch FROM now() - state_change) / 60)::int AS minutes
    FROM pg_stat_activity
    WHERE state LIKE 'idle in transaction%' AND now() - state_change > make_interval(mins => ${LONGEST_MINUTES})
    ORDER BY state_change`;
  const problems = rows.map(
    ({ pid, who, minutes }) => `${who.trim()} (pid ${pid}) is idle in a transaction for ${minutes} min`,
  );
  const remedy = rows.map(({ pid }) => `SELECT pg_terminate_backend(${pid});`).join(" ");
  return unless(problems, `none idle for ${LONGEST_MINUTES} min`, remedy);
}

/** Each of them may have left a dead version of a row, which vacuum keeps for as long as an older snapshot. */
const MOST_TRANSACTIONS = 100_000;

export async function oldSnapshots({ sql }: System): Promise<Finding> {
  const rows = await (await sql())<{ who: string; age: number; remedy: string }[]>`
    SELECT who, age, remedy FROM (
      SELECT format('pid %s (%s %s, %s)', pid, usename, application_name, state) AS who, age(backend_xmin) AS age,
        CASE backend_type WHEN 'walsender' THEN format('end the long queries of the standby %s', application_name)
          ELSE format('SELECT pg_terminate_backend(%s);', pid) END AS remedy
      FROM pg_stat_activity WHERE backend_type <> 'autovacuum worker' AND pid <> pg_backend_pid()
      UNION ALL
      SELECT format('the prepared transaction %s', gid), age(transaction), format('ROLLBACK PREPARED %L;', gid) FROM pg_prepared_xacts
      UNION ALL
      SELECT format('the replication slot %s', slot_name), age(xmin), format('SELECT pg_drop_replication_slot(%L);', slot_name)
      FROM pg_replication_slots
    ) AS holders WHERE age > ${MOST_TRANSACTIONS} ORDER BY age DESC`;
  const problems = rows.map(({ who, age }) => `${who}, for ${age} transactions`);
  return unless(problems, "none that vacuum waits for", rows.map(({ remedy }) => remedy).join(" "));
}
