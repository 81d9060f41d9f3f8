import { type Refresh, type RefreshOutcome, refresh, refreshBatch } from "@partner-connect/connections";
import { parseScope } from "@partner-connect/contract";
import { type Client, hashCredential } from "@partner-connect/directory";
import type { GrantContext } from "./grant-context.ts";
import { shopOfRefreshToken } from "./refresh-token.ts";
import { GRANT_REVOKED, REFRESH_TOKEN_EXPIRED, SUPERSEDED, TokenError } from "./token-error.ts";
import { missingParameter, type TokenRequest } from "./token-request.ts";
import { type Granted, tokenResponse } from "./token-response.ts";

/** Spec, Refresh. @throws {TokenError} invalid_request, invalid_grant, invalid_scope */
export async function refreshTokenGrant(
  context: GrantContext,
  client: Client,
  request: TokenRequest,
): Promise<Granted> {
  const narrowed = request.optional("scope");
  // A malformed list is kept as one value, which no connection has.
  const scope = narrowed === undefined ? undefined : (parseScope(narrowed) ?? [narrowed]);
  const refreshToken = request.required("refresh_token");
  const asked = refreshOf(context, client, refreshToken, scope);
  if (!asked) throw unknownToken();
  return await granted(context, refreshToken, asked, await refresh(context.sql, asked, context.refreshTokenTtl));
}

/**
 * Refreshes many tokens, each as if it were alone. The reason of a token that is refused is a {@link TokenError}: invalid_request,
 * invalid_grant, invalid_scope. Any other reason is a fault.
 */
export async function refreshTokenGrants(
  context: GrantContext,
  client: Client,
  refreshTokens: readonly string[],
): Promise<PromiseSettledResult<Granted>[]> {
  const { sql, refreshTokenTtl } = context;
  const asked = refreshTokens.map((refreshToken) => refreshOf(context, client, refreshToken));
  const ours = asked.filter((one) => one !== null);
  const outcomes = (await refreshBatch(sql, client.clientId, ours, refreshTokenTtl)).values();
  return await Promise.allSettled(
    asked.map(async (one, index) => {
      const refreshToken = refreshTokens[index] as string;
      if (refreshToken === "") throw missingParameter("refresh_token");
      const outcome = one && outcomes.next().value;
      if (!one || !outcome) throw unknownToken();
      if (outcome instanceof Error) throw outcome;
      return await granted(context, refreshToken, one, outcome);
    }),
  );
}

/** Asks Redis, which extends the token's lifetime. Null: the token is none of ours. */
function refreshOf(
  context: GrantContext,
  { clientId }: Client,
  refreshToken: string,
  scope?: readonly string[],
): Refresh | null {
  const shopId = shopOfRefreshToken(refreshToken);
  if (shopId === null) return null;
  const known = context.refreshTokens.use(refreshToken, clientId);
  return { shopId, clientId, refreshTokenHash: hashCredential(refreshToken), known, scope };
}

async function granted(
  context: GrantContext,
  refreshToken: string,
  asked: Refresh,
  outcome: RefreshOutcome,
): Promise<Granted> {
  if (outcome.outcome === "unknown") throw unknownToken();
  const { shopId, clientId, known, scope } = asked;
  if (outcome.outcome !== "refreshed") {
    const { error, description, reason, isForgotten } = REFUSALS[outcome.outcome];
    if (isForgotten) await context.refreshTokens.forget(refreshToken);
    throw new TokenError(error, description, reason, { shopId, connectionId: outcome.connectionId });
  }
  const { grant } = outcome;
  // Redis had forgotten it: put it there again, with its whole lifetime. If that fails, Postgres answers again.
  if (!(await known)) await context.refreshTokens.put(refreshToken, clientId, grant).catch(() => {});
  return { response: tokenResponse(context.accessTokens, grant, clientId, scope), grant };
}

/** `isForgotten`: Redis, which has begun the token's life anew, forgets it, as Postgres has not. */
const REFUSALS = {
  held: {
    error: "invalid_grant",
    description: GRANT_REVOKED,
    reason: "connection_disabled",
    isForgotten: true,
  },
  invalid_scope: {
    error: "invalid_scope",
    description: "scope has a value that the connection does not have",
    reason: "scope_exceeded",
    isForgotten: true,
  },
  revoked: { error: "invalid_grant", description: GRANT_REVOKED, reason: "grant_revoked", isForgotten: false },
  expired: {
    error: "invalid_grant",
    description: REFRESH_TOKEN_EXPIRED,
    reason: "refresh_token_expired",
    isForgotten: false,
  },
  superseded: { error: "invalid_grant", description: SUPERSEDED, reason: "grant_superseded", isForgotten: false },
} as const;

function unknownToken(): TokenError {
  return new TokenError("invalid_grant", "the refresh token is unknown", "unknown_refresh_token");
}
