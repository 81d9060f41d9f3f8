import type { SigningAlgorithm } from "@partner-connect/access-token";
import { generateKey } from "./generate-key.ts";
import { changeKeys, createSigningKeysFile, loadKeys } from "./keys-file.ts";
import { type SigningKey, SigningKeysError } from "./signing-key.ts";

/** Adds a generated key to the file. If there is no file, it is made with a key that is active at once. */
export async function addKey(path: string, alg: SigningAlgorithm): Promise<SigningKey> {
  const key = await generateKey(alg, new Date());
  try {
    await changeKeys(path, (keys) => [...keys, key]);
    return key;
  } catch (error) {
    if (!(error instanceof SigningKeysError && error.code === "SIGNING_KEYS_MISSING")) throw error;
  }
  await createSigningKeysFile(path, alg);
  const [first] = await loadKeys(path);
  return first ?? key;
}
