import { execFile } from "node:child_process";
import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { administratorEnvironment, searchPath } from "../config.ts";
import { lastLines, StartFailure } from "../processes/start-failure.ts";
import { type StackContext, step } from "../processes/supervised-process.ts";

const PROGRAMS = ["redis-server", "valkey-server"];

const HOW_TO_GET_IT =
  "install it (Debian, Ubuntu: apt-get install redis-server; macOS: brew install redis), start Docker, or set REDIS_URL";

let lookingUp: Promise<string> | undefined;

/** The Redis or Valkey server on the PATH, else one that root on Debian installs, once. @throws {StartFailure} without any */
export function redisProgram(context: Pick<StackContext, "report" | "signal">): Promise<string> {
  lookingUp ??= lookUp(context).finally(() => {
    lookingUp = undefined;
  });
  return lookingUp;
}

async function lookUp(context: Pick<StackContext, "report" | "signal">): Promise<string> {
  const found = await find(PROGRAMS);
  if (found) return found;
  if (process.getuid?.() !== 0 || !(await find(["apt-get"]))) {
    throw new StartFailure(`Redis is missing: ${HOW_TO_GET_IT}`);
  }
  context.report("Redis is missing on this machine");
  await step(context.report, "installing it by apt-get install redis-server", () =>
    aptInstall("redis-server", context),
  ).catch((error: Error) => {
    throw error instanceof StartFailure ? new StartFailure(`${error.message}\nRedis: ${HOW_TO_GET_IT}`) : error;
  });
  const installed = await find(PROGRAMS);
  if (!installed) throw new StartFailure(`Redis was installed, but is not on the PATH: ${HOW_TO_GET_IT}`);
  context.report(`Redis is installed: ${installed}`);
  return installed;
}

async function find(names: readonly string[]): Promise<string | null> {
  const folders = searchPath()
    .split(delimiter)
    .filter((folder) => folder !== "");
  for (const name of names) {
    for (const folder of folders) {
      const path = join(folder, name);
      const runnable = await access(path, constants.X_OK).then(
        () => true,
        () => false,
      );
      if (runnable) return path;
    }
  }
  return null;
}

/** Another apt-get may take minutes, such as the upgrades of a new machine. */
const BUSY_LIMIT_MS = 5 * 60_000;
const PAUSE_MS = 500;

/**
 * As root. `apt-get` refuses to run beside another copy, and DPkg::Lock::Timeout doesn't cover `update`: so this tries again until
 * the other has finished. @throws {StartFailure} with the end of what apt-get said
 */
async function aptInstall(name: string, { report, signal }: Pick<StackContext, "report" | "signal">): Promise<void> {
  const deadline = Date.now() + BUSY_LIMIT_MS;
  for (let isFirst = true; ; isFirst = false) {
    const problem = await attempt(name, signal);
    if (problem === null) return;
    signal?.throwIfAborted();
    if (!/Could not get lock/.test(problem) || Date.now() > deadline) {
      throw new StartFailure(`apt-get could not install ${name}:\n${lastLines(problem)}`);
    }
    if (isFirst) report("another apt-get is at work on this machine: waiting for it to finish");
    await sleep(PAUSE_MS, undefined, { signal });
  }
}

/** Null when it is installed, else what apt-get said. */
async function attempt(name: string, signal: AbortSignal | undefined): Promise<string | null> {
  const run = promisify(execFile);
  // Only the program is wanted: RUNLEVEL=1 keeps Debian from starting the service.
  const env = { ...administratorEnvironment(), DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
  // SIGINT lets apt-get end where no package is left half installed.
  const options = { env, killSignal: "SIGINT" as const, ...(signal && { signal }) };
  try {
    await run("apt-get", ["update", "-qq"], options);
    await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", name], options);
    return null;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    return stderr || message;
  }
}
