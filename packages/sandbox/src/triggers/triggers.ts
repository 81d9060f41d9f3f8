import { HOLD, RELEASE, REVOKE } from "./connection-status.ts";
import { KEY_ROTATION } from "./key-rotation.ts";
import { CODE_EXPIRY, CONNECTION_LAPSE, TOKEN_EXPIRY } from "./passing-time.ts";
import { DELETE, PLAN_CHANGE, RECATEGORIZE } from "./survey-changes.ts";
import type { Trigger } from "./trigger.ts";
import { RATE_LIMIT, TOKEN_RATE_LIMIT, UNAVAILABLE } from "./unavailable.ts";

export const TRIGGERS: readonly Trigger[] = [
  CODE_EXPIRY,
  TOKEN_EXPIRY,
  CONNECTION_LAPSE,
  REVOKE,
  HOLD,
  RELEASE,
  PLAN_CHANGE,
  RECATEGORIZE,
  DELETE,
  RATE_LIMIT,
  TOKEN_RATE_LIMIT,
  UNAVAILABLE,
  KEY_ROTATION,
];
