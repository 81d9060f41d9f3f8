import { open, rm } from "node:fs/promises";
import { hasCode } from "./durable-file.ts";
import { SigningKeysError } from "./signing-key.ts";

/**
 * Does `work` while the file `<path>.lock` exists, which only one process can make; refuses if it exists already.
 *
 * It never goes stale. A lock that goes stale by its age, as proper-lockfile's, can be taken by two operators at once who
 * both find it stale, and then one of their keys is lost. So after a crash the operator is told to delete it.
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
