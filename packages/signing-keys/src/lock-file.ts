import { open, rm } from "node:fs/promises";
import { hasCode } from "./durable-file.ts";
import { SigningKeysError } from "./signing-key.ts";

/**
 * Does `work` while it holds the lock of the file at `path`: the file `<path>.lock`, which only one process can create.
 * Refuses if another process holds it.
 *
 * The lock never goes stale. One that goes stale by its age, as proper-lockfile's does, can be taken by two processes that
 * find it stale at the same moment, and then a key is lost. So after a crash the operator is told to delete it.
 */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const lock = `${path}.lock`;
  const held = await open(lock, "wx", 0o600).catch((error) => {
    if (!hasCode(error, "EEXIST")) throw error;
    throw new SigningKeysError(
      "SIGNING_KEYS_LOCKED",
      `another change of ${path} is under way; if none is, an earlier one was cut off: delete ${lock}`,
    );
  });
  try {
    return await work();
  } finally {
    await held.close();
    await rm(lock, { force: true });
  }
}
