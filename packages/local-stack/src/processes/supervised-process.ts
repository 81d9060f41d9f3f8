import { spawn } from "node:child_process";
import { once } from "node:events";

/** A process of the stack, in a container or not, that is started again when it ends by itself, until `stop`. */
export interface SupervisedProcess {
  readonly name: string;
  readonly url?: string;
  /** Undefined while it is being started again. */
  readonly pid: number | undefined;
  stop(): Promise<void>;
}

export interface StackContext {
  report(line: string): void;
  /** To be called when a supervised process has another pid than before. */
  changed(): void;
  readonly watchdog: Watchdog;
  readonly signal?: AbortSignal | undefined;
}

const SILENCE_MS = 10_000;

/** Runs a step of a start, such as "starting Postgres", and reports it: first, and every ten seconds. */
export async function step<Result>(
  report: StackContext["report"],
  name: string,
  work: () => Promise<Result>,
): Promise<Result> {
  report(name);
  let seconds = 0;
  const timer = setInterval(() => {
    seconds += SILENCE_MS / 1000;
    report(`still ${name} (${seconds} s)`);
  }, SILENCE_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

export type Watchdog = ReturnType<typeof startWatchdog>;

const SCRIPT = `
trap '' INT TERM HUP
watched=' '
while read -r verb pid; do
  case $verb in
    watch) watched="$watched$pid " ;;
    forget) case $watched in *" $pid "*) watched="\${watched%% $pid *} \${watched#* $pid }" ;; esac ;;
  esac
done
alive() { for pid in $watched; do kill -0 "$pid" 2>/dev/null && return 0; done; return 1; }
alive || exit 0
kill -TERM $watched 2>/dev/null
for attempt in 1 2 3 4 5 6 7 8 9 10; do alive || exit 0; sleep 0.5; done
kill -KILL $watched 2>/dev/null
exit 0
`;

/**
 * Ends the stack's processes when the stack was killed. It is a shell in a session of its own, which no signal to the stack reaches.
 * A pipe tells it what to watch; when it closes, the shell ends what is left.
 */
export function startWatchdog() {
  const shell = spawn("/bin/sh", ["-c", SCRIPT], { stdio: ["pipe", "ignore", "ignore"], detached: true, cwd: "/" });
  shell.unref();
  shell.on("error", () => {});
  shell.stdin.on("error", () => {});
  (shell.stdin as unknown as { unref?(): void }).unref?.();
  return {
    watch: (pid: number) => void shell.stdin.write(`watch ${pid}\n`),
    /** The process has ended; another one may get its id. */
    forget: (pid: number) => void shell.stdin.write(`forget ${pid}\n`),
    /** To be called when every process has ended; resolves when the watchdog itself has. */
    async release(): Promise<void> {
      shell.ref();
      shell.stdin.end();
      if (shell.exitCode === null && shell.signalCode === null) await once(shell, "exit").catch(() => {});
    },
  };
}
