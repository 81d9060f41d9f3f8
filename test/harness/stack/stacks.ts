import { readFileSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { changeDatabaseUrl, parseDatabaseUrl } from "@partner-connect/database";
import {
  freshDatabase,
  type TestDatabase,
  unmigratedDatabase,
} from "@partner-connect/database/testing";
import {
  type LocalStackOptions,
  type LocalStackState,
  startLocalStack,
} from "@partner-connect/local-stack";
import { removeData } from "@partner-connect/local-stack/testing";
import { freshRedis } from "@partner-connect/service-runtime/testing";

/** Rate limits that no test reaches. */
export const UNLIMITED = {
  AUTHORIZE_RATE_LIMIT: "1000000",
  TOKEN_RATE_LIMIT: "1000000",
  API_RATE_LIMIT: "1000000",
} as const;

/** A stack as a test sees it: its URLs, and the folder for the operator's command line. */
export interface StackUnderTest extends LocalStackState {
  readonly dataDir: string;
}

/** The stack that the whole run shares. Don't break it, slow it down or empty its stores. */
export function mainStack(): StackUnderTest {
  const dataDir = process.env["TEST_STACK_DATA_DIR"];
  if (!dataDir) throw new Error("TEST_STACK_DATA_DIR is not set: run the tests with `pnpm test`");
  return { ...JSON.parse(readFileSync(join(dataDir, "local-stack.json"), "utf8")), dataDir };
}

export type OwnStack = Awaited<ReturnType<typeof startOwnStack>>;

export interface OwnStackOptions extends Pick<LocalStackOptions, "apart" | "port"> {
  /** Settings such as short lifetimes. Rate limits that are not set here are never reached. */
  readonly env?: Readonly<Record<string, string>>;
  /** Gives the stack its own Postgres and Redis, which a test may kill. Default: the run's. */
  readonly ownStores?: boolean;
  /** The content of another stack's signing key file. Default: a new key. */
  readonly signingKeys?: string;
}

/** Most tests read no feed, so need no worker. Others set `WORKER_REPLICAS: "1"`. */
const NO_WORKER = { WORKER_REPLICAS: "0" };

/** Starts a stack for one test file, which stops it. On the run's stores it takes two seconds. */
export async function startOwnStack(options: OwnStackOptions = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), "partner-connect-stack-"));
  if (options.signingKeys)
    await writeFile(join(dataDir, "signing-keys.json"), options.signingKeys, { mode: 0o600 });
  const stores = options.ownStores ? null : await createRunStores();
  const env = { ...UNLIMITED, ...NO_WORKER, ...replicaVariables(), ...stores?.env, ...options.env };
  const { apart = false, port = 0 } = options;
  const stack = await startLocalStack({ dataDir, env, apart, port });
  return {
    internalUrls: stack.state.internal_urls,
    /** The stack's state now: a restarted process has another id. */
    get now(): StackUnderTest {
      return { ...stack.state, dataDir };
    },
    async stop() {
      await stack.stop();
      await stores?.drop();
      await removeData(dataDir);
    },
  };
}

/** Creates a database and a Redis in the stores of the run, as variables for a stack. */
async function createRunStores() {
  const database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  const redis = await freshRedis(process.env["TEST_REDIS_URL"]);
  return {
    env: { ...databaseVariables(database), REDIS_URL: redis.url },
    async drop() {
      await Promise.all([database.drop(), redis.drop()]);
    },
  };
}

/** A database for another system, in the Postgres of the run. */
export const emptyDatabase = () => unmigratedDatabase(process.env["TEST_DATABASE_URL"]);

/** On a Citus cluster the services are on its workers, as each of them can serve every shop. */
export function databaseVariables({ url, workers }: Pick<TestDatabase, "url" | "workers">) {
  if (workers.length === 0) return { DATABASE_URL: url };
  const hosts = workers.flatMap((worker) => parseDatabaseUrl(worker).hosts);
  const parameters = new URLSearchParams({ load_balance_hosts: "random" });
  return {
    DATABASE_URL: url,
    SERVICES_DATABASE_URL: changeDatabaseUrl(url, { hosts, parameters }),
  };
}

/** The run's number of replicas of each server (`TEST_REPLICAS`), as variables for a stack. */
export function replicaVariables(): Record<string, string> {
  const count = process.env["TEST_REPLICAS"];
  return count ? { AUTHORIZATION_SERVER_REPLICAS: count, RESOURCE_SERVER_REPLICAS: count } : {};
}
