export { generateKey } from "./generate-key.ts";
export { isOldKey, keyAge, OLD_KEY_DAYS } from "./key-age.ts";
export { addKey, changeKeys, createSigningKeysFile, loadKeys } from "./keys-file.ts";
export { KeyTimes, type KnowingReport, type PublishingReport } from "./keys-report.ts";
export { activateKey, announceKey, type LifeCycleOptions, type RetireOptions, retireKey } from "./life-cycle.ts";
export { readSigningKeys, type SigningKeys } from "./read-signing-keys.ts";
export { nextRotationStep, type RotationStep, rotationUnderWay } from "./rotation.ts";
export {
  type AskedReplicas,
  beforeActivation,
  beforeRetirement,
  NOBODY_ASKED,
  type Obstacle,
  type RetirementOptions,
} from "./safe-order.ts";
export {
  CLOCK_SKEW_SECONDS,
  JWKS_MAX_AGE_SECONDS,
  KEY_STATUSES,
  KEYS_SPREAD_SECONDS,
  type KeyStatus,
  type SigningKey,
  SigningKeysError,
  type SigningKeysErrorCode,
} from "./signing-key.ts";
export {
  KEYS_FILE_POLL_SECONDS,
  type WatchedKeys,
  type WatchOptions,
  watchSigningKeys,
} from "./watch-signing-keys.ts";
