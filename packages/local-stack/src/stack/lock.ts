import { createHash, randomUUID } from "node:crypto";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { endProcess, identify, isRunning, type ProcessIdentity } from "../processes/process-identity.ts";
import { StartFailure } from "../processes/start-failure.ts";

/** Names the process that holds DATA_DIR, and the processes that it has started. */
interface LockFile extends ProcessIdentity {
  readonly children: readonly ProcessIdentity[];
}

export interface Lock {
  /** Writes these processes into the lock, for the next start if this process is killed. */
  remember(pids: readonly number[]): Promise<void>;
  release(): Promise<void>;
}

/**
 * Locks DATA_DIR for this process. The lock of a process that has ended is void, however it ended: whoever takes it first
 * ends the processes that the lock names and that still run.
 *
 * proper-lockfile doesn't fit: it knows a void lock only by its age. So a start soon after a kill -9 would be refused, a
 * stack that was suspended would lose its lock, and its lock can't say which process holds it.
 * @throws StartFailure when another stack runs there; the system's error where DATA_DIR can't be written
 */
export async function takeLock(dataDir: string): Promise<Lock> {
  const file = join(dataDir, "local-stack.lock");
  const self = await identify(process.pid);
  if (!self) throw new Error("cannot identify this process");
  const write = async (path: string, children: readonly ProcessIdentity[]) => {
    const next = `${path}.${randomUUID()}`;
    await writeFile(next, JSON.stringify({ ...self, children } satisfies LockFile), { mode: 0o600 });
    return next;
  };
  await take(file, (path) => write(path, []), dataDir);

  let writing = Promise.resolve();
  return {
    remember(pids) {
      writing = writing.then(async () => {
        const children = await Promise.all(pids.map(identify));
        await rename(await write(file, children.filter(isKnown)), file);
      });
      return writing;
    },
    async release() {
      await writing;
      await rm(file, { force: true });
    },
  };
}

/**
 * Makes the lock `file` this process's own; `write` makes a complete file beside it. Of several processes that find a void
 * lock, each could remove the lock that another has made meanwhile. So a void lock is not removed but replaced, and only
 * by the process that holds a second lock, named for the text of the void one.
 */
async function take(file: string, write: (path: string) => Promise<string>, dataDir: string): Promise<void> {
  for (;;) {
    if (await create(file, await write(file))) return;
    const text = await readIfThere(file);
    if (text === null) continue;
    const holder = parse(text);
    if (holder && (await isRunning(holder))) {
      throw new StartFailure(
        `a local stack is running already in ${dataDir} (process ${holder.pid}); stop it, or set another DATA_DIR and PORT`,
      );
    }
    const second = `${file}.${createHash("sha256").update(text).digest("hex").slice(0, 16)}`;
    await take(second, write, dataDir);
    try {
      if ((await readIfThere(file)) !== text) continue;
      await Promise.all((holder?.children ?? []).map((child) => endProcess(child)));
      return await rename(await write(file), file);
    } finally {
      await rm(second, { force: true });
    }
  }
}

/** Makes `file` out of the complete file `from`, unless it is there: a link is made only where no file is. */
async function create(file: string, from: string): Promise<boolean> {
  try {
    await link(from, file);
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

/** Null when the text is not a whole lock, as after a loss of power: then nobody holds it. */
function parse(text: string): LockFile | null {
  try {
    return JSON.parse(text) as LockFile;
  } catch {
    return null;
  }
}

function isKnown(identity: ProcessIdentity | null): identity is ProcessIdentity {
  return identity !== null;
}
