import { type Refresh, type RefreshOutcome, refresh, refreshBatch } from "@partner-connect/connections";
import { parseScope } from "@partner-connect/contract";
import { type Client, hashCredential, newCredential } from "@partner-connect/directory";
import type { FastifyInstance } from "fastify";
import { GRANT_REVOKED, REFRESH_TOKEN_EXPIRED } from "../protocol.ts";
import { type Granted, tokenResponse } from "./access-token.ts";
import { SUPERSEDED, TokenError, TokenRequest } from "./token-request.ts";

/** Appends the shop's id to 256 random bits, so that Postgres can find the connection in one shard if Redis lost the token. */
export function newRefreshToken(shopId: string): string {
  return `${newCredential("pcr")}_${shopId}`;
}

/** Returns the token's shop; null if the token is not one of ours. */
export function shopOfRefreshToken(token: string): string | null {
  return /^pcr_[A-Za-z0-9_-]{43}_([A-Za-z0-9._~-]{1,64})$/.exec(token)?.[1] ?? null;
}

/** Spec, Refresh. @throws {TokenError} invalid_request, invalid_grant, invalid_scope */
export async function refreshTokenGrant(app: FastifyInstance, client: Client, request: TokenRequest): Promise<Granted> {
  const narrowed = request.optional("scope");
  // Keep a malformed list as one value, which no connection has.
  const scope = narrowed === undefined ? undefined : (parseScope(narrowed) ?? [narrowed]);
  const refreshToken = request.credential("refresh_token");
  const refreshRequest = refreshOf(app, client, refreshToken, scope);
  if (!refreshRequest) throw unknownToken();
  return await granted(
    app,
    refreshToken,
    refreshRequest,
    await refresh(app.sql, refreshRequest, app.config.tokens.refreshTokenTtl),
  );
}

/** Refreshes many tokens independently. A refused one rejects with a {@link TokenError}; other errors are faults. */
export async function refreshTokenGrants(
  app: FastifyInstance,
  client: Client,
  refreshTokens: readonly string[],
): Promise<PromiseSettledResult<Granted>[]> {
  const refreshRequests = refreshTokens.map((refreshToken) => refreshOf(app, client, refreshToken));
  const ours = refreshRequests.filter((one) => one !== null);
  const outcomes = (await refreshBatch(app.sql, client.clientId, ours, app.config.tokens.refreshTokenTtl)).values();
  return await Promise.allSettled(
    refreshRequests.map(async (one, index) => {
      const refreshToken = refreshTokens[index] as string;
      new TokenRequest(new URLSearchParams({ refresh_token: refreshToken })).credential("refresh_token");
      const outcome = one && outcomes.next().value;
      if (!one || !outcome) throw unknownToken();
      if (outcome instanceof Error) throw outcome;
      return await granted(app, refreshToken, one, outcome);
    }),
  );
}

/** Null if the token is not one of ours. */
function refreshOf(
  app: FastifyInstance,
  { clientId }: Client,
  refreshToken: string,
  scope?: readonly string[],
): Refresh | null {
  const shopId = shopOfRefreshToken(refreshToken);
  if (shopId === null) return null;
  const known = app.refreshTokens.use(refreshToken, clientId);
  return { shopId, clientId, refreshTokenHash: hashCredential(refreshToken), known, scope };
}

async function granted(
  app: FastifyInstance,
  refreshToken: string,
  refreshRequest: Refresh,
  outcome: RefreshOutcome,
): Promise<Granted> {
  if (outcome.outcome === "unknown") throw unknownToken();
  const { shopId, clientId, known, scope } = refreshRequest;
  if (outcome.outcome !== "refreshed") {
    const { description, reason } = REFUSALS[outcome.outcome];
    const error = outcome.outcome === "invalid_scope" ? "invalid_scope" : "invalid_grant";
    throw new TokenError(error, description, reason, { shopId, connectionId: outcome.connectionId });
  }
  const { grant } = outcome;
  // Redis had lost it: store it again. If that fails, Postgres answers the next refresh.
  if (!(await known)) await app.refreshTokens.put(refreshToken, clientId, grant).catch(() => {});
  return { response: tokenResponse(app.accessTokens, grant, clientId, scope), grant };
}

const REFUSALS = {
  held: { description: GRANT_REVOKED, reason: "connection_disabled" },
  invalid_scope: { description: "scope has a value that the connection does not have", reason: "scope_exceeded" },
  revoked: { description: GRANT_REVOKED, reason: "grant_revoked" },
  expired: { description: REFRESH_TOKEN_EXPIRED, reason: "refresh_token_expired" },
  superseded: { description: SUPERSEDED, reason: "grant_superseded" },
} as const;

function unknownToken(): TokenError {
  return new TokenError("invalid_grant", "the refresh token is unknown", "unknown_refresh_token");
}
