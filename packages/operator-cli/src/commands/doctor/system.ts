import { clusterAddress, clusterNodeUrl } from "@partner-connect/service-runtime/environment";
import { Redis } from "ioredis";
import type { Config } from "../../config.ts";
import { OperatorError } from "../../errors.ts";
import { findStack, type Replica } from "../../stack.ts";

export type System = ReturnType<typeof openSystem>;

const STATEMENT_TIMEOUT_MS = 10_000;
/** Timeout of a Redis server's or a replica's answer in milliseconds. */
const LIMIT_MS = 3000;

/** Access to the stores and replicas. A store is opened once, when the first check needs it. */
export function openSystem(config: Config, replicas: readonly Replica[]) {
  const toClose = new AsyncDisposableStack();
  const stack = memoize(() => findStack(config));
  const sql = memoize(async () => {
    const { databaseUrl } = await stack();
    const { connectDatabase } = await import("@partner-connect/database");
    const options = { connections: 3, statementTimeout: STATEMENT_TIMEOUT_MS, standby: true };
    const sql = connectDatabase(databaseUrl, { name: "partner-connect", ...options });
    return toClose.adopt(sql, () => sql.end({ timeout: 1 }));
  });
  return {
    config,
    replicas,
    sql,
    /** Differences of the schema and of the roles' rights from what the migrations created. */
    differences: memoize(async () =>
      (await import("@partner-connect/database")).schemaDifferences(await sql()),
    ),
    redis: memoize(async () => readRedis("REDIS_URL", (await stack()).redisUrl)),
    resourceServerRedis: memoize(async () =>
      readRedis("RESOURCE_SERVER_REDIS_URL", (await stack()).resourceServerRedisUrl),
    ),
    answers: (path: string) => Promise.all(replicas.map((replica) => askReplica(replica, path))),
    [Symbol.asyncDispose]: () => toClose.disposeAsync(),
  };
}

function memoize<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined;
  return () => (opened ??= open());
}

/** Checks a part of the system. It throws if that part can't be queried. */
export type Check = (system: System) => Promise<Finding>;

export interface Finding {
  /** True if there is no problem. There may be warnings. */
  readonly ok: boolean;
  /** The state or the problems, in one line without secrets. */
  readonly found: string;
  /** The suggested remedy; null if there is neither a problem nor a warning. */
  readonly remedy: string | null;
  /** True if checks that need this one would only report the same cause. */
  readonly blocks?: boolean;
}

export type Problem = readonly [found: string, remedy: string];

/** A list with the problem, or without it if the condition is false. */
export const problemIf = (is: boolean, found: string, remedy: string): Problem[] =>
  is ? [[found, remedy]] : [];

export function findingOf(
  found: string,
  problems: readonly Problem[],
  warnings: readonly Problem[] = [],
): Finding {
  const all = [...problems, ...warnings];
  if (all.length === 0) return { ok: true, found, remedy: null };
  return {
    ok: problems.length === 0,
    found: all.map(([found]) => found).join("; "),
    remedy: [...new Set(all.map(([, remedy]) => remedy))].join("; "),
  };
}

/**
 * The least number of seconds by which another clock is ahead of ours (negative: behind). Between
 * `asked` and `answered` it showed `theirs`, or up to `resolution` ms more.
 */
export function secondsAhead(theirs: number, asked: number, answered: number, resolution: number) {
  if (theirs > answered) return (theirs - answered) / 1000;
  if (theirs + resolution < asked) return (theirs + resolution - asked) / 1000;
  return 0;
}

export type ReplicaAnswer = Awaited<ReturnType<typeof askReplica>>;

async function askReplica({ name, url }: Replica, path: string) {
  const asked = Date.now();
  try {
    const response = await fetch(url + path, {
      redirect: "error",
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    const text = await response.text();
    const theirs = Date.parse(response.headers.get("date") ?? ""); // whole seconds
    return {
      name,
      status: response.status,
      text,
      secondsAhead: secondsAhead(theirs, asked, Date.now(), 1000),
    };
  } catch (error) {
    const { name: kind, message, cause } = error as Error & { cause?: NodeJS.ErrnoException };
    const isLate = kind === "TimeoutError";
    return {
      name,
      problem: isLate ? `no answer within ${LIMIT_MS / 1000} s` : (cause?.code ?? message),
    };
  }
}

export const successfulAnswers = (answers: readonly ReplicaAnswer[]) =>
  answers.flatMap((answer) => (answer.status === 200 ? [answer] : []));

export type RedisState = Awaited<ReturnType<typeof readRedis>>;

/**
 * Reads the state of a Redis or Valkey server, or of each server of a cluster. @throws
 * {OperatorError} without a URL or an answer
 */
export async function readRedis(variable: string, url: string | null) {
  if (!url) throw new OperatorError(`${variable} is not set`, { hint: `set ${variable}` });
  const address = clusterAddress(url);
  if (!address) return { servers: [await readRedisServer(url, "")], isCluster: false };
  const seeds = address.map(({ href, host }) =>
    askRedis(href, host, (redis) => redis.cluster("NODES")),
  );
  const nodes = await Promise.any(seeds).catch(({ errors }: AggregateError) =>
    Promise.reject(errors[0]),
  );
  const servers = [...String(nodes).matchAll(NODE)].map(async ([, ip = "", port, hostname]) => {
    const host = hostname || ip;
    const name = `${host}:${port}`;
    return await readRedisServer(clusterNodeUrl(address, host, Number(port)), name).catch(() => ({
      name,
      values: null,
    }));
  });
  return {
    servers: (await Promise.all(servers)).sort((a, b) => (a.name < b.name ? -1 : 1)),
    isCluster: true,
  };
}

/** `id ip:port@bus,hostname flags …`: https://redis.io/docs/latest/commands/cluster-nodes/ */
const NODE = /^\w+ ([^ ]+):(\d+)@\d+(?:,([^ ,]*))?/gm;

const SETTINGS = [
  ...["appendonly", "appendfsync", "maxmemory", "maxmemory-policy", "stop-writes-on-bgsave-error"],
  "cluster-require-full-coverage",
] as const;

/**
 * Reads a server's settings and the fields of INFO and, in a cluster, CLUSTER INFO. `name` is
 * `host:port` in a cluster, else empty.
 */
async function readRedisServer(url: string, name: string) {
  return await askRedis(url, name, async (redis) => {
    const info = (await redis.info()) + (name && (await redis.cluster("INFO")));
    const listed = (
      (await redis.config("GET", ...(SETTINGS as unknown as [string]))) as unknown[]
    ).map(String);
    const values = new Map([
      ...Array.from(
        info.matchAll(/^(\w+):(.*)$/gm),
        ([, field = "", value = ""]) => [field, value] as const,
      ),
      ...SETTINGS.map((setting) => [setting, listed[listed.indexOf(setting) + 1] ?? ""] as const),
    ]);
    return { name, values };
  });
}

async function askRedis<Answer>(url: string, name: string, ask: (redis: Redis) => Promise<Answer>) {
  const redis = new Redis(url, {
    connectionName: "partner-connect",
    lazyConnect: true,
    connectTimeout: LIMIT_MS,
    commandTimeout: LIMIT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let cause: NodeJS.ErrnoException | undefined; // connect() rejects with "Connection is closed."
  redis.on("error", (error) => {
    cause = error;
  });
  try {
    await redis.connect().catch((error: NodeJS.ErrnoException) => {
      const { code, message } = cause ?? error;
      // An error of Redis begins with its code, such as NOAUTH. No message contains a password.
      const reason = code ?? /^[A-Z]{3,}/.exec(message)?.[0] ?? message;
      const problem = `Redis${name && ` at ${name}`} does not answer (${reason})`;
      throw new OperatorError(problem, { hint: "is it running, and is its URL the right one?" });
    });
    return await ask(redis);
  } finally {
    redis.disconnect();
  }
}
