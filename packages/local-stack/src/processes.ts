import { spawn } from "node:child_process";
import { open, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import pRetry from "p-retry";

/**
 * The stack, or a process of it, did not start. The message contains the reason and the remedy, for
 * the person at the terminal.
 */
export class StartFailure extends Error {
  readonly code = "START_FAILURE";
}

export interface StackContext {
  report(line: string): void;
  /** Call it when a supervised process has a new pid. */
  pidChanged(): void;
  readonly signal?: AbortSignal | undefined;
}

/** One life of a supervised process. */
export interface Run {
  readonly pid: number | undefined;
  /** How the process ended; never rejects. */
  readonly ended: Promise<string>;
  kill(signal: NodeJS.Signals): void;
}

interface Supervised {
  readonly name: string;
  readonly url?: string;
  readonly log: string;
  /** Starts the process, for the first time or again. */
  readonly run: () => Promise<Run>;
  /** Rejects until the process serves. */
  readonly serves: () => Promise<unknown>;
  readonly stopSignal?: NodeJS.Signals;
  /** Called when the process has ended for good. */
  readonly remove?: () => Promise<void>;
}

/**
 * A process of the stack, in a container or not, that is started again when it ends, until `stop`.
 */
export type SupervisedProcess = Awaited<ReturnType<typeof supervise>>;

const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 15_000;
/** A process with a shorter life is restarted after half a second. */
const STABLE_MS = 1000;

/**
 * Starts a process, and again whenever it ends, until `stop`. @throws {StartFailure} when its first
 * start fails, with the end of its log
 */
export async function supervise({ name, url, log, ...options }: Supervised, context: StackContext) {
  let run = await options.run();
  let stopping = false;

  async function restart(): Promise<Run> {
    const next = await options.run().catch((error: Error) => ({
      pid: undefined,
      ended: Promise.resolve(`could not be started (${error.message})`),
      kill: () => {},
    }));
    if (stopping) next.kill("SIGKILL");
    return next;
  }

  async function restartUntilStopped(): Promise<void> {
    for (;;) {
      const since = Date.now();
      const how = await run.ended;
      if (stopping) return;
      context.report(`${name} ${how}, starting it again`);
      if (Date.now() - since < STABLE_MS) await sleep(STABLE_MS / 2);
      if (stopping) return;
      run = await restart();
      context.pidChanged();
    }
  }

  async function untilItServes(): Promise<void> {
    const ended = new AbortController();
    void run.ended.then((how) => ended.abort(new Error(how)));
    const signal = AbortSignal.any([ended.signal, ...(context.signal ? [context.signal] : [])]);
    await pRetry(options.serves, { ...fixedInterval(25, START_LIMIT_MS), signal });
    signal.throwIfAborted();
  }

  await untilItServes().catch(async (error: Error) => {
    stopping = true;
    run.kill("SIGKILL");
    await run.ended;
    await options.remove?.();
    const tail = lastLines(await readFile(log, "utf8").catch(() => ""));
    const end = tail ? `; the end of ${log}:\n\n${tail}\n` : `; ${log} is empty`;
    throw new StartFailure(`${name} ${error.message}${end}`);
  });
  const stopped = restartUntilStopped();
  return {
    name,
    ...(url && { url }),
    get pid() {
      return run.pid;
    },
    async stop(): Promise<void> {
      stopping = true;
      run.kill(options.stopSignal ?? "SIGTERM");
      const hard = setTimeout(() => run.kill("SIGKILL"), STOP_LIMIT_MS);
      await stopped;
      clearTimeout(hard);
      await options.remove?.();
    },
  };
}

export interface Command extends Omit<Supervised, "run"> {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user to run as. Only root can choose one. */
  readonly user?: { readonly uid: number; readonly gid: number };
  readonly prepare?: () => Promise<void>;
}

/** Supervises a program of this machine. Its log is truncated when the stack starts. */
export async function startProcess(options: Command, context: StackContext) {
  let flags = "w";
  const run = async (): Promise<Run> => {
    await options.prepare?.();
    const log = await open(options.log, flags, 0o600);
    flags = "a";
    const child = spawn(options.command, options.args, {
      env: options.env,
      cwd: "/",
      stdio: ["ignore", log.fd, log.fd],
      // in its own session: Ctrl-C reaches only the stack, which ends its processes in order
      detached: true,
      ...options.user,
    });
    const release = child.pid === undefined ? () => {} : startGuard(child.pid, options.stopSignal);
    const ended = new Promise<string>((resolve) => {
      child.once("error", (error) => resolve(`could not be started (${error.message})`));
      child.once("exit", (code, signal) => resolve(`ended (${signal ?? `exit ${code}`})`));
    }).finally(release);
    await log.close();
    return { pid: child.pid, ended, kill: (signal) => void child.kill(signal) };
  };
  return await supervise({ ...options, run }, context);
}

/** Ends process $0 when stdin closes, which happens when this process dies, even by SIGKILL. */
const GUARD = `trap '' INT TERM HUP; read _; kill -$1 $0
for attempt in 1 2 3 4 5 6 7 8 9 10; do sleep 0.5; kill -0 $0 || exit; done
kill -KILL $0`;

/**
 * Starts a shell that ends process `pid` when this process dies. Returns a function that stops the
 * shell.
 */
function startGuard(pid: number, signal: NodeJS.Signals = "SIGTERM"): () => void {
  const guard = spawn("/bin/sh", ["-c", GUARD, String(pid), signal.slice(3)], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
    cwd: "/",
  });
  guard.on("error", () => {});
  guard.unref();
  (guard.stdin as unknown as { unref(): void }).unref();
  return () => void guard.kill("SIGKILL");
}

/** Options of `pRetry`: an attempt every `pause` ms, for at most `limit` ms. */
export const fixedInterval = (pause: number, limit: number) => ({
  retries: Number.POSITIVE_INFINITY,
  ...{ minTimeout: pause, factor: 1, maxRetryTime: limit },
});

export function lastLines(text: string): string {
  return text.trimEnd().split("\n").slice(-15).join("\n");
}
