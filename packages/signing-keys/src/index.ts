export { generateKey } from "./generate-key.ts";
export { isOldKey, keyAge } from "./key-age.ts";
export { addKey, changeKeys, createSigningKeysFile, loadKeys } from "./keys-file.ts";
export { KeyTimes, type KnowingReport, type PublishingReport } from "./keys-report.ts";
export { activateKey, announceKey, retireKey } from "./life-cycle.ts";
export { readSigningKeys, type SigningKeys } from "./read-signing-keys.ts";
export { nextRotationStep, type RotationStep, rotationUnderWay } from "./rotation.ts";
export {
  type AskedReplicas,
  beforeActivation,
  beforeRetirement,
  type Obstacle,
  type RetirementOptions,
} from "./safe-waits.ts";
export {
  CLOCK_SKEW_SECONDS,
  JWKS_MAX_AGE_SECONDS,
  KEYS_SPREAD_SECONDS,
  type SigningKey,
  SigningKeysError,
} from "./signing-key.ts";
export { watchSigningKeys } from "./watch-signing-keys.ts";
