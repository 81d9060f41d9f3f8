import { randomUUID } from "node:crypto";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { hasCode } from "./durable-file.ts";
import { SigningKeysError } from "./signing-key.ts";

/** Who holds a lock. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Of this run of the process: another one may have its id later, as each container counts from 1. */
  readonly run: string;
}

const SELF: Holder = { pid: process.pid, host: hostname(), run: randomUUID() };

/**
 * Does `work` while it holds the lock of the file at `path`: the file `<path>.lock`, which names the process that made it.
 * Refuses if another process holds it.
 *
 * The lock of a process that has ended is void, however it ended, if it ran on this machine: elsewhere nobody can tell. Of several that find
 * a void lock, each could remove the lock that another has made meanwhile. So it is replaced, by the one that holds a second
 * lock. One that goes stale by its age, as proper-lockfile's does, can be taken by two processes at the same moment, and then a key is lost.
 */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const lock = `${path}.lock`;
  await take(path, lock);
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

async function take(path: string, lock: string): Promise<void> {
  if (await create(lock)) return;
  const holder = await holderOf(lock);
  if (!holder || isAlive(holder)) throw held(path, lock, holder);
  const second = `${lock}.void`;
  if (!(await create(second))) throw held(path, second, await holderOf(second));
  try {
    const now = await holderOf(lock);
    if (now?.run !== holder.run) throw held(path, lock, now);
    await rename(await write(lock), lock);
  } finally {
    await rm(second, { force: true });
  }
}

/** Makes the lock with its text at once: a link is made only where no file is. */
async function create(lock: string): Promise<boolean> {
  const made = await write(lock);
  try {
    await link(made, lock);
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  } finally {
    await rm(made, { force: true });
  }
}

async function write(lock: string): Promise<string> {
  const file = `${lock}.${randomUUID()}`;
  await writeFile(file, JSON.stringify(SELF), { mode: 0o600 });
  return file;
}

/** Null: it is gone meanwhile, or doesn't say it. */
async function holderOf(lock: string): Promise<Holder | null> {
  try {
    const { pid, host, run } = JSON.parse(await readFile(lock, "utf8")) as Partial<Holder>;
    return pid !== undefined && host !== undefined && run !== undefined ? { pid, host, run } : null;
  } catch {
    return null;
  }
}

function isAlive({ pid, host, run }: Holder): boolean {
  if (host !== SELF.host) return true;
  if (pid === SELF.pid) return run === SELF.run;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return !hasCode(error, "ESRCH");
  }
}

function held(path: string, lock: string, holder: Holder | null): SigningKeysError {
  const who = holder ? ` by process ${holder.pid} on ${holder.host}` : "";
  return new SigningKeysError(
    "SIGNING_KEYS_LOCKED",
    `another change of ${path} is under way${who}; if none is, an earlier one was cut off: delete ${lock}`,
  );
}
