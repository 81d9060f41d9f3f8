import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { searchPath } from "../config.ts";
import { StartFailure } from "../processes/start-failure.ts";
import { step } from "../processes/step.ts";
import type { StackContext } from "../processes/supervised-process.ts";
import { aptInstall } from "./apt-install.ts";

const PROGRAMS = ["redis-server", "valkey-server"];

const HOW_TO_GET_IT =
  "install it (Debian, Ubuntu: apt-get install redis-server; macOS: brew install redis), start Docker, or set REDIS_URL";

let lookingUp: Promise<string> | undefined;

/**
 * The Redis or Valkey server on the PATH. Where there is none, root on Debian or Ubuntu installs one. Callers at the same
 * time share one look-up, and so one installation.
 * @throws StartFailure when there is none and none can be installed
 */
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
