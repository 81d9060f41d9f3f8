import { DatabaseSync } from "node:sqlite";

/** Another process, or another caller in this one, holds the lock. */
export class LockHeld extends Error {}

/** The primary result code of a locked database. */
const SQLITE_BUSY = 5;

/**
 * Locks the file `path` until the caller calls the result or this process ends: SQLite locks an
 * empty database by fcntl(2), which the kernel releases. The file stays, because removing it would
 * let a second process lock another file of that name. @throws {LockHeld}; SQLite's error if the
 * file can't be written
 */
export function takeLock(path: string): () => void {
  const database = new DatabaseSync(path);
  try {
    database.exec("BEGIN EXCLUSIVE");
    return () => database.close();
  } catch (error) {
    database.close();
    throw (error as { errcode?: unknown }).errcode === SQLITE_BUSY
      ? new LockHeld(`${path} is locked`)
      : error;
  }
}
