import { randomUUID } from "node:crypto";
import { link, mkdir, open, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { SigningAlgorithm } from "@partner-connect/contract";
import { LockHeld, takeLock } from "@partner-connect/service-runtime/lock-file";
import { parseKeys, parseSigningKeys, type SigningKeys, serializeKeys } from "./parse-keys.ts";
import { generateKey, type SigningKey, SigningKeysError } from "./signing-key.ts";

/**
 * Writes and syncs a temporary file beside `path` that only the owner of `path` can read, even if
 * root writes it. Returns its path.
 */
async function writeBeside(path: string, text: string): Promise<string> {
  const temporary = `${path}.${randomUUID()}`;
  const former = await stat(path).catch(() => null);
  const file = await open(temporary, "wx", 0o600);
  try {
    if (former && former.uid !== process.getuid?.()) await file.chown(former.uid, former.gid);
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

/** Syncs a rename or link of `path` to disk. */
async function syncFolderOf(path: string): Promise<void> {
  const folder = await open(dirname(path), "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function hasCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException | null)?.code === code;
}

/** Reads the keys. @throws {SigningKeysError} SIGNING_KEYS_MISSING, SIGNING_KEYS_MALFORMED */
export async function loadKeys(path: string): Promise<SigningKey[]> {
  return parseKeys(await readKeysFile(path), path);
}

/**
 * @throws {SigningKeysError} if the file is missing or malformed, or does not have exactly one
 * active key
 */
export async function readSigningKeys(path: string): Promise<SigningKeys> {
  return parseSigningKeys(await readKeysFile(path), path);
}

/** The file's text, including private keys. @throws {SigningKeysError} SIGNING_KEYS_MISSING */
export async function readKeysFile(path: string): Promise<string> {
  return await readFile(path, "utf8").catch((error) => refuseMissing(error, path));
}

/**
 * Creates the file with one active key; null if it exists. If `beforeWrite` rejects, no file is
 * created.
 */
export async function createSigningKeysFile(
  path: string,
  alg: SigningAlgorithm = "EdDSA",
  beforeWrite: (key: SigningKey) => Promise<void> = async () => {},
): Promise<SigningKey | null> {
  if (await stat(path).catch(() => null)) return null;
  await mkdir(dirname(path), { recursive: true });
  const now = new Date();
  const key: SigningKey = { ...(await generateKey(alg, now)), status: "active", activatedAt: now };
  const temporary = await writeBeside(path, serializeKeys([key]));
  try {
    await beforeWrite(key);
    // Unlike rename, link never replaces a file created concurrently.
    await link(temporary, path);
    await syncFolderOf(path);
    return key;
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
    return null;
  } finally {
    await rm(temporary, { force: true });
  }
}

/**
 * Replaces the keys atomically by the result of `change`; a concurrent change is refused.
 * @throws {SigningKeysError} SIGNING_KEYS_LOCKED, SIGNING_KEYS_READ_ONLY, or as {@link loadKeys};
 * errors of `change`
 */
export async function changeKeys(
  path: string,
  change: (keys: SigningKey[]) => SigningKey[] | Promise<SigningKey[]>,
): Promise<SigningKey[]> {
  // A rename over a symbolic link would replace the link.
  const file = await realpath(path).catch((error) => refuseMissing(error, path));
  let release = () => {};
  try {
    release = takeLock(`${file}.lock`);
    const keys = await change(await loadKeys(file));
    await rename(await writeBeside(file, serializeKeys(keys)), file);
    await syncFolderOf(file);
    return keys;
  } catch (error) {
    throw refusalOf(error, path);
  } finally {
    release();
  }
}

/** The error for operators if the file is locked or, as a mounted Secret, read-only; else `error`. */
function refusalOf(error: unknown, path: string): unknown {
  if (error instanceof LockHeld) {
    return new SigningKeysError("SIGNING_KEYS_LOCKED", `another change of ${path} is in progress`);
  }
  if (!["EROFS", "EACCES", "EPERM", "ERR_SQLITE_ERROR"].some((code) => hasCode(error, code)))
    return error;
  const problem = `${path} is read-only: set SIGNING_KEYS_FILE to a copy, change the copy, and update the Secret that is mounted there`;
  return new SigningKeysError("SIGNING_KEYS_READ_ONLY", problem);
}

function refuseMissing(error: unknown, path: string): never {
  if (!hasCode(error, "ENOENT")) throw error;
  const problem = `there is no signing keys file ${path}: restore it from its backup; only for a new installation: 'partner-connect keys generate'`;
  throw new SigningKeysError("SIGNING_KEYS_MISSING", problem);
}
