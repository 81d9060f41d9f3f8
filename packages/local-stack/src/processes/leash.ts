import { spawn } from "node:child_process";
import { once } from "node:events";

/** What ends the children when this process can't: after a kill -9, a crash, a lost test runner. */
export interface Leash {
  hold(pid: number): void;
  letGo(pid: number): void;
  /** Call it when every child has ended; resolves when the leash itself has. */
  release(): Promise<void>;
}

/**
 * A shell in a session of its own. It reads which processes to hold from a pipe whose other end only this process
 * has: when the pipe closes, for whatever reason, it ends those that are left.
 */
const SCRIPT = `
trap '' INT TERM HUP
held=' '
while read -r verb pid; do
  case $verb in
    hold) held="$held$pid " ;;
    let-go) case $held in *" $pid "*) held="\${held%% $pid *} \${held#* $pid }" ;; esac ;;
  esac
done
alive() { for pid in $held; do kill -0 "$pid" 2>/dev/null && return 0; done; return 1; }
alive || exit 0
kill -TERM $held 2>/dev/null
for moment in 1 2 3 4 5 6 7 8 9 10; do alive || exit 0; sleep 0.5; done
kill -KILL $held 2>/dev/null
exit 0
`;

export function startLeash(): Leash {
  const shell = spawn("/bin/sh", ["-c", SCRIPT], { stdio: ["pipe", "ignore", "ignore"], detached: true, cwd: "/" });
  shell.unref();
  shell.on("error", () => {});
  shell.stdin.on("error", () => {});
  (shell.stdin as unknown as { unref?(): void }).unref?.();
  return {
    hold: (pid) => void shell.stdin.write(`hold ${pid}\n`),
    letGo: (pid) => void shell.stdin.write(`let-go ${pid}\n`),
    async release() {
      shell.ref();
      shell.stdin.end();
      if (shell.exitCode === null && shell.signalCode === null) await once(shell, "exit").catch(() => {});
    },
  };
}
