import { randomBytes } from "node:crypto";
import { mkdir, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { claimPort, freePort, isFree } from "@partner-connect/service-runtime/free-port";
import { LockHeld, takeLock } from "@partner-connect/service-runtime/lock-file";
import { StartFailure } from "./processes.ts";

/** The document in this file; null if it can't be read. */
export async function readJson<Content>(file: string): Promise<Content | null> {
  const text = await readFile(file, "utf8").catch(() => null);
  return text === null ? null : (JSON.parse(text) as Content);
}

/**
 * Writes a file that only this user can read. Readers see the old or the new content, never a part.
 */
export async function writeJson(file: string, content: object): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

/**
 * Returns the stores' password, from which the role passwords are derived. The first start creates
 * it, and stores it in DATA_DIR/secrets.json.
 */
export async function ensureStoresPassword(dataDir: string): Promise<string> {
  const file = join(dataDir, "secrets.json");
  const known = await readJson<{ readonly postgres_password: string }>(file);
  const secrets = known ?? { postgres_password: newPassword() };
  if (!known) await writeJson(file, secrets);
  return secrets.postgres_password;
}

/**
 * The internal API's port: `asked`, or else the port of the last run (DATA_DIR/internal-api.json)
 * if it is free, because the product is configured with it. Stores it, unless it was `asked`.
 * @throws {StartFailure} if `asked` is in use
 */
export async function choosePort(dataDir: string, asked: number | undefined): Promise<number> {
  const file = join(dataDir, "internal-api.json");
  const known = asked ?? (await readJson<{ readonly port: number }>(file))?.port;
  const isFound =
    known && ((await claimPort(known)) || asked) && (await isFree("127.0.0.1", known));
  if (asked && !isFound)
    throw new StartFailure(`INTERNAL_API_PORT ${asked} is in use; set it to another one`);
  const port = isFound ? known : await freePort();
  if (!asked) await writeJson(file, { port });
  return port;
}

export function newPassword(): string {
  return randomBytes(24).toString("base64url");
}

/** The stack's processes, for the next start if this stack is killed. */
interface Members {
  readonly pid: number;
  readonly children: readonly number[];
}

/**
 * Makes and locks DATA_DIR, and waits until the children of a killed stack have ended.
 * @throws {StartFailure} when it can't be written, or is in use
 */
export async function claimDataFolder(asked: string) {
  try {
    await mkdir(asked, { recursive: true, mode: 0o711 });
    const path = await realpath(asked);
    await mkdir(join(path, "logs"), { recursive: true, mode: 0o700 });
    const file = join(path, "processes.json");
    const release = takeLock(join(path, "local-stack.lock"));
    const former = await readJson<Members>(file);
    await Promise.all((former?.children ?? []).map(untilEnded));
    const remember = (children: readonly number[]) =>
      writeJson(file, { pid: process.pid, children } satisfies Members);
    await remember([]);
    return {
      path,
      remember,
      async release(): Promise<void> {
        await rm(file);
        release();
      },
    };
  } catch (error) {
    if (error instanceof LockHeld) {
      const holder = await readJson<Members>(join(asked, "processes.json"));
      throw new StartFailure(
        `a local stack is running already in ${asked} (process ${holder?.pid}); stop it, or set another DATA_DIR and PORT`,
      );
    }
    if (!Object.hasOwn(error as Error, "syscall")) throw error;
    const why = (error as Error).message;
    throw new StartFailure(
      `DATA_DIR ${asked} can't be used (${why}): set it to a folder that can be written`,
    );
  }
}

/** Maximum wait for a killed stack's children; their guards end them sooner (processes.ts). */
const ENDED_MS = 8000;

async function untilEnded(pid: number): Promise<void> {
  for (const deadline = Date.now() + ENDED_MS; isRunning(pid) && Date.now() < deadline; )
    await sleep(50);
}

export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
