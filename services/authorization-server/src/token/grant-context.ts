import type { LiveGrant } from "@partner-connect/connections";
import type { Sql } from "@partner-connect/database";
import type { AccessTokenIssuer } from "./access-token-issuer.ts";

export interface GrantContext {
  readonly sql: Sql;
  /** Seconds without use after which a refresh token expires. */
  readonly refreshTokenTtl: number;
  readonly codes: AuthorizationCodes;
  readonly refreshTokens: RefreshTokenStore;
  readonly accessTokens: AccessTokenIssuer;
  /** Seconds after its exchange for which a replayed code is taken for a retry. */
  readonly codeReplayGrace: number;
}

/** The authorization codes that were issued. `provider/` implements it with the library. */
export interface AuthorizationCodes {
  /** Null if there is none, or no longer. A redeemed one is still found for a day, so that a replay is noticed. */
  find(code: string): Promise<IssuedCode | null>;
}

export interface IssuedCode {
  readonly clientId: string;
  readonly shopId: string;
  readonly grantId: string;
  readonly redirectUri: string;
  readonly codeChallenge: string;
  readonly redeemed: boolean;
  /** Past its five minutes. */
  readonly expired: boolean;
  /** Notes that it was redeemed, to recognise a replay. Postgres ensures that it is redeemed only once: see `exchange`. */
  markRedeemed(): Promise<void>;
}

/** What Redis knows of refresh tokens. Postgres can answer without it, so losing Redis loses no connection. `provider/` implements it. */
export interface RefreshTokenStore {
  put(value: string, clientId: string, grant: Pick<LiveGrant, "shopId" | "grantId" | "scope">): Promise<void>;
  /** Whether Redis knows the token as this client's. If so, its whole lifetime has begun anew. */
  use(value: string, clientId: string): Promise<boolean>;
  /** Takes the new lifetime away from a token whose refresh was refused: Postgres alone then says when it expires. */
  forget(value: string): Promise<void>;
}
