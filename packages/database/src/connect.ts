import postgres from "postgres";

export type Sql = postgres.Sql;

export interface DatabaseOptions {
  /** Shown in pg_stat_activity. */
  readonly name: string;
  /** Connections of this process; a few pipelined ones beat many. */
  readonly connections?: number;
  /** Milliseconds after which Postgres ends a statement. */
  readonly statementTimeout?: number;
  /** Settings of every session, such as the planner's. */
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * A pool on `url`. It connects on first use and by itself again after a loss. `end()` waits for what is running, for
 * {@link END_SECONDS} at most.
 * Passwords and parameters never reach an error's text: postgres.js puts neither there.
 */
export function connectDatabase(url: string, options: DatabaseOptions): Sql {
  const sql = postgres(url, {
    max: options.connections ?? 4,
    connect_timeout: 2,
    backoff: (attempt) => Math.min(0.1 * 2 ** attempt, 1),
    onnotice: () => {},
    connection: {
      application_name: options.name,
      ...(options.statementTimeout && { statement_timeout: options.statementTimeout }),
      ...options.settings,
    },
  });
  const end = sql.end;
  sql.end = (limit) => end({ timeout: END_SECONDS, ...limit });
  return sql;
}

/** Without a limit postgres.js waits for ever for a connection that was lost with a statement on it. */
const END_SECONDS = 5;
