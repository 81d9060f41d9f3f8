import { mkdir, realpath, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { StartFailure } from "../processes/start-failure.ts";
import { type Lock, lockDataFolder } from "./lock.ts";

export interface DataFolder {
  /** Absolute, without links. */
  readonly path: string;
  readonly lock: Lock;
}

/**
 * Makes DATA_DIR where it is missing, and locks it for this process.
 * @throws StartFailure when it can't be written, another stack runs there, or it was made by the other command
 */
export async function claimDataFolder(asked: string, command: "dev" | "sandbox" = "dev"): Promise<DataFolder> {
  try {
    await makeFolder(asked, 0o711);
    const path = await realpath(asked);
    await makeFolder(join(path, "logs"), 0o700);
    const lock = await lockDataFolder(path);
    await keepApart(path, command).catch(async (error) => {
      await lock.release();
      throw error;
    });
    return { path, lock };
  } catch (error) {
    if (!Object.hasOwn(error as Error, "syscall")) throw error;
    const why = (error as Error).message;
    throw new StartFailure(`DATA_DIR ${asked} can't be used (${why}): set it to a folder that can be written`);
  }
}

/** In a sandbox's folder times are those of its clock, so `dev` would take them for times to come. */
async function keepApart(path: string, command: "dev" | "sandbox"): Promise<void> {
  const mark = join(path, "sandbox.json");
  const isSandbox = await isThere(mark);
  if (command === "dev" && isSandbox) {
    throw new StartFailure(
      `${path} is a sandbox's, whose clock may have moved: start it by 'pnpm sandbox', or set another DATA_DIR`,
    );
  }
  if (command === "dev" || isSandbox) return;
  if (await isThere(join(path, "secrets.json"))) {
    throw new StartFailure(`${path} has the data of 'pnpm dev': a sandbox needs a DATA_DIR of its own`);
  }
  await writeFile(mark, `${JSON.stringify({ made_by: "pnpm sandbox" })}\n`, { mode: 0o600 });
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
