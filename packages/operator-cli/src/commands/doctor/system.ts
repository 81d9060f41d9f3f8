import type { Sql } from "@partner-connect/database";
import type { Replica } from "../../replicas/replica.ts";
import type { Config } from "../../run/config.ts";
import { OperatorError } from "../../run/operator-error.ts";
import { findStack, type Stack } from "../../run/stack.ts";
import { type RedisState, readRedis } from "./redis-state.ts";
import { askReplica, type ReplicaAnswer } from "./replica-answer.ts";

export type RedisName = "redis" | "resource-server-redis";

/** What the checks ask. Each is opened once, when the first check needs it; where it fails to open, every check that needs it is told so. */
export interface System {
  readonly config: Config;
  readonly replicas: readonly Replica[];
  stack(): Promise<Stack>;
  sql(): Promise<Sql>;
  redis(name: RedisName): Promise<RedisState>;
  /** Of each replica, in their order. */
  answers(path: string): Promise<readonly ReplicaAnswer[]>;
  close(): Promise<void>;
}

const STATEMENT_TIMEOUT_MS = 10_000;
/** Checks run side by side. */
const CONNECTIONS = 3;

export function openSystem(config: Config, replicas: readonly Replica[]): System {
  const opened = new OpenedOnce();
  const stack = () => opened.open("stack", () => findStack(config));
  return {
    config,
    replicas,
    stack,
    sql: () =>
      opened.open("sql", async () => {
        const { databaseUrl } = await stack();
        const { connectDatabase } = await import("@partner-connect/database");
        const options = { name: "partner-connect", connections: CONNECTIONS, statementTimeout: STATEMENT_TIMEOUT_MS };
        const sql = connectDatabase(databaseUrl, options);
        opened.onClose(() => sql.end({ timeout: 1 }));
        return sql;
      }),
    redis: (name) =>
      opened.open(name, async () => {
        const { redisUrl, resourceServerRedisUrl } = await stack();
        const [url, variable] =
          name === "redis"
            ? ([redisUrl, "REDIS_URL"] as const)
            : ([resourceServerRedisUrl, "RESOURCE_SERVER_REDIS_URL"] as const);
        if (url === null) throw new OperatorError(`${variable} is not set`, { hint: `set ${variable}` });
        return await readRedis(url);
      }),
    answers: (path) =>
      opened.open(`replicas ${path}`, () => Promise.all(replicas.map((replica) => askReplica(replica, path)))),
    close: () => opened.close(),
  };
}

/** Opens each thing once, and closes what was opened. */
class OpenedOnce {
  readonly #open = new Map<string, Promise<unknown>>();
  readonly #closing: (() => Promise<void>)[] = [];

  open<T>(name: string, open: () => Promise<T>): Promise<T> {
    const known = this.#open.get(name) as Promise<T> | undefined;
    if (known) return known;
    const opening = open();
    this.#open.set(name, opening);
    return opening;
  }

  onClose(close: () => Promise<void>): void {
    this.#closing.push(close);
  }

  async close(): Promise<void> {
    await Promise.all(this.#closing.map((close) => close()));
  }
}
