import { mkdir, readFile, realpath, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { LockHeld, takeLock } from "@partner-connect/service-runtime/lock-file";
import { endProcess, identify, type ProcessIdentity } from "@partner-connect/service-runtime/process-identity";
import { containerEngine } from "../containers/start-container.ts";
import { STORES, volumeFile } from "../containers/start-store.ts";
import { MACHINE_FOLDER } from "../postgres/binaries.ts";
import { StartFailure } from "../processes/start-failure.ts";

/** Makes and locks DATA_DIR. @throws {StartFailure} when it can't be written, or is in use */
export async function claimDataFolder(asked: string) {
  try {
    await makeFolder(asked, 0o711);
    const path = await realpath(asked);
    await makeFolder(join(path, "logs"), 0o700);
    return { path, lock: await lockDataFolder(path) };
  } catch (error) {
    if (!Object.hasOwn(error as Error, "syscall")) throw error;
    const why = (error as Error).message;
    throw new StartFailure(`DATA_DIR ${asked} can't be used (${why}): set it to a folder that can be written`);
  }
}

/** As `mkdir -p`. Node's own never ends where the system says ENOENT although the parent is there, as in /proc. */
async function makeFolder(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" && (await stat(path)).isDirectory()) return;
    if (code !== "ENOENT" || (await isThere(dirname(path)))) throw error;
    await makeFolder(dirname(path), mode);
    await makeFolder(path, mode);
  }
}

async function isThere(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}

export type Lock = Awaited<ReturnType<typeof lockDataFolder>>;

/** Locks DATA_DIR, and ends what a killed stack left running there. @throws {StartFailure} when another stack runs; the system's error */
export async function lockDataFolder(dataDir: string) {
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
    /** Writes these processes into the lock, for the next start if this process is killed. Call it once at a time. */
    async remember(pids: readonly number[]): Promise<void> {
      const children = await Promise.all(pids.map(identify));
      await lock.write({ children: children.filter((child) => child !== null) });
    },
    release: () => lock.release(),
  };
}

/** Removes a DATA_DIR whose stack has stopped, and what belongs to it elsewhere: its containers' volumes, its cluster. */
export async function removeData(dataDir: string): Promise<void> {
  for (const store of STORES) {
    const volume = await readFile(volumeFile(dataDir, store), "utf8").catch(() => null);
    const engine = volume === null ? null : await containerEngine();
    if (volume !== null) await engine?.dockerode.getVolume(volume.trim()).remove();
  }
  const cluster = await realpath(join(dataDir, "postgres")).catch(() => null);
  if (cluster?.startsWith(`${MACHINE_FOLDER}/`)) await rm(dirname(cluster), { recursive: true, force: true });
  await rm(dataDir, { recursive: true, force: true });
}
