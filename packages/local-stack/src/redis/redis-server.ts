import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { searchPath } from "../config.ts";
import { startProcess } from "../processes/start-process.ts";
import type { StackContext, SupervisedProcess } from "../processes/supervised-process.ts";
import { redisAnswers } from "./redis-answers.ts";
import { redisProgram } from "./redis-program.ts";
import type { RedisRole } from "./redis-role.ts";

export interface RedisOptions {
  readonly role: RedisRole;
  /** Bytes of data. */
  readonly maxmemory: number;
  readonly dataDir: string;
  readonly port: number;
  readonly log: string;
}

/** Enough for many test files, each with a numbered database of its own. */
const DATABASES = ["--databases", "1024"];

/** The arguments of the server, in a container and without. */
export function redisArguments({ role, maxmemory }: Pick<RedisOptions, "role" | "maxmemory">): string[] {
  return [...DATABASES, "--maxmemory", String(maxmemory), ...role.settings];
}

/** A redis-server on this machine, with its data in DATA_DIR, in a folder of its role's name. */
export async function startRedisServer(options: RedisOptions, context: StackContext): Promise<SupervisedProcess> {
  const { name } = options.role;
  const folder = join(options.dataDir, name);
  const program = await redisProgram(context);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const listen = ["--port", String(options.port), "--bind", "127.0.0.1", "--dir", folder];
  const url = `redis://127.0.0.1:${options.port}`;
  return await startProcess(
    {
      name,
      url,
      command: program,
      args: [...listen, ...redisArguments(options)],
      env: { PATH: searchPath() },
      log: options.log,
      serves: () => redisAnswers(url),
    },
    context,
  );
}
