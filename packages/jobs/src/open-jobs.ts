import { arrayLiteral, type Row, type Sql } from "@partner-connect/database";
import { type ConstructorOptions, PgBoss } from "pg-boss";
import type { JobSchema } from "./queues.ts";

/**
 * pg-boss on the queues of a schema, for the process that runs their jobs. The caller calls
 * `start()` and `stop()`. Errors are emitted as `error`.
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
    db: queueDatabase(sql),
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
 * pg-boss's access to our own pool, whose statements leave a demoted server. pg-boss passes values
 * as for node-postgres.
 */
function queueDatabase(sql: Sql): NonNullable<ConstructorOptions["db"]> {
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
