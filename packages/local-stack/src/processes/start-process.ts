import { spawn } from "node:child_process";
import { open } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { startFailure, untilItServes } from "./start-failure.ts";
import type { StackContext, SupervisedProcess, Watchdog } from "./supervised-process.ts";

interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** To run as another user; only root can. */
  readonly user?: { readonly uid: number; readonly gid: number };
  readonly log: string;
}

interface Run {
  readonly pid: number | undefined;
  /** How it ended; never rejects. */
  readonly ended: Promise<string>;
  kill(signal: NodeJS.Signals): void;
}

/** Starts a process under the watchdog, in a session of its own: Ctrl-C reaches the stack alone, which ends it in order. */
async function spawnLogged(command: Command, flags: "w" | "a", watchdog: Watchdog): Promise<Run> {
  const log = await open(command.log, flags, 0o600);
  try {
    const child = spawn(command.command, command.args, {
      env: command.env,
      cwd: "/",
      stdio: ["ignore", log.fd, log.fd],
      detached: true,
      ...command.user,
    });
    const ended = new Promise<string>((resolve) => {
      child.once("error", (error) => resolve(`could not be started (${error.message})`));
      child.once("exit", (code, signal) => resolve(`ended (${signal ?? `exit ${code}`})`));
    });
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

export interface ProcessOptions extends Command {
  readonly name: string;
  readonly url?: string;
  /** Whether it serves; called again and again until it does. An error that it throws tells people why not. */
  readonly serves: () => Promise<boolean>;
  readonly prepare?: () => Promise<void>;
  readonly stopSignal?: NodeJS.Signals;
}

const STOP_LIMIT_MS = 15_000;
/** An end after this long is not counted as a failed start, so the next start doesn't wait. */
const STABLE_MS = 3_000;
const LONGEST_PAUSE_MS = 1_000;

/** Starts a process, and again whenever it ends by itself, until `stop`. @throws {StartFailure} when its first start fails */
export async function startProcess(options: ProcessOptions, context: StackContext): Promise<SupervisedProcess> {
  const { name } = options;
  let run: Run | undefined;
  let stopping = false;

  async function start(flags: "w" | "a"): Promise<Run> {
    await options.prepare?.();
    const started = await spawnLogged(options, flags, context.watchdog);
    run = started;
    void started.ended.then(() => {
      if (run === started) run = undefined;
    });
    if (stopping) started.kill("SIGKILL");
    return started;
  }

  async function supervise(first: Run): Promise<void> {
    let current = first;
    let failures = 0;
    while (!stopping) {
      const since = Date.now();
      const how = await current.ended;
      if (stopping) return;
      context.report(`${name} ${how}, starting it again`);
      failures = Date.now() - since < STABLE_MS ? failures + 1 : 0;
      await sleep(failures < 2 ? 0 : Math.min(25 * 2 ** failures, LONGEST_PAUSE_MS));
      if (stopping) return;
      current = await start("a").catch((error: Error) => failed(error));
      context.changed();
    }
  }

  const first = await start("w");
  const why = await untilItServes(options.serves, first.ended, context.signal);
  if (why !== null) {
    stopping = true;
    first.kill("SIGKILL");
    await first.ended;
    throw await startFailure(name, why, options.log);
  }
  const supervision = supervise(first);

  return {
    name,
    ...(options.url && { url: options.url }),
    get pid() {
      return run?.pid;
    },
    async stop() {
      stopping = true;
      run?.kill(options.stopSignal ?? "SIGTERM");
      const hard = setTimeout(() => run?.kill("SIGKILL"), STOP_LIMIT_MS);
      await supervision;
      await run?.ended;
      clearTimeout(hard);
    },
  };
}

/** A start that failed before there was a process. It is tried again, like one whose process has ended. */
function failed(error: Error): Run {
  return { pid: undefined, ended: Promise.resolve(`could not be started (${error.message})`), kill: () => {} };
}
