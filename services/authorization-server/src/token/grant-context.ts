import type { Refresh, RefreshOutcome } from "@partner-connect/connections";
import type { Sql } from "@partner-connect/database";
import type { AccessTokenIssuer } from "./access-token-issuer.ts";
import type { AuthorizationCodes } from "./authorization-codes.ts";
import type { RefreshTokenStore } from "./refresh-token-store.ts";

/** What the two grant types work with. */
export interface GrantContext {
  readonly sql: Sql;
  readonly refresh: (refresh: Refresh) => Promise<RefreshOutcome>;
  readonly codes: AuthorizationCodes;
  readonly refreshTokens: RefreshTokenStore;
  readonly accessTokens: AccessTokenIssuer;
  /** Seconds after its exchange for which a replayed code is taken for a retry. */
  readonly codeReplayGrace: number;
}

/** How long a token request waits for Postgres before it is told 'unavailable'. */
export const DATABASE_DEADLINE_MS = 1500;
