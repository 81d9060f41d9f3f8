import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { searchPath } from "../config.ts";
import { startChild } from "../processes/child.ts";
import type { Part, Watch } from "../processes/part.ts";
import { DATABASES, DURABILITY, redisAnswers } from "./connection.ts";
import { redisProgram } from "./redis-program.ts";

export interface RedisOptions {
  readonly dataDir: string;
  readonly port: number;
  readonly log: string;
}

/** A redis-server of this machine, with its append-only file in DATA_DIR/redis. */
export async function startRedisServer(options: RedisOptions, watch: Watch): Promise<Part> {
  const folder = join(options.dataDir, "redis");
  const program = await redisProgram(watch.report);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const listen = ["--port", String(options.port), "--bind", "127.0.0.1", "--dir", folder];
  const url = `redis://127.0.0.1:${options.port}`;
  return await startChild(
    {
      name: "redis",
      url,
      command: program,
      args: [...listen, "--save", "", ...DATABASES, ...DURABILITY],
      env: { PATH: searchPath() },
      log: options.log,
      serves: () => redisAnswers(url),
    },
    watch,
  );
}
