export {
  ACCESS_TOKEN_TYPE,
  type AccessTokenClaims,
  DEFAULT_ACCESS_TOKEN_TTL_SECONDS,
  SIGNING_ALGORITHMS,
  type SigningAlgorithm,
} from "./claims.ts";
export {
  grantableScope,
  isScope,
  PLANS,
  type Plan,
  parseScope,
  SCOPES,
  type Scope,
  scopeOfPlan,
} from "./scope.ts";
