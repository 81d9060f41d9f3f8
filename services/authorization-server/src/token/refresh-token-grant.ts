import { parseScope } from "@partner-connect/contract";
import { type Client, hashCredential, newCredential } from "@partner-connect/directory";
import type { FastifyInstance } from "fastify";
import { TokenError } from "../clients/token-error.ts";
import { GRANT_REVOKED, REFRESH_TOKEN_EXPIRED, SUPERSEDED } from "../protocol.ts";
import { type Granted, tokenResponse } from "./access-token.ts";
import type { TokenRequest } from "./token-request.ts";

/**
 * The token is 256 random bits and the shop's id, so that Postgres can find the connection in one
 * shard if Redis has lost the token.
 */
export function newRefreshToken(shopId: string): string {
  return `${newCredential("pcr")}_${shopId}`;
}

/** Returns the token's shop; null if the token is not one of ours. */
export function shopOfRefreshToken(token: string): string | null {
  return /^pcr_[A-Za-z0-9_-]{43}_([A-Za-z0-9._~-]{1,64})$/.exec(token)?.[1] ?? null;
}

/** Spec, Refresh. @throws {TokenError} invalid_request, invalid_grant, invalid_scope */
export async function refreshTokenGrant(
  app: FastifyInstance,
  client: Client,
  request: TokenRequest,
): Promise<Granted> {
  const narrowed = request.optional("scope");
  // A malformed list is kept as one value, which no connection's scope contains.
  const scope = narrowed === undefined ? undefined : (parseScope(narrowed) ?? [narrowed]);
  const refreshToken = request.credential("refresh_token");
  const shopId = shopOfRefreshToken(refreshToken);
  if (shopId === null) throw unknownToken();
  const { clientId } = client;
  const isKnown = await app.refreshTokens.findAndRenew(refreshToken, clientId);
  const refreshTokenHash = hashCredential(refreshToken);
  const outcome = await app.refresh({ shopId, clientId, refreshTokenHash, isKnown, scope });
  if (outcome.outcome === "unknown") throw unknownToken();
  if (outcome.outcome !== "refreshed") {
    const { description, reason } = REFUSALS[outcome.outcome];
    const error = outcome.outcome === "invalid_scope" ? "invalid_scope" : "invalid_grant";
    throw new TokenError(error, description, reason, {
      shopId,
      connectionId: outcome.connectionId,
    });
  }
  const { grant } = outcome;
  // Redis had lost it: store it again. If that fails, Postgres answers the next refresh.
  if (!isKnown) await app.refreshTokens.put(refreshToken, clientId, grant).catch(() => {});
  return { response: tokenResponse(app.accessTokens, grant, clientId, scope), grant };
}

const REFUSALS = {
  held: { description: GRANT_REVOKED, reason: "connection_disabled" },
  invalid_scope: {
    description: "scope has a value that the connection does not have",
    reason: "scope_exceeded",
  },
  revoked: { description: GRANT_REVOKED, reason: "grant_revoked" },
  expired: { description: REFRESH_TOKEN_EXPIRED, reason: "refresh_token_expired" },
  superseded: { description: SUPERSEDED, reason: "grant_superseded" },
} as const;

function unknownToken(): TokenError {
  return new TokenError("invalid_grant", "the refresh token is unknown", "unknown_refresh_token");
}
