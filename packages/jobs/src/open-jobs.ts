import { arrayLiteral, type Row, type Sql } from "@partner-connect/database";
import { type ConstructorOptions, PgBoss } from "pg-boss";
import type { JobSchema } from "./queues.ts";

/**
 * Creates the pg-boss of a queue schema for the process that runs its jobs. The caller calls
 * `start()` and `stop()`, and handles `error` events.
 */
export function openJobs(sql: Sql, schema: JobSchema): PgBoss {
  return new PgBoss({
    ...bossOptions(sql, schema),
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
  });
}

export function bossOptions(sql: Sql, schema: string): ConstructorOptions {
  return {
    db: pgBossDatabase(sql),
    schema,
    migrate: false,
    createSchema: false,
    registerInstance: false,
    // Index rebuilds and checks of vacuum need more rights than the role has. Schedules need the
    // right to create queues.
    ...{ reindex: false, monitorVacuum: false, schedule: false },
  };
}

/**
 * Lets pg-boss use our pool, which leaves a demoted server. pg-boss passes values as to
 * node-postgres.
 */
function pgBossDatabase(sql: Sql): NonNullable<ConstructorOptions["db"]> {
  return {
    async executeSql(text, values = []) {
      const transaction = /^\s*BEGIN;([\s\S]*)\bCOMMIT;\s*$/.exec(text);
      const sent = values.map((value) => (Array.isArray(value) ? arrayLiteral(value) : value));
      const found = transaction
        ? await sql.begin((tx) => tx.unsafe(transaction[1] ?? ""))
        : await sql.unsafe<Row[]>(text, sent as string[], { prepare: sent.length > 0 });
      // A text of several statements returns a result for each.
      return { rows: found.flat() };
    },
  };
}
