import { createHash, randomUUID } from "node:crypto";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { identify, isRunning, type ProcessIdentity } from "./process-identity.ts";

export interface Holder extends ProcessIdentity {
  readonly host: string;
}

/** Another process holds the lock, or nobody can tell whether one does. */
export class LockHeld extends Error {
  readonly file: string;
  /** Null: the file names no process. */
  readonly holder: Holder | null;

  constructor(file: string, holder: Holder | null) {
    super(`${file} is held${holder ? ` by process ${holder.pid} on ${holder.host}` : ""}`);
    this.file = file;
    this.holder = holder;
  }
}

export interface LockFile {
  /** Writes `note` into the lock, for the process that finds it void. */
  write(note: object): Promise<void>;
  release(): Promise<void>;
}

export interface LockOptions {
  /** A lock that names no process, as after a loss of power, is void. Default: it is respected. */
  readonly unreadableIsVoid?: boolean;
  /** Is called with the note of a void lock, before the lock is replaced. No other process takes the lock meanwhile. */
  readonly beforeReplacing?: (note: Readonly<Record<string, unknown>>) => Promise<void>;
}

/**
 * Holds the file `path`, which names this process, until `release`. The lock of a process of this machine that has ended is void. A
 * void lock is not removed but replaced, and only by the holder of a second lock, named for the void one's text: so of several
 * processes that find it one gets it. @throws {LockHeld}
 */
export async function takeLock(path: string, options: LockOptions = {}): Promise<LockFile> {
  const self = await identify(process.pid);
  if (!self) throw new Error("cannot identify this process");
  const writeBeside = async (lock: string, note: object = {}) => {
    const made = `${lock}.${randomUUID()}`;
    await writeFile(made, JSON.stringify({ ...self, host: hostname(), ...note }), { mode: 0o600 });
    return made;
  };
  await take(path, writeBeside, options);
  return {
    async write(note) {
      await rename(await writeBeside(path, note), path);
    },
    async release() {
      await rm(path, { force: true });
    },
  };
}

async function take(
  lock: string,
  writeBeside: (lock: string) => Promise<string>,
  { unreadableIsVoid = false, beforeReplacing }: LockOptions,
): Promise<void> {
  for (;;) {
    if (await create(lock, await writeBeside(lock))) return;
    const text = await readIfThere(lock);
    if (text === null) continue;
    const former = parse(text);
    const mayRun = former ? former.host !== hostname() || (await isRunning(former)) : !unreadableIsVoid;
    if (mayRun) throw new LockHeld(lock, former);
    const second = `${lock}.${createHash("sha256").update(text).digest("hex").slice(0, 16)}`;
    await take(second, writeBeside, { unreadableIsVoid });
    try {
      if ((await readIfThere(lock)) !== text) continue;
      await beforeReplacing?.({ ...former });
      return await rename(await writeBeside(lock), lock);
    } finally {
      await rm(second, { force: true });
    }
  }
}

/** Makes `lock` out of the complete file `from`, unless it is there: a link is made only where no file is. */
async function create(lock: string, from: string): Promise<boolean> {
  try {
    await link(from, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    await rm(from, { force: true });
  }
}

/** Null when there is no file, as it was released meanwhile. */
async function readIfThere(file: string): Promise<string | null> {
  return await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
}

function parse(text: string): Holder | null {
  try {
    const { pid, started, host = hostname(), ...note } = JSON.parse(text) as Partial<Holder>;
    return pid !== undefined && started !== undefined ? { ...note, pid, started, host } : null;
  } catch {
    return null;
  }
}
