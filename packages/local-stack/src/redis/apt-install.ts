import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { administratorEnvironment } from "../config.ts";
import type { Watch } from "../processes/part.ts";
import { StartFailure } from "../processes/start-failure.ts";

/** Some that run by themselves, such as a new machine's upgrades, take minutes. */
const BUSY_LIMIT_MS = 5 * 60_000;
const PAUSE_MS = 500;
const LINES = 15;

/**
 * Installs a Debian package, as root. `apt-get` refuses to run beside another copy of itself, and its own setting for
 * that, DPkg::Lock::Timeout, doesn't cover `update`; so whoever comes second asks again until the first has finished.
 * @throws StartFailure with the end of what apt-get said
 */
export async function aptInstall(name: string, { report, signal }: Pick<Watch, "report" | "signal">): Promise<void> {
  const deadline = Date.now() + BUSY_LIMIT_MS;
  for (let isFirst = true; ; isFirst = false) {
    const complaint = await attempt(name, signal);
    if (complaint === null) return;
    signal?.throwIfAborted();
    if (!/Could not get lock/.test(complaint) || Date.now() > deadline) {
      const end = complaint.trimEnd().split("\n").slice(-LINES).join("\n");
      throw new StartFailure(`apt-get could not install ${name}:\n${end}`);
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
  // By SIGINT it ends where it can, and doesn't leave a package half installed.
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
