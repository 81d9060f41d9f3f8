import { type ChildProcess, spawn } from "node:child_process";
import { open } from "node:fs/promises";
import type { Watchdog } from "./watchdog.ts";

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** To run as another user; only root can. */
  readonly user?: { readonly uid: number; readonly gid: number };
  readonly log: string;
  /** Where given, the process has a channel for messages, and this is called at once after its start. */
  readonly onSpawn?: ((child: ChildProcess) => void) | undefined;
}

export interface Run {
  readonly pid: number | undefined;
  /** How it ended; never rejects. */
  readonly ended: Promise<string>;
  kill(signal: NodeJS.Signals): void;
}

/**
 * Starts a process under the watchdog. It has a session of its own: Ctrl-C in the terminal then reaches the stack alone,
 * which ends its processes in order.
 */
export async function spawnLogged(command: Command, flags: "w" | "a", watchdog: Watchdog): Promise<Run> {
  const log = await open(command.log, flags, 0o600);
  try {
    const child = spawn(command.command, command.args, {
      env: command.env,
      cwd: "/",
      stdio: ["ignore", log.fd, log.fd, ...(command.onSpawn ? (["ipc"] as const) : [])],
      detached: true,
      ...command.user,
    });
    const ended = new Promise<string>((resolve) => {
      child.once("error", (error) => resolve(`could not be started (${error.message})`));
      child.once("exit", (code, signal) => resolve(`ended (${signal ?? `exit ${code}`})`));
    });
    command.onSpawn?.(child);
    const pid = child.pid;
    if (pid !== undefined) {
      watchdog.watch(pid);
      void ended.then(() => watchdog.forget(pid));
    }
    return { pid, ended, kill: (signal) => void child.kill(signal) };
  } finally {
    await log.close();
  }
}
