export { addKey, changeKeys, createSigningKeysFile, loadKeys } from "./keys-file.ts";
export { KeyTimes, type KnowingReport, type PublishingReport } from "./keys-report.ts";
export {
  activateKey,
  announceKey,
  nextRotationStep,
  type RotationStep,
  retireKey,
  rotationUnderWay,
} from "./life-cycle.ts";
export { readSigningKeys, type SigningKeys } from "./read-signing-keys.ts";
export {
  type AskedReplicas,
  beforeActivation,
  beforeRetirement,
  type Obstacle,
  type RetirementOptions,
} from "./safe-waits.ts";
export {
  CLOCK_SKEW_SECONDS,
  generateKey,
  isOldKey,
  JWKS_MAX_AGE_SECONDS,
  KEYS_SPREAD_SECONDS,
  keyAge,
  type SigningKey,
  SigningKeysError,
} from "./signing-key.ts";
export { watchSigningKeys } from "./watch-signing-keys.ts";
