import type { SigningAlgorithm } from "@partner-connect/contract";
import { generateKey } from "./generate-key.ts";
import { changeKeys, createSigningKeysFile } from "./keys-file.ts";
import { type SigningKey, SigningKeysError } from "./signing-key.ts";

/**
 * Adds a generated key to the file. If there is no file, it is made with a key that is active at once. `beforeWrite` is called
 * when the key is not in the file yet; if it rejects, nothing is written.
 */
export async function addKey(
  path: string,
  alg: SigningAlgorithm,
  beforeWrite: (key: SigningKey) => Promise<void> = async () => {},
): Promise<SigningKey> {
  const key = await generateKey(alg, new Date());
  try {
    await changeKeys(path, async (keys) => {
      await beforeWrite(key);
      return [...keys, key];
    });
    return key;
  } catch (error) {
    if (!(error instanceof SigningKeysError && error.code === "SIGNING_KEYS_MISSING")) throw error;
  }
  const first = await createSigningKeysFile(path, alg, beforeWrite);
  if (first) return first;
  throw new SigningKeysError("SIGNING_KEYS_LOCKED", `another process has made ${path} at this moment: try again`);
}
