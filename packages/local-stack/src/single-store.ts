import { randomBytes } from "node:crypto";
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "@partner-connect/service-runtime/free-port";
import type { StorePlace } from "./containers/start-store.ts";
import { startPostgresStore } from "./postgres/start-postgres.ts";
import { type StackContext, type SupervisedProcess, startWatchdog } from "./processes/supervised-process.ts";
import { MAIN_REDIS, redisRole, startRedisStore } from "./redis/start-redis.ts";

export interface StoreOptions {
  readonly dataDir: string;
  readonly port?: number;
  readonly report?: (line: string) => void;
}

/** A store without the rest of the stack, for tests. */
export type Store = SupervisedProcess & { readonly url: string };

/** Postgres; `url` is its owner's. The password is a new one: for a cluster that exists already, pass its `password`. */
export async function startPostgres(
  options: StoreOptions & { readonly password?: string; readonly durable?: boolean },
): Promise<Store> {
  const { password = newPassword(), durable = false } = options;
  return await startAlone(options, "postgres", (place, context) =>
    startPostgresStore({ ...place, password, durable }, context),
  );
}

/** Redis, with every write on disk before it is acknowledged. In a container the data end with it. */
export async function startRedis(options: StoreOptions): Promise<Store> {
  return await startAlone(options, "redis", (place, context) =>
    startRedisStore({ ...place, ...redisRole(MAIN_REDIS, {}), password: newPassword(), durable: false }, context),
  );
}

function newPassword(): string {
  return randomBytes(24).toString("base64url");
}

async function startAlone(
  options: StoreOptions,
  name: string,
  start: (place: Pick<StorePlace, "dataDir" | "port" | "log">, context: StackContext) => Promise<SupervisedProcess>,
): Promise<Store> {
  await mkdir(options.dataDir, { recursive: true });
  const dataDir = await realpath(options.dataDir);
  const port = options.port ?? (await freePort());
  const watchdog = startWatchdog();
  const context: StackContext = { report: options.report ?? (() => {}), changed: () => {}, watchdog };
  try {
    const store = await start({ dataDir, port, log: join(dataDir, `${name}.log`) }, context);
    return {
      name,
      url: store.url ?? "",
      get pid() {
        return store.pid;
      },
      async stop() {
        await store.stop();
        await watchdog.release();
      },
    };
  } catch (error) {
    await watchdog.release();
    throw error;
  }
}
