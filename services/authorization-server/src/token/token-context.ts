import type { Refresh, RefreshOutcome } from "@partner-connect/connections";
import type { Sql } from "@partner-connect/database";
import type { AccessTokenIssuer } from "./access-token-issuer.ts";
import type { AuthorizationCodes } from "./authorization-codes.ts";
import type { RefreshTokenStore } from "./refresh-token-store.ts";

/** What the grants work with. */
export interface TokenContext {
  readonly sql: Sql;
  readonly refresh: (refresh: Refresh) => Promise<RefreshOutcome>;
  readonly codes: AuthorizationCodes;
  readonly refreshTokens: RefreshTokenStore;
  readonly accessTokens: AccessTokenIssuer;
  readonly accessTokenTtl: number;
  readonly codeReplayGrace: number;
}

/** How long a token request waits for Postgres before it is told 'unavailable'. */
export const DATABASE_DEADLINE_MS = 1500;
