export { changeKeys, createSigningKeysFile, loadKeys, readSigningKeys } from "./keys-file.ts";
export type { SigningKeys } from "./parse-keys.ts";
export { activateKey, announceKey, removeRetiringKey, retireLeakedKey } from "./rotation.ts";
export {
  generateKey,
  isOldKey,
  JWKS_MAX_AGE_SECONDS,
  keyAge,
  type SigningKey,
  SigningKeysError,
} from "./signing-key.ts";
export { watchSigningKeys } from "./watch-signing-keys.ts";
