import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestTemplate } from "@partner-connect/database/testing";
import { removeData, type Store, startPostgres, startRedis } from "@partner-connect/local-stack";

/**
 * One Postgres (or Citus cluster) and one Redis for the whole run. Tests find them in `TEST_DATABASE_URL` and `TEST_REDIS_URL`; each
 * test file makes a database of its own by `freshDatabase`. The projects share this set-up: the first one starts the stores,
 * and the last one stops them.
 */
interface Shared {
  users: number;
  readonly stores: Promise<{ readonly parts: readonly TestStore[]; readonly folder: string }>;
}

type TestStore = Pick<Store, "url" | "stop">;

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

/** A Citus cluster that is there already (`CITUS_URL`, `CITUS_WORKERS`) is used in place of a Postgres. */
async function startOrTakePostgres(options: Parameters<typeof startPostgres>[0]): Promise<TestStore> {
  const url = process.env["CITUS_URL"];
  return url ? { url, stop: async () => {} } : await startPostgres(options);
}

async function start() {
  const folder = await mkdtemp(join(tmpdir(), "partner-connect-test-"));
  // A missing Redis is installed, which takes a while and so is reported.
  const options = { dataDir: folder, report: (line: string) => void console.log(`  ${line}`) };
  const [postgres, redis] = await Promise.all([startOrTakePostgres(options), startRedis(options)]);
  await createTestTemplate(postgres.url);
  process.env["TEST_DATABASE_URL"] = postgres.url;
  process.env["TEST_REDIS_URL"] = redis.url;
  return { parts: [postgres, redis], folder };
}
