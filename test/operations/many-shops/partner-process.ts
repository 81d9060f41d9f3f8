import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const MIRROR = fileURLToPath(new URL("mirror.main.ts", import.meta.url));
const RESTART_MS = 200;

export interface PartnerProcess {
  processes(): { readonly name: string; readonly pid: number }[];
  /** Calls by path and status, over all its lives. */
  calls(): Record<string, number>;
  /** What it printed: it is silent but for failures. */
  output(): string;
  stop(): Promise<void>;
}

/** The partner's program, started again whenever it ends, as by a supervisor. Its files are in `folder`. */
export function startPartner(folder: string, env: Readonly<Record<string, string>>): PartnerProcess {
  let isOver = false;
  let child: ChildProcess | null = null;
  const log = openSync(join(folder, "output.log"), "a");
  const running = (async () => {
    while (!isOver) {
      child = spawn(process.execPath, [MIRROR], {
        env: { ...process.env, ...env, FOLDER: folder },
        stdio: ["ignore", log, log],
      });
      await once(child, "exit");
      child = null;
      await sleep(RESTART_MS);
    }
  })();
  return {
    processes: () => (child?.pid === undefined ? [] : [{ name: "partner", pid: child.pid }]),
    calls() {
      const counts: Record<string, number> = {};
      for (const line of readFileSync(join(folder, "calls.log"), "utf8").split("\n")) {
        if (line !== "") counts[line] = (counts[line] ?? 0) + 1;
      }
      return counts;
    },
    output: () => readFileSync(join(folder, "output.log"), "utf8"),
    async stop() {
      isOver = true;
      child?.kill("SIGKILL");
      await running;
      closeSync(log);
    },
  };
}
