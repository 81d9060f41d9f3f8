import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestTemplates } from "@partner-connect/database/testing";
import { installJobs } from "@partner-connect/jobs";
import {
  removeData,
  type Store,
  type StoreOptions,
  startPostgres,
  startRedis,
} from "@partner-connect/local-stack/testing";
import { startRedisCluster } from "@partner-connect/service-runtime/testing";
import { Redis } from "ioredis";
import { PATIENT_CLUSTER } from "../faults/breakable-redis.ts";

/**
 * The stores of a run, in `TEST_DATABASE_URL` and `TEST_REDIS_URL`. The first project that needs
 * them starts them, and the last one stops them. In `pnpm test:cluster` they are clusters.
 */
interface Shared {
  users: number;
  readonly stores: Promise<{ readonly parts: readonly Part[]; readonly folder: string }>;
}

const KEY = Symbol.for("partner-connect test stores");
const world = globalThis as unknown as Record<symbol, Shared | undefined>;

export default async function setup(): Promise<() => Promise<void>> {
  const shared = world[KEY] ?? { users: 0, stores: start() };
  world[KEY] = shared;
  shared.users += 1;
  await shared.stores;
  return async () => {
    shared.users -= 1;
    if (shared.users > 0) return;
    delete world[KEY];
    const { parts, folder } = await shared.stores;
    await Promise.all(parts.map((part) => part.stop()));
    await removeData(folder);
  };
}

async function start() {
  const folder = await mkdtemp(join(tmpdir(), "partner-connect-test-"));
  // A missing Redis is installed, which takes a while and so is reported.
  const options = { dataDir: folder, report: (line: string) => void console.log(`  ${line}`) };
  const parts = await Promise.all([startDatabase(options), startRunRedis(options)]);
  const [database, redis] = parts;
  process.env["TEST_DATABASE_URL"] = database.url;
  if (process.env["CITUS_URL"]) process.env["TEST_DATABASE_WORKERS"] = process.env["CITUS_WORKERS"];
  await createTestTemplates(database.url, installJobs);
  process.env["TEST_REDIS_URL"] = redis.url;
  return { parts, folder };
}

type Part = Pick<Store, "url" | "stop">;

/** A Postgres of the run, or the Citus cluster whose coordinator is at `CITUS_URL`. */
async function startDatabase(options: StoreOptions): Promise<Part> {
  const citus = process.env["CITUS_URL"];
  return citus ? { url: citus, stop: async () => {} } : await startPostgres(options);
}

/** One Redis; with `REDIS_CLUSTER` three masters with a replica each. */
async function startRunRedis(options: StoreOptions): Promise<Part> {
  if (process.env["REDIS_CLUSTER"]) return await startRedisCluster(PATIENT_CLUSTER);
  const redis = await startRedis(options);
  // Like the run's Postgres, this Redis never syncs: its data may be lost, and a disk that is busy
  // for a second would count as a store that is down.
  const client = new Redis(redis.url);
  await client.config("SET", "appendfsync", "no");
  client.disconnect();
  return redis;
}
