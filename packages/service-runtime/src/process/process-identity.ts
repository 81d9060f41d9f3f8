import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

/** Names one process for ever: an id alone may be given to another process later. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, in the system's own form. */
  readonly started: string;
}

export async function identify(pid: number): Promise<ProcessIdentity | null> {
  const started = process.platform === "linux" ? await startedOnLinux(pid) : await startedElsewhere(pid);
  return started === null ? null : { pid, started };
}

export async function isRunning(identity: ProcessIdentity): Promise<boolean> {
  return (await identify(identity.pid))?.started === identity.started;
}

/** Ends the process by `signal`, after `patience` ms by SIGKILL. One that we may not signal, as a container's, is left alone. */
export async function endProcess(
  identity: ProcessIdentity,
  signal: NodeJS.Signals = "SIGTERM",
  patience = 10_000,
): Promise<void> {
  const deadline = Date.now() + patience;
  let next = signal;
  while (await isRunning(identity)) {
    if (!send(identity.pid, next)) return;
    do await sleep(20);
    while (Date.now() < deadline && (await isRunning(identity)));
    next = "SIGKILL";
  }
}

/** False when we may not signal the process. */
function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ESRCH") return true;
    if (code === "EPERM") return false;
    throw error;
  }
}

/** /proc/PID/stat: the state is the 3rd field, the start in clock ticks since boot the 22nd; a zombie has ended. */
async function startedOnLinux(pid: number): Promise<string | null> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  if (stat === null) return null;
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" ? null : (fields[19] ?? null);
}

async function startedElsewhere(pid: number): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)("ps", ["-o", "lstart=", "-p", String(pid)]);
    return stdout.trim() || null;
  } catch {
    return null;
  }
}
