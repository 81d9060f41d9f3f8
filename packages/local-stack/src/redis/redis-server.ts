import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Redis } from "ioredis";
import { searchPath } from "../config.ts";
import { startChild } from "../processes/child.ts";
import type { Part, Watch } from "../processes/part.ts";
import { redisProgram } from "./redis-program.ts";

export interface RedisOptions {
  readonly dataDir: string;
  readonly port: number;
  readonly log: string;
}

/** What any Redis of this system runs with: an acknowledged write is on disk, and nothing is thrown away for room. */
export const DURABILITY = ["--appendonly", "yes", "--appendfsync", "always", "--maxmemory-policy", "noeviction"];

/** A redis-server of this machine, with its append-only file in DATA_DIR/redis. */
export async function startRedisServer(options: RedisOptions, watch: Watch): Promise<Part> {
  const folder = join(options.dataDir, "redis");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const program = await redisProgram(watch.report);
  const listen = ["--port", String(options.port), "--bind", "127.0.0.1", "--dir", folder];
  return await startChild(
    {
      name: "redis",
      url: `redis://127.0.0.1:${options.port}`,
      command: program,
      args: [...listen, "--save", "", "--databases", "1024", ...DURABILITY],
      env: { PATH: searchPath() },
      log: options.log,
      serves: () => answers(options.port),
    },
    watch,
  );
}

/** False while it still loads its file. */
async function answers(port: number): Promise<boolean> {
  const redis = new Redis({ port, host: "127.0.0.1", lazyConnect: true, retryStrategy: () => null });
  redis.on("error", () => {});
  try {
    await redis.connect();
    return (await redis.ping()) === "PONG";
  } finally {
    redis.disconnect();
  }
}
