import { join } from "node:path";
import type { Actor } from "@partner-connect/audit";
import { connectDatabase, type Sql } from "@partner-connect/database";
import type { LocalStack, LocalStackOptions } from "@partner-connect/local-stack";
import { Redis } from "ioredis";
import type { SandboxClock } from "../clock/sandbox-clock.ts";

const TRIGGER_OPTIONS = ["connection", "shop", "client", "seconds", "plan", "response", "count"] as const;

type TriggerOption = (typeof TRIGGER_OPTIONS)[number];

export type TriggerOptions = { readonly [option in TriggerOption]?: string };

/** Something that a partner meets in years, brought about now, by what brings it about in production. */
export interface Trigger {
  readonly name: string;
  readonly does: string;
  readonly partner: string;
  readonly options: readonly TriggerOption[];
  pull(world: SandboxWorld, options: TriggerOptions, actor: Actor): Promise<Readonly<Record<string, unknown>>>;
}

/** The trigger can't be pulled as it was asked. The message is one line for people. */
export class TriggerError extends Error {
  readonly code = "TRIGGER";
}

export type SandboxWorld = ReturnType<typeof sandboxWorld>;

/** A trigger waits no longer for a lock, such as that of `unavailable`. */
const STATEMENT_TIMEOUT_MS = 10_000;

export function sandboxWorld(
  stack: LocalStack,
  { dataDir, env = {} }: Pick<LocalStackOptions, "dataDir" | "env">,
  clock: SandboxClock,
  stopping: AbortSignal,
) {
  const seconds = (variable: string, fallback: number) => Number(env[variable] || fallback);
  return {
    stack,
    clock,
    stopping,
    signingKeysFile: join(dataDir, "signing-keys.json"),
    /** In seconds, as the services have them. */
    lifetimes: {
      code: seconds("AUTHORIZATION_CODE_TTL_SECONDS", 300),
      accessToken: seconds("ACCESS_TOKEN_TTL_SECONDS", 900),
      refreshToken: seconds("REFRESH_TOKEN_TTL_SECONDS", 30 * 86_400),
    },
    withDatabase: <Result>(work: (sql: Sql) => Promise<Result>) => withDatabase(stack.state.database_url, work),
  };
}

async function withDatabase<Result>(url: string, work: (sql: Sql) => Promise<Result>): Promise<Result> {
  const sql = connectDatabase(url, {
    name: "sandbox trigger",
    connections: 1,
    statementTimeout: STATEMENT_TIMEOUT_MS,
  });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

export async function withRedis<Result>(url: string, work: (redis: Redis) => Promise<Result>): Promise<Result> {
  const redis = new Redis(url, { maxRetriesPerRequest: 2 });
  redis.on("error", () => {});
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}
