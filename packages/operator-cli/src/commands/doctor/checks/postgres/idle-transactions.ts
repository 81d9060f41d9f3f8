import type { Check } from "../../check.ts";
import { unless } from "../../finding.ts";

/** A transaction that stays open keeps Postgres from cleaning up, and migrations from their locks. */
const LONGEST_MINUTES = 5;

export const idleTransactions: Check = {
  name: "postgres-transactions",
  async look({ sql }) {
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
  },
};
