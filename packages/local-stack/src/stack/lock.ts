import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { endProcess, identify, isRunning, type ProcessIdentity } from "../processes/process-identity.ts";
import { StartFailure } from "../processes/start-failure.ts";

/** Says whose DATA_DIR is, and which processes it has. */
interface LockFile extends ProcessIdentity {
  readonly children: readonly ProcessIdentity[];
}

export interface Lock {
  /** Remembers the processes, for a start after this one was killed. */
  remember(pids: readonly number[]): Promise<void>;
  release(): Promise<void>;
}

/**
 * Takes DATA_DIR for this process. What a killed stack left is not in the way: its lock is void, and processes of
 * its that still run are ended first.
 * @throws StartFailure when another stack runs there; the system's error where DATA_DIR takes no lock
 */
export async function takeLock(dataDir: string): Promise<Lock> {
  const file = join(dataDir, "local-stack.lock");
  const self = await identify(process.pid);
  if (!self) throw new Error("cannot identify this process");
  const mine = `${file}.${self.pid}`;
  await writeFile(mine, content(self, []), { mode: 0o600 });
  try {
    // A link is made only where no file is, and is complete at once.
    for (;;) {
      const taken = await link(mine, file).then(
        () => true,
        (error: NodeJS.ErrnoException) => {
          if (error.code === "EEXIST") return false;
          throw error;
        },
      );
      if (taken) break;
      await voidLock(file, dataDir);
    }
  } finally {
    await rm(mine, { force: true });
  }

  let writing = Promise.resolve();
  return {
    remember(pids) {
      writing = writing.then(async () => {
        const children = await Promise.all(pids.map(identify));
        await writeFile(mine, content(self, children.filter(known)), { mode: 0o600 });
        await rename(mine, file);
      });
      return writing;
    },
    async release() {
      await writing;
      await rm(file, { force: true });
    },
  };
}

async function voidLock(file: string, dataDir: string): Promise<void> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    // Released just now. Any other failure would come again and again.
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (text === null) return;
  const owner = parse(text);
  if (owner && (await isRunning(owner))) {
    throw new StartFailure(
      `a local stack is running already in ${dataDir} (process ${owner.pid}); stop it, or set another DATA_DIR and PORT`,
    );
  }
  await Promise.all((owner?.children ?? []).map((child) => endProcess(child)));
  await rm(file, { force: true });
}

/** Null: cut off while it was being written, so nobody holds it. */
function parse(text: string): LockFile | null {
  try {
    return JSON.parse(text) as LockFile;
  } catch {
    return null;
  }
}

function content(self: ProcessIdentity, children: readonly ProcessIdentity[]): string {
  const lock: LockFile = { ...self, children };
  return `${JSON.stringify(lock)}\n`;
}

function known(identity: ProcessIdentity | null): identity is ProcessIdentity {
  return identity !== null;
}
