export { addKey } from "./add-key.ts";
export { generateKey } from "./generate-key.ts";
export { changeKeys, createSigningKeysFile, loadKeys } from "./keys-file.ts";
export { activateKey, announceKey, type LifeCycleOptions, type RetireOptions, retireKey } from "./life-cycle.ts";
export { readSigningKeys, type SigningKeys } from "./read-signing-keys.ts";
export {
  CLOCK_SKEW_SECONDS,
  JWKS_MAX_AGE_SECONDS,
  KEY_STATUSES,
  type KeyStatus,
  type SigningKey,
  SigningKeysError,
  type SigningKeysErrorCode,
} from "./signing-key.ts";
