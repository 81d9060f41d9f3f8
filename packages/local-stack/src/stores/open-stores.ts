import { join } from "node:path";
import { changeDatabaseUrl } from "@partner-connect/database";
import { freePort } from "@partner-connect/service-runtime/free-port";
import { type StackContext, StartFailure, type SupervisedProcess } from "../processes.ts";
import { awaitPostgres, startPostgresStore, withDatabase } from "./postgres.ts";
import { awaitRedis, startRedisStore } from "./redis.ts";

export interface Stores {
  /** The database's URL for its owner. */
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly resourceServerRedisUrl: string;
}

const DATABASE = "partner_connect";

/**
 * Starts the stores that `env` doesn't name. Where it names only REDIS_URL, both servers use that
 * Redis.
 */
export async function openStores(
  dataDir: string,
  env: Readonly<Record<string, string>>,
  password: string,
  context: StackContext,
  awaitStarts: (...starts: Promise<SupervisedProcess>[]) => Promise<void>,
): Promise<Stores> {
  const { DATABASE_URL: database, REDIS_URL: redis } = env;
  const resourceServerRedis = env["RESOURCE_SERVER_REDIS_URL"] || redis;
  // Check a given store once, because the stack can't start it.
  const asked = ["DATABASE_URL", "REDIS_URL", "RESOURCE_SERVER_REDIS_URL"].map(async (variable) => {
    const url = env[variable];
    if (!url) return;
    context.report(`connecting to the store at ${variable}`);
    await (variable === "DATABASE_URL" ? awaitPostgres : awaitRedis)(url).catch((error: Error) => {
      throw new StartFailure(`nothing answers at ${variable}: ${error.message}`);
    });
  });
  await Promise.all(asked);
  const specOf = async <Name extends string>(name: Name) => {
    const log = join(dataDir, "logs", `${name}.log`);
    return { name, dataDir, port: await freePort(), password, log, durable: true };
  };
  const specs = [
    await specOf("postgres"),
    await specOf("redis"),
    await specOf("resource-server-redis"),
  ] as const;
  const postgresStore = database ? null : startPostgresStore(specs[0], context);
  const redisStore = redis ? null : startRedisStore(specs[1], context);
  const resourceServerStore = resourceServerRedis ? null : startRedisStore(specs[2], context);
  const starts = [postgresStore, redisStore, resourceServerStore];
  await awaitStarts(...starts.filter((start) => start !== null));
  const urlOf = async (store: Promise<SupervisedProcess> | null) => (await store)?.url ?? "";
  return {
    databaseUrl: database || (await ensureDatabase(await urlOf(postgresStore))),
    redisUrl: redis || (await urlOf(redisStore)),
    resourceServerRedisUrl: resourceServerRedis || (await urlOf(resourceServerStore)),
  };
}

/** Creates our database in the cluster at `clusterUrl` if it is missing, and returns its URL. */
async function ensureDatabase(clusterUrl: string): Promise<string> {
  await withDatabase(clusterUrl, null, async (sql) => {
    const [found] = await sql`SELECT FROM pg_database WHERE datname = ${DATABASE}`;
    if (!found) await sql`CREATE DATABASE ${sql(DATABASE)}`;
  });
  return changeDatabaseUrl(clusterUrl, { database: DATABASE });
}
