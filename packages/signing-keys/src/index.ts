export { changeKeys, createSigningKeysFile, loadKeys } from "./keys-file.ts";
export { readSigningKeys, type SigningKeys } from "./read-signing-keys.ts";
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
