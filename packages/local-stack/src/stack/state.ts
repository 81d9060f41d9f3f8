import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { StackContext, SupervisedProcess } from "../processes/supervised-process.ts";
import type { Lock } from "./data-folder.ts";

/** The document in this file; null where it can't be read. */
export async function readJson<Content>(file: string): Promise<Content | null> {
  const text = await readFile(file, "utf8").catch(() => null);
  return text === null ? null : (JSON.parse(text) as Content);
}

/** For this user alone. Readers see the old file or the new one, never a part. */
export async function writeJson(file: string, content: object): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

/** DATA_DIR/local-stack.json: how to reach the running stack. The operator CLI and outside checks read it. */
export interface LocalStackState {
  readonly base_url: string;
  readonly auth_url: string;
  readonly api_url: string;
  readonly database_url: string;
  readonly redis_url: string;
  readonly resource_server_redis_url: string;
  readonly authorization_server_urls: readonly string[];
  readonly resource_server_urls: readonly string[];
  readonly internal_urls: Readonly<Record<string, string>>;
  readonly sample_partner_url?: string;
  /** REFRESH_TOKEN_TTL_SECONDS, where it was set: by it `connection list` tells what has expired. */
  readonly refresh_token_ttl_seconds?: number;
  /** The sender of mails, where mail is on. */
  readonly mail_from?: string;
  readonly processes: readonly ProcessState[];
}

interface ProcessState {
  readonly name: string;
  readonly pid: number;
  readonly url?: string;
}

export function stateFile(dataDir: string): string {
  return join(dataDir, "local-stack.json");
}

/** Writes down in DATA_DIR how the stack is reached, and in its lock which processes it has, one write after the other. */
export function stateRecorder(dataDir: string, lock: Lock) {
  let writing = Promise.resolve();
  return {
    record(state: LocalStackState | null, pids: readonly number[]): void {
      writing = writing.then(async () => {
        await lock.remember(pids);
        if (state) await writeJson(stateFile(dataDir), state);
      });
    },
    written: () => writing,
    async close(): Promise<void> {
      await writing;
      await rm(stateFile(dataDir), { force: true });
      await lock.release();
    },
  };
}

export type RunningProcesses = ReturnType<typeof runningProcesses>;

/** From the outside in: a process gets no request any more before what it needs is ended. */
const STOP_ORDER = [/^(sample-partner|test-shops|gateway)$/, /^(.*-server|notifier)-\d+$/, /./];

/** The processes of a stack: started together, ended in order. */
export function runningProcesses(context: StackContext) {
  let processes: readonly SupervisedProcess[] = [];
  return {
    context,
    /** Waits for all of these starts, also when one of them fails, so that `stop` ends the others. */
    async add(...starts: readonly Promise<SupervisedProcess>[]): Promise<void> {
      const outcomes = await Promise.allSettled(
        starts.map(async (start) => {
          const started = await start;
          processes = [...processes, started];
          context.changed();
        }),
      );
      context.signal?.throwIfAborted();
      const failed = outcomes.find((outcome) => outcome.status === "rejected");
      if (failed) throw failed.reason;
    },
    list(): ProcessState[] {
      return processes.flatMap(({ name, pid, url }) => (pid === undefined ? [] : [{ name, pid, ...(url && { url }) }]));
    },
    async stop(): Promise<void> {
      for (const kind of STOP_ORDER) {
        const ending = processes.filter(({ name }) => kind.test(name));
        processes = processes.filter((process) => !ending.includes(process));
        await Promise.all(ending.map((process) => process.stop()));
      }
      await context.watchdog.release();
    },
  };
}
