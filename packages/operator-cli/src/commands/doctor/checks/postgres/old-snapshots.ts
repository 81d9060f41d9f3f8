import type { Check } from "../../check.ts";
import { unless } from "../../finding.ts";

/** Each of them may have left a dead version of a row, which vacuum keeps for as long as an older snapshot. */
const MOST_TRANSACTIONS = 100_000;

export const oldSnapshots: Check = {
  name: "postgres-snapshots",
  async look({ sql }) {
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
  },
};
