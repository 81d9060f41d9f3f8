import type { LiveGrant } from "@partner-connect/connections";
import { grantableScope } from "@partner-connect/contract";
import type { AccessTokenIssuer } from "./access-token-issuer.ts";

/** Spec, Token response. */
export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: "Bearer";
  readonly expires_in: number;
  readonly scope: string;
  /** Only on the exchange of a code. */
  readonly refresh_token?: string;
}

export interface Granted {
  readonly response: TokenResponse;
  readonly grant: LiveGrant;
}

/** A new access token for as much of `scope` as the client may have and the shop's plan allows now. */
export function tokenResponse(
  accessTokens: AccessTokenIssuer,
  grant: LiveGrant,
  clientId: string,
  scope: readonly string[] = grant.scope,
): TokenResponse {
  const granted = grantableScope(scope, grant.clientScope, grant.plan);
  return {
    access_token: accessTokens.issue(grant, clientId, granted),
    token_type: "Bearer",
    expires_in: accessTokens.ttl,
    scope: granted.join(" "),
  };
}
