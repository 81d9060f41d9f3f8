import { parseScope } from "@partner-connect/access-token";
import { within } from "@partner-connect/database";
import { type Client, hashCredential } from "@partner-connect/directory";
import { DATABASE_DEADLINE_MS, type GrantContext } from "./grant-context.ts";
import { shopOfRefreshToken } from "./refresh-token.ts";
import { GRANT_REVOKED, REFRESH_TOKEN_EXPIRED, SUPERSEDED, TokenError } from "./token-error.ts";
import type { TokenRequest } from "./token-request.ts";
import { type TokenResponse, tokenResponse } from "./token-response.ts";

/**
 * Spec, Refresh. Redis and Postgres are asked at once, each with one command. The refresh token stays the same, and its
 * whole lifetime begins anew; retries and parallel calls all succeed. A refused refresh doesn't extend the lifetime:
 * Redis, which extended it before the answer was known, forgets the token, and Postgres knows the last use.
 *
 * @throws {TokenError} invalid_request, invalid_grant, invalid_scope
 */
export async function refreshTokenGrant(
  context: GrantContext,
  client: Client,
  request: TokenRequest,
): Promise<TokenResponse> {
  const refreshToken = request.required("refresh_token");
  const narrowed = request.optional("scope");
  // A malformed list is kept as one value, which no connection has.
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
  // Redis had forgotten it: put it there again, with its whole lifetime. If that fails, Postgres answers again.
  if (!(await known)) await context.refreshTokens.put(clientId, refreshTokenHash, grant.grantId).catch(() => {});
  return tokenResponse(context.accessTokens, grant, clientId, scope);
}

function unknownToken(): TokenError {
  return new TokenError("invalid_grant", "the refresh token is unknown");
}
