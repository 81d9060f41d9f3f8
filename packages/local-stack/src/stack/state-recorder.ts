import { rm } from "node:fs/promises";
import type { Lock } from "./lock.ts";
import { type LocalStackState, stateFile, writeState } from "./state.ts";

/** Writes down in DATA_DIR how the stack is reached, and in its lock which processes it has, one write after the other. */
export interface StateRecorder {
  /** `state` is null while the stack is starting. */
  record(state: LocalStackState | null, pids: readonly number[]): void;
  /** Resolves when all that was recorded so far is on disk. */
  written(): Promise<void>;
  /** Removes the state, and releases the lock. */
  close(): Promise<void>;
}

export function stateRecorder(dataDir: string, lock: Lock): StateRecorder {
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
