import { join } from "node:path";
import { connectDatabase } from "@partner-connect/database";
import { postgresAnswers } from "../postgres/connection.ts";
import { startPostgresPart } from "../postgres/start-postgres.ts";
import { freePort } from "../processes/free-port.ts";
import type { Part, Watch } from "../processes/part.ts";
import { StartFailure } from "../processes/start-failure.ts";
import { step } from "../processes/step.ts";
import { MAIN_REDIS, RESOURCE_SERVER_REDIS, type RedisRole, redisAnswers, redisRole } from "../redis/connection.ts";
import { startRedisPart } from "../redis/start-redis.ts";
import type { Crew } from "./crew.ts";
import type { Secrets } from "./secrets.ts";

export interface Stores {
  /** As the database's owner. */
  readonly databaseUrl: string;
  readonly redisUrl: string;
  /** Of the resource server, whose counters and cursor positions may be lost. */
  readonly resourceServerRedisUrl: string;
}

const DATABASE = "partner_connect";

/**
 * Starts the stores, except those that `env` names: they are somebody else's. Where that is only REDIS_URL, it is for
 * both services.
 */
export async function openStores(
  dataDir: string,
  env: Readonly<Record<string, string>>,
  secrets: Secrets,
  crew: Crew,
): Promise<Stores> {
  const { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, RESOURCE_SERVER_REDIS_URL: ofItsOwn } = env;
  const resourceServerRedisUrl = ofItsOwn || redisUrl;
  const urls: Record<string, string> = {};
  const options = async (name: string, password: string) => ({
    dataDir,
    port: await freePort(),
    password,
    durable: true,
    log: join(dataDir, "logs", `${name}.log`),
  });
  const own = async (part: Promise<Part>): Promise<Part> => {
    const { name, url = "" } = await part;
    urls[name] = url;
    return part;
  };
  await Promise.all([
    databaseUrl && mustAnswer("DATABASE_URL", () => postgresAnswers(databaseUrl), crew.watch),
    redisUrl && mustAnswer("REDIS_URL", () => redisAnswers(redisUrl), crew.watch),
    ofItsOwn && mustAnswer("RESOURCE_SERVER_REDIS_URL", () => redisAnswers(ofItsOwn), crew.watch),
  ]);
  const starts: Promise<Part>[] = [];
  if (!databaseUrl) {
    starts.push(own(startPostgresPart(await options("postgres", secrets.postgres_password), crew.watch)));
  }
  const redis = async (role: RedisRole, password: string) =>
    own(startRedisPart({ ...(await options(role.name, password)), ...redisRole(role, env) }, crew.watch));
  if (!redisUrl) starts.push(redis(MAIN_REDIS, secrets.redis_password));
  if (!resourceServerRedisUrl) starts.push(redis(RESOURCE_SERVER_REDIS, secrets.resource_server_redis_password));
  await crew.add(...starts);
  return {
    databaseUrl: databaseUrl || (await ensureDatabase(urls["postgres"] ?? "")),
    redisUrl: redisUrl || (urls[MAIN_REDIS.name] ?? ""),
    resourceServerRedisUrl: resourceServerRedisUrl || (urls[RESOURCE_SERVER_REDIS.name] ?? ""),
  };
}

/** A store of somebody else's can't be started from here, so nothing waits for it. */
async function mustAnswer(variable: string, answers: () => Promise<boolean>, { report }: Watch): Promise<void> {
  const why = await step(report, `asking the store at ${variable}`, answers).then(
    (answered) => (answered ? null : "no answer"),
    (error: Error & { errors?: Error[] }) => error.errors?.[0]?.message ?? error.message,
  );
  if (why !== null) throw new StartFailure(`nothing answers at ${variable}: ${why}`);
}

/** The system's own database in the cluster at `clusterUrl`. */
async function ensureDatabase(clusterUrl: string): Promise<string> {
  const sql = connectDatabase(clusterUrl, { name: "local-stack", connections: 1 });
  try {
    const [found] = await sql`SELECT FROM pg_database WHERE datname = ${DATABASE}`;
    if (!found) await sql`CREATE DATABASE ${sql(DATABASE)}`;
  } finally {
    await sql.end();
  }
  const url = new URL(clusterUrl);
  url.pathname = `/${DATABASE}`;
  return url.href;
}
