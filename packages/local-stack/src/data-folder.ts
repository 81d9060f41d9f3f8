import { randomBytes } from "node:crypto";
import { mkdir, readFile, realpath, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { LockHeld, takeLock } from "@partner-connect/service-runtime/lock-file";
import { endProcess, identify, type ProcessIdentity } from "@partner-connect/service-runtime/process-identity";
import { StartFailure } from "./processes.ts";

/** The document in this file; null where it can't be read. */
export async function readJson<Content>(file: string): Promise<Content | null> {
  const text = await readFile(file, "utf8").catch(() => null);
  return text === null ? null : (JSON.parse(text) as Content);
}

/** For this user only. Readers see the old file or the new one, never a part. */
export async function writeJson(file: string, content: object): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

/** DATA_DIR/secrets.json, made at the first start: the stores' password, of which those of the services' roles derive. */
export async function storesPassword(dataDir: string): Promise<string> {
  const file = join(dataDir, "secrets.json");
  const known = await readJson<{ readonly postgres_password: string }>(file);
  const secrets = known ?? { postgres_password: newPassword() };
  if (!known) await writeJson(file, secrets);
  return secrets.postgres_password;
}

export function newPassword(): string {
  return randomBytes(24).toString("base64url");
}

/** Makes and locks DATA_DIR, and ends what a killed stack left running there. @throws {StartFailure} when it can't be written, or is in use */
export async function claimDataFolder(asked: string) {
  try {
    await mkdir(asked, { recursive: true, mode: 0o711 });
    const path = await realpath(asked);
    await mkdir(join(path, "logs"), { recursive: true, mode: 0o700 });
    return { path, lock: await lockFolder(path) };
  } catch (error) {
    if (error instanceof LockHeld) {
      throw new StartFailure(
        `a local stack is running already in ${asked} (process ${error.holder?.pid}); stop it, or set another DATA_DIR and PORT`,
      );
    }
    if (!Object.hasOwn(error as Error, "syscall")) throw error;
    const why = (error as Error).message;
    throw new StartFailure(`DATA_DIR ${asked} can't be used (${why}): set it to a folder that can be written`);
  }
}

async function lockFolder(dataDir: string) {
  const lock = await takeLock(join(dataDir, "local-stack.lock"), {
    unreadableIsVoid: true,
    async beforeReplacing({ children = [] }) {
      await Promise.all((children as ProcessIdentity[]).map((child) => endProcess(child)));
    },
  });
  return {
    /** Writes these processes into the lock, for the next start if this process is killed. */
    async remember(pids: readonly number[]): Promise<void> {
      const children = await Promise.all(pids.map(identify));
      await lock.write({ children: children.filter((child) => child !== null) });
    },
    release: () => lock.release(),
  };
}
