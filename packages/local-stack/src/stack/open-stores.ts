import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { changeDatabaseUrl } from "@partner-connect/database";
import { freePort } from "@partner-connect/service-runtime/free-port";
import { postgresAnswers, withDatabase } from "../postgres/connection.ts";
import { startPostgresStore } from "../postgres/start-postgres.ts";
import { StartFailure } from "../processes/start-failure.ts";
import { type StackContext, type SupervisedProcess, step } from "../processes/supervised-process.ts";
import {
  givenRedisAnswers,
  MAIN_REDIS,
  RESOURCE_SERVER_REDIS,
  type RedisRole,
  redisRole,
  startRedisStore,
} from "../redis/start-redis.ts";
import { type RunningProcesses, readJson, writeJson } from "./state.ts";

type Secrets = Awaited<ReturnType<typeof readSecrets>>;

/** DATA_DIR/secrets.json, made at the first start. */
export async function readSecrets(dataDir: string) {
  const file = join(dataDir, "secrets.json");
  const secrets = {
    /** Of the cluster's owner. */
    postgres_password: random(),
    redis_password: random(),
    resource_server_redis_password: random(),
    /** From which the services' database passwords derive when DATABASE_URL has no password of its own. */
    role_secret: random(),
    ...(await readJson<object>(file)),
  };
  await writeJson(file, secrets);
  return secrets;
}

function random(): string {
  return randomBytes(24).toString("base64url");
}

export interface Stores {
  /** As the database's owner. */
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly resourceServerRedisUrl: string;
}

const DATABASE = "partner_connect";

/** Starts the stores that `env` doesn't name. Where it names only REDIS_URL, both servers use that Redis. */
export async function openStores(
  dataDir: string,
  env: Readonly<Record<string, string>>,
  secrets: Secrets,
  processes: RunningProcesses,
): Promise<Stores> {
  const { context } = processes;
  const given = {
    database: env["DATABASE_URL"],
    redis: env["REDIS_URL"],
    resourceServerRedis: env["RESOURCE_SERVER_REDIS_URL"],
  };
  await Promise.all([
    mustAnswer("DATABASE_URL", given.database, postgresAnswers, context),
    mustAnswer("REDIS_URL", given.redis, givenRedisAnswers, context),
    mustAnswer("RESOURCE_SERVER_REDIS_URL", given.resourceServerRedis, givenRedisAnswers, context),
  ]);

  const options = async (name: string, password: string) => ({
    dataDir,
    port: await freePort(),
    password,
    durable: true,
    log: join(dataDir, "logs", `${name}.log`),
  });
  const startRedis = async (role: RedisRole, password: string) =>
    await startRedisStore({ ...(await options(role.name, password)), ...redisRole(role, env) }, context);
  const postgres = given.database
    ? undefined
    : startPostgresStore(await options("postgres", secrets.postgres_password), context);
  const redis = given.redis ? undefined : startRedis(MAIN_REDIS, secrets.redis_password);
  const resourceServerRedis =
    given.resourceServerRedis || given.redis
      ? undefined
      : startRedis(RESOURCE_SERVER_REDIS, secrets.resource_server_redis_password);
  const starts = [postgres, redis, resourceServerRedis];
  await processes.add(...starts.filter((start): start is Promise<SupervisedProcess> => start !== undefined));

  const urlOf = async (started: Promise<SupervisedProcess> | undefined) => (await started)?.url ?? "";
  return {
    databaseUrl: given.database || (await ensureDatabase(await urlOf(postgres))),
    redisUrl: given.redis || (await urlOf(redis)),
    resourceServerRedisUrl: given.resourceServerRedis || given.redis || (await urlOf(resourceServerRedis)),
  };
}

/** Asks a given store once: nothing here could start it, so waiting for it would be in vain. */
async function mustAnswer(
  variable: string,
  url: string | undefined,
  answers: (url: string) => Promise<boolean>,
  { report }: StackContext,
): Promise<void> {
  if (!url) return;
  const why = await step(report, `asking the store at ${variable}`, () => answers(url)).then(
    (answered) => (answered ? null : "no answer"),
    (error: Error & { errors?: Error[] }) => error.errors?.[0]?.message ?? error.message,
  );
  if (why !== null) throw new StartFailure(`nothing answers at ${variable}: ${why}`);
}

/** The URL of our database in the cluster at `clusterUrl`, made when it is missing. */
async function ensureDatabase(clusterUrl: string): Promise<string> {
  await withDatabase(clusterUrl, async (sql) => {
    const [found] = await sql`SELECT FROM pg_database WHERE datname = ${DATABASE}`;
    if (!found) await sql`CREATE DATABASE ${sql(DATABASE)}`;
  });
  return changeDatabaseUrl(clusterUrl, { database: DATABASE });
}
