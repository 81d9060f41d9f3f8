import { randomBytes } from "node:crypto";
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { startPostgresPart } from "./postgres/start-postgres.ts";
import { freePort } from "./processes/free-port.ts";
import { startLeash } from "./processes/leash.ts";
import type { Part, Watch } from "./processes/part.ts";
import { MAIN_REDIS, redisRole } from "./redis/connection.ts";
import { startRedisPart } from "./redis/start-redis.ts";

export interface StoreOptions {
  /** Absolute; made when it is missing. */
  readonly dataDir: string;
  /** Default: any that is free. */
  readonly port?: number;
  readonly report?: (line: string) => void;
}

/** A store on its own, for tests; kept running until `stop`. */
export type Store = Part & { readonly url: string };

/** Postgres, whose `url` is its owner's and has a new password. Of a cluster that is there already, pass the `password`. */
export async function startPostgres(
  options: StoreOptions & { readonly password?: string; readonly durable?: boolean },
): Promise<Store> {
  const { password = newPassword(), durable = false } = options;
  return await alone(options, "postgres", (place, watch) => startPostgresPart({ ...place, password, durable }, watch));
}

/** Redis, with every write on disk before it is acknowledged. In a container its data end with it. */
export async function startRedis(options: StoreOptions): Promise<Store> {
  return await alone(options, "redis", (place, watch) =>
    startRedisPart({ ...place, ...redisRole(MAIN_REDIS, {}), password: newPassword(), durable: false }, watch),
  );
}

function newPassword(): string {
  return randomBytes(24).toString("base64url");
}

interface Place {
  readonly dataDir: string;
  readonly port: number;
  readonly log: string;
}

async function alone(
  options: StoreOptions,
  name: string,
  start: (place: Place, watch: Watch) => Promise<Part>,
): Promise<Store> {
  await mkdir(options.dataDir, { recursive: true });
  const dataDir = await realpath(options.dataDir);
  const port = options.port ?? (await freePort());
  const leash = startLeash();
  const watch: Watch = { report: options.report ?? (() => {}), changed: () => {}, leash };
  try {
    const part = await start({ dataDir, port, log: join(dataDir, `${name}.log`) }, watch);
    return {
      name,
      url: part.url ?? "",
      get pid() {
        return part.pid;
      },
      async stop() {
        await part.stop();
        await leash.release();
      },
    };
  } catch (error) {
    await leash.release();
    throw error;
  }
}
