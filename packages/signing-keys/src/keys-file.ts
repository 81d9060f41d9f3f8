import { randomUUID } from "node:crypto";
import { type FileHandle, link, mkdir, open, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { SigningAlgorithm } from "@partner-connect/access-token";
import { generateKey } from "./generate-key.ts";
import { parseKeys, serializeKeys } from "./parse-keys.ts";
import { type SigningKey, SigningKeysError } from "./signing-key.ts";

/** The file's keys, whatever their status. */
export async function loadKeys(path: string): Promise<SigningKey[]> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
    throw new SigningKeysError(
      "SIGNING_KEYS_MISSING",
      `there is no signing keys file ${path}: 'partner-connect keys generate' makes it`,
    );
  }
  return parseKeys(text, path);
}

/** Makes the file with one active key, unless it is there. Of several callers at once, one makes it. */
export async function createSigningKeysFile(path: string, alg: SigningAlgorithm = "EdDSA"): Promise<void> {
  if (await stat(path).catch(() => null)) return;
  await mkdir(dirname(path), { recursive: true });
  const now = new Date();
  const first: SigningKey = {
    ...(await generateKey(alg, now)),
    status: "active",
    announcedAt: now,
    activatedAt: now,
  };
  const temporary = await writeBeside(path, serializeKeys([first]));
  try {
    // Unlike rename, link never replaces what another caller has put there meanwhile.
    await link(temporary, path);
    await syncDirectory(path);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Replaces the file's keys by what `change` makes of them, in one step; two changes at once never mix. */
export async function changeKeys(
  path: string,
  change: (keys: SigningKey[]) => SigningKey[] | Promise<SigningKey[]>,
): Promise<SigningKey[]> {
  // A rename over a symbolic link would leave the file that it points to as it was.
  const target = await realpath(path).catch(() => path);
  const lock = `${target}.lock`;
  const held = await takeLock(lock, target);
  try {
    const changed = await change(await loadKeys(target));
    const temporary = await writeBeside(target, serializeKeys(changed));
    await rename(temporary, target);
    await syncDirectory(target);
    return changed;
  } finally {
    await held.close();
    await rm(lock, { force: true });
  }
}

async function takeLock(lock: string, path: string): Promise<FileHandle> {
  try {
    return await open(lock, "wx", 0o600);
  } catch (error) {
    if (hasCode(error, "ENOENT")) await loadKeys(path); // no such folder: it says that the file is missing
    if (!hasCode(error, "EEXIST")) throw error;
    throw new SigningKeysError(
      "SIGNING_KEYS_LOCKED",
      `another change of ${path} is under way; if none is, an earlier one was cut off: delete ${lock}`,
    );
  }
}

/** Writes a file that only its owner can read, in the same folder and on disk for good, and returns its path. */
async function writeBeside(path: string, text: string): Promise<string> {
  const temporary = `${path}.${randomUUID()}`;
  const owner = await stat(path).catch(() => null);
  const file = await open(temporary, "wx", 0o600);
  try {
    // The service that reads the file keeps it, also when root changes it.
    if (owner && owner.uid !== process.getuid?.()) await file.chown(owner.uid, owner.gid);
    await file.writeFile(text);
    await file.sync();
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return temporary;
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(dirname(path), "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

function hasCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException | null)?.code === code;
}
