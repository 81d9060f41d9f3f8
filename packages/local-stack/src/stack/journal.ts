import { rm } from "node:fs/promises";
import type { Lock } from "./lock.ts";
import { type LocalStackState, stateFile, writeState } from "./state.ts";

/** Keeps DATA_DIR's files true while processes come and go, one write after the other. */
export interface Journal {
  /** The state to write down; null while the stack is starting. */
  record(state: LocalStackState | null, pids: readonly number[]): void;
  /** Resolves when all that was recorded so far is on disk. */
  written(): Promise<void>;
  close(): Promise<void>;
}

export function openJournal(dataDir: string, lock: Lock): Journal {
  let writing = Promise.resolve();
  return {
    record(state, pids) {
      writing = writing.then(async () => {
        await lock.remember(pids);
        if (state) await writeState(dataDir, state);
      });
    },
    written: () => writing,
    async close() {
      await writing;
      await rm(stateFile(dataDir), { force: true });
      await lock.release();
    },
  };
}
