import { mkdir, realpath, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { freePort } from "@partner-connect/service-runtime/free-port";
import { newPassword } from "./data-folder.ts";
import type { StackContext, SupervisedProcess } from "./processes.ts";
import {
  INITDB_FLAGS,
  MACHINE_FOLDER,
  prepareBinaries,
  startPostgresStore,
  UNPRIVILEGED_USER,
} from "./stores/postgres.ts";
import { startRedisStore } from "./stores/redis.ts";
import { removeVolumes } from "./stores/store.ts";

export { gateway, listenOnLocalhost } from "./gateway/gateway.ts";

export interface StoreOptions {
  readonly dataDir: string;
  readonly port?: number;
  readonly report?: (line: string) => void;
}

/** A store without the rest of the stack, for tests. */
export type Store = SupervisedProcess & { readonly url: string };

/** Postgres; `url` is its owner's. For a cluster that exists already, pass its `password`. */
export async function startPostgres(
  options: StoreOptions & { readonly password?: string; readonly durable?: boolean },
): Promise<Store> {
  const { password = newPassword(), durable = false } = options;
  const spec = await specOf("postgres", options);
  return (await startPostgresStore({ ...spec, password, durable }, quiet(options))) as Store;
}

/** Redis, with every write on disk before it is acknowledged. A container's data end with it. */
export async function startRedis(options: StoreOptions): Promise<Store> {
  const spec = await specOf("redis", options);
  return (await startRedisStore(
    { ...spec, password: newPassword(), durable: false },
    quiet(options),
  )) as Store;
}

async function specOf<Name extends string>(name: Name, options: StoreOptions) {
  await mkdir(options.dataDir, { recursive: true });
  const dataDir = await realpath(options.dataDir);
  return {
    name,
    dataDir,
    port: options.port ?? (await freePort()),
    log: join(dataDir, `${name}.log`),
  };
}

function quiet({ report = () => {} }: StoreOptions): StackContext {
  return { report, pidChanged: () => {} };
}

/** Removes the DATA_DIR of a stopped stack, with its containers' volumes and its cluster. */
export async function removeData(dataDir: string): Promise<void> {
  await removeVolumes(dataDir);
  const cluster = await realpath(join(dataDir, "postgres")).catch(() => null);
  if (cluster?.startsWith(`${MACHINE_FOLDER}/`))
    await rm(dirname(cluster), { recursive: true, force: true });
  await rm(dataDir, { recursive: true, force: true });
}

export type PostgresPrograms = Awaited<ReturnType<typeof postgresPrograms>>;

/** Postgres's programs from npm, for tests that run clusters of their own. */
export async function postgresPrograms() {
  const binaries = await prepareBinaries(() => {});
  return { ...binaries, initdbFlags: INITDB_FLAGS, user: UNPRIVILEGED_USER };
}
