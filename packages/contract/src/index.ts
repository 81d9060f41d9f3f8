export {
  ACCESS_TOKEN_TYPE,
  type AccessTokenClaims,
  DEFAULT_ACCESS_TOKEN_TTL_SECONDS,
  SIGNING_ALGORITHMS,
  type SigningAlgorithm,
} from "./claims.ts";
export { parseDateTime } from "./date-time.ts";
export { grantableScope, PLANS, type Plan, scopeOfPlan } from "./plan.ts";
export { isScope, parseScope, SCOPE_LIST, SCOPES, type Scope } from "./scope.ts";
export { formatTimestamp, parseTimestamp } from "./timestamp.ts";
