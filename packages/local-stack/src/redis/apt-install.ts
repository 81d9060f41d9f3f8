import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { administratorEnvironment } from "../config.ts";
import { lastLines, StartFailure } from "../processes/start-failure.ts";
import type { StackContext } from "../processes/supervised-process.ts";

/** Another apt-get may take minutes, such as the upgrades of a new machine. */
const BUSY_LIMIT_MS = 5 * 60_000;
const PAUSE_MS = 500;

/**
 * Installs a Debian package, as root. `apt-get` refuses to run beside another copy of itself, and its own setting for
 * that, DPkg::Lock::Timeout, doesn't cover `update`. So this tries again until the other copy has finished.
 * @throws StartFailure with the end of what apt-get said
 */
export async function aptInstall(
  name: string,
  { report, signal }: Pick<StackContext, "report" | "signal">,
): Promise<void> {
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
