import { mkdir, realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { StartFailure } from "../processes/start-failure.ts";
import { type Lock, takeLock } from "./lock.ts";

export interface DataFolder {
  /** Absolute, without links. */
  readonly path: string;
  readonly lock: Lock;
}

/**
 * Makes DATA_DIR where it is missing, and locks it for this process.
 * @throws StartFailure when it can't be written, or another stack runs there
 */
export async function claimDataFolder(asked: string): Promise<DataFolder> {
  try {
    await makeFolder(asked, 0o711);
    const path = await realpath(asked);
    await makeFolder(join(path, "logs"), 0o700);
    return { path, lock: await takeLock(path) };
  } catch (error) {
    if (!Object.hasOwn(error as Error, "syscall")) throw error;
    const why = (error as Error).message;
    throw new StartFailure(`DATA_DIR ${asked} can't be used (${why}): set it to a folder that can be written`);
  }
}

/**
 * As `mkdir -p`. Node's own recursive mkdir never ends where the system says ENOENT although the parent is there, as in
 * /proc.
 */
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
