import pRetry from "p-retry";
import { connectDatabase } from "../pool/connect.ts";
import { isDatabaseFault } from "../pool/database-fault.ts";
import type { Sql } from "../pool/sql.ts";
import type { ServiceRole } from "./role-password.ts";
import { settingsOf } from "./role-settings.ts";

/** Comparisons of the two connections, because a shared pooler may give them different sessions once. */
const COMPARISONS = 10;

const PAUSE_MS = 1000;
const DEADLINE_MS = 2000;

/**
 * Ends this process, with one line on stderr, unless each connection has its own session with its role's settings: a pooler that shares
 * sessions would mix up prepared statements. The process may start while the database is down; the check is repeated.
 */
export async function requireOwnSession(databaseUrl: string, role: ServiceRole): Promise<void> {
  const check = async () => {
    const problem = await findProblem(databaseUrl, role);
    if (problem === null) return;
    process.stderr.write(`configuration: ${problem}\n`);
    process.exit(1);
  };
  await check().catch((error: unknown) => {
    if (!isDatabaseFault(error)) throw error;
    const pace = { retries: Number.POSITIVE_INFINITY, minTimeout: PAUSE_MS, factor: 1, unref: true };
    void pRetry(check, { ...pace, shouldRetry: ({ error }) => isDatabaseFault(error) });
  });
}

async function findProblem(databaseUrl: string, role: ServiceRole): Promise<string | null> {
  const connect = () => connectDatabase(databaseUrl, { name: `${role} start`, connections: 1, deadline: DEADLINE_MS });
  const [one, other] = [connect(), connect()];
  try {
    return (await sharedSession(one, other)) ?? (await missingSettings(one, role));
  } finally {
    await Promise.all([one.end({ timeout: 0 }), other.end({ timeout: 0 })]);
  }
}

/** Both connections are open, so the same backend for both means a shared session. */
async function sharedSession(one: Sql, other: Sql): Promise<string | null> {
  // Not prepared, because a pooler may share the session.
  const backend = async (sql: Sql): Promise<unknown> =>
    (await sql.unsafe("SELECT pg_backend_pid() || ' since ' || pg_postmaster_start_time() AS process"))[0]?.["process"];
  for (let time = 0; time < COMPARISONS; time++) {
    if ((await backend(one)) !== (await backend(other))) continue;
    return "DATABASE_URL leads to a pooler that shares sessions: PgBouncer needs pool_mode=session";
  }
  return null;
}

async function missingSettings(sql: Sql, role: ServiceRole): Promise<string | null> {
  const wanted = Object.entries(await settingsOf(sql, role));
  const columns = wanted.map(([name]) => `current_setting('${name}') AS "${name}"`);
  const [found] = await sql.unsafe(`SELECT ${columns.join(", ")}`);
  const wrong = wanted.filter(([name, value]) => found?.[name] !== value);
  if (wrong.length === 0) return null;
  const list = wrong.map(([name, value]) => `${name} = ${value}`).join(", ");
  return `sessions of ${role} lack ${list}: run 'partner-connect migrate', and RECONNECT a pooler`;
}
