import type { Config } from "../../config.ts";
import { OperatorError } from "../../errors.ts";
import { findStack, type Replica, type Stack } from "../../stack.ts";
import { askReplica } from "./ask-replicas.ts";
import { readRedis } from "./redis-state.ts";

type RedisName = "redis" | "resource-server-redis";

export type System = ReturnType<typeof openSystem>;

const STATEMENT_TIMEOUT_MS = 10_000;
/** Checks run side by side. */
const CONNECTIONS = 3;

/** What the checks ask. Each is opened once, when the first check needs it. */
export function openSystem(config: Config, replicas: readonly Replica[]) {
  const opened = new Map<string, Promise<unknown>>();
  const once = <T>(name: string, open: () => Promise<T>): Promise<T> => {
    const opening = (opened.get(name) as Promise<T> | undefined) ?? open();
    opened.set(name, opening);
    return opening;
  };
  const toClose = new AsyncDisposableStack();
  const stack = () => once("stack", () => findStack(config));
  const sql = () =>
    once("sql", async () => {
      const { databaseUrl } = await stack();
      const { connectDatabase } = await import("@partner-connect/database");
      const options = { name: "partner-connect", connections: CONNECTIONS, statementTimeout: STATEMENT_TIMEOUT_MS };
      return toClose.adopt(connectDatabase(databaseUrl, { ...options, standby: true }), (sql) =>
        sql.end({ timeout: 1 }),
      );
    });
  return {
    config,
    replicas,
    sql,
    /** Of the schema and of the roles' rights, from what the migrations made. */
    differences: () =>
      once("differences", async () => {
        const { schemaDifferences } = await import("@partner-connect/database");
        return await schemaDifferences(await sql());
      }),
    redis: (name: RedisName) => once(name, async () => await readRedis(redisUrl(name, await stack()))),
    answers: (path: string) =>
      once(`replicas ${path}`, () => Promise.all(replicas.map((one) => askReplica(one, path)))),
    [Symbol.asyncDispose]: () => toClose.disposeAsync(),
  };
}

/** @throws {OperatorError} when nothing says where it is */
function redisUrl(name: RedisName, { redisUrl, resourceServerRedisUrl }: Stack): string {
  const [url, variable] =
    name === "redis" ? [redisUrl, "REDIS_URL"] : [resourceServerRedisUrl, "RESOURCE_SERVER_REDIS_URL"];
  if (url) return url;
  throw new OperatorError(`${variable} is not set`, { hint: `set ${variable}` });
}

/** Looks at one thing that the system relies on. An error that it throws means that it could not be asked. */
export type Check = (system: System) => Promise<Finding>;

export interface Finding {
  /** A warning is ok too. */
  readonly ok: boolean;
  /** The state, in one line. Never a secret. */
  readonly found: string;
  /** What the operator should do; null where there is neither a problem nor a warning. */
  readonly remedy: string | null;
  /** Whether checks that need this one would only report the same cause. */
  readonly blocks?: boolean;
}

/** What is wrong, and what to do about it. */
export type Problem = readonly [found: string, remedy: string];

/** The problem, if it is there. */
export const when = (is: boolean, found: string, remedy: string): Problem[] => (is ? [[found, remedy]] : []);

export function judge(found: string, problems: readonly Problem[], warnings: readonly Problem[] = []): Finding {
  const all = [...problems, ...warnings];
  if (all.length === 0) return { ok: true, found, remedy: null };
  return {
    ok: problems.length === 0,
    found: all.map(([found]) => found).join("; "),
    remedy: [...new Set(all.map(([, remedy]) => remedy))].join("; "),
  };
}
