import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { searchPath } from "../config.ts";
import { startChild } from "../processes/child.ts";
import type { Part, Watch } from "../processes/part.ts";
import { type RedisRole, redisAnswers } from "./connection.ts";
import { redisProgram } from "./redis-program.ts";

export interface RedisOptions {
  readonly role: RedisRole;
  /** Of its data, bytes. */
  readonly maxmemory: number;
  readonly dataDir: string;
  readonly port: number;
  readonly log: string;
}

/** Room for many test files, each in a numbered database of its own. */
const DATABASES = ["--databases", "1024"];

/** What both are started with, in a container and without. */
export function redisArguments({ role, maxmemory }: Pick<RedisOptions, "role" | "maxmemory">): string[] {
  return [...DATABASES, "--maxmemory", String(maxmemory), ...role.settings];
}

/** A redis-server of this machine, with its file in DATA_DIR, in a folder of its role's name. */
export async function startRedisServer(options: RedisOptions, watch: Watch): Promise<Part> {
  const { name } = options.role;
  const folder = join(options.dataDir, name);
  const program = await redisProgram(watch);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const listen = ["--port", String(options.port), "--bind", "127.0.0.1", "--dir", folder];
  const url = `redis://127.0.0.1:${options.port}`;
  return await startChild(
    {
      name,
      url,
      command: program,
      args: [...listen, ...redisArguments(options)],
      env: { PATH: searchPath() },
      log: options.log,
      serves: () => redisAnswers(url),
    },
    watch,
  );
}
