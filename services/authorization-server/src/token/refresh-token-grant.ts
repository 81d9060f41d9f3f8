import { grantableScope, parseScope } from "@partner-connect/access-token";
import { within } from "@partner-connect/database";
import { type Client, hashCredential } from "@partner-connect/directory";
import { shopOfRefreshToken } from "./refresh-token.ts";
import { DATABASE_DEADLINE_MS, type TokenContext } from "./token-context.ts";
import { GRANT_REVOKED, REFRESH_TOKEN_EXPIRED, SUPERSEDED, TokenError } from "./token-error.ts";
import type { TokenRequest } from "./token-request.ts";
import type { TokenResponse } from "./token-response.ts";

/**
 * Spec, Refresh: one question to Redis and one to Postgres, both at once. The refresh token stays the same and lives on for its
 * whole lifetime from now; retries and parallel calls all succeed. A refresh that is refused gives no new life: Redis,
 * which was asked before anything else was known, then forgets the token, and Postgres knows its last use.
 *
 * @throws {TokenError} invalid_request, invalid_grant, invalid_scope
 */
export async function refreshTokenGrant(
  context: TokenContext,
  client: Client,
  request: TokenRequest,
): Promise<TokenResponse> {
  const refreshToken = request.required("refresh_token");
  const narrowed = request.optional("scope");
  // What is no list of scopes is no scope of the connection either.
  const scope = narrowed === undefined ? undefined : (parseScope(narrowed) ?? [narrowed]);
  const shopId = shopOfRefreshToken(refreshToken);
  if (shopId === null) throw unknownToken();

  const { clientId } = client;
  const refreshTokenHash = hashCredential(refreshToken);
  const known = context.refreshTokens.use(clientId, refreshTokenHash);
  const outcome = await within(
    DATABASE_DEADLINE_MS,
    context.refresh({ shopId, clientId, refreshTokenHash, known, scope }),
  );
  switch (outcome.outcome) {
    case "held":
      await context.refreshTokens.forget(clientId, refreshTokenHash);
      throw new TokenError("invalid_grant", GRANT_REVOKED);
    case "invalid_scope":
      await context.refreshTokens.forget(clientId, refreshTokenHash);
      throw new TokenError("invalid_scope", "scope has a value that the connection does not have");
    case "revoked":
      throw new TokenError("invalid_grant", GRANT_REVOKED);
    case "expired":
      throw new TokenError("invalid_grant", REFRESH_TOKEN_EXPIRED);
    case "superseded":
      throw new TokenError("invalid_grant", SUPERSEDED);
    case "unknown":
      throw unknownToken();
  }
  const { grant } = outcome;
  // Redis had forgotten it: put it back, with its whole life before it. If that fails, Postgres answers again.
  if (!(await known)) await context.refreshTokens.put(clientId, refreshTokenHash, grant.grantId).catch(() => {});

  const granted = grantableScope(scope ?? grant.scope, grant.clientScope, grant.plan);
  return {
    access_token: context.accessTokens.issue(grant, clientId, granted),
    token_type: "Bearer",
    expires_in: context.accessTokenTtl,
    scope: granted.join(" "),
  };
}

function unknownToken(): TokenError {
  return new TokenError("invalid_grant", "the refresh token is unknown");
}
