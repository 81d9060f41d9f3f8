import { join } from "node:path";
import { LockHeld, takeLock } from "@partner-connect/service-runtime/lock-file";
import { endProcess, identify, type ProcessIdentity } from "@partner-connect/service-runtime/process-identity";
import { StartFailure } from "../processes/start-failure.ts";

export interface Lock {
  /** Writes these processes into the lock, for the next start if this process is killed. Call it once at a time. */
  remember(pids: readonly number[]): Promise<void>;
  release(): Promise<void>;
}

/**
 * Locks DATA_DIR for this process. After a stack that was killed, the processes that its lock names and that still run are ended
 * first.
 * @throws {StartFailure} when another stack runs there; the system's error where DATA_DIR can't be written
 */
export async function lockDataFolder(dataDir: string): Promise<Lock> {
  const lock = await takeLock(join(dataDir, "local-stack.lock"), {
    unreadableIsVoid: true,
    async beforeReplacing({ children = [] }) {
      await Promise.all((children as ProcessIdentity[]).map((child) => endProcess(child)));
    },
  }).catch((error: unknown) => {
    if (!(error instanceof LockHeld)) throw error;
    throw new StartFailure(
      `a local stack is running already in ${dataDir} (process ${error.holder?.pid}); stop it, or set another DATA_DIR and PORT`,
    );
  });
  return {
    async remember(pids) {
      const children = await Promise.all(pids.map(identify));
      await lock.write({ children: children.filter((child) => child !== null) });
    },
    release: () => lock.release(),
  };
}
