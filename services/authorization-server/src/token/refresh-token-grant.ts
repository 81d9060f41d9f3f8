import { type Client, hashCredential } from "@partner-connect/directory";
import type { FastifyInstance } from "fastify";
import { TokenError } from "../clients/token-error.ts";
import { GRANT_REVOKED, REFRESH_TOKEN_EXPIRED, SUPERSEDED } from "../protocol.ts";
import { shopOfRefreshToken } from "../provider/refresh-tokens.ts";
import { type IssuedTokens, issueTokenResponse } from "./access-token.ts";
import type { TokenRequest } from "./token-request.ts";

/** A refresh (guides/tokens.md), decided by packages/connections. @throws {TokenError} */
export async function refreshAccessToken(
  app: FastifyInstance,
  client: Client,
  request: TokenRequest,
): Promise<IssuedTokens> {
  const narrowed = request.optional("scope");
  // A malformed list has a value that no connection's scope contains.
  const scope = narrowed === undefined ? undefined : [...new Set(narrowed.split(" "))];
  const refreshToken = request.credential("refresh_token");
  const shopId = shopOfRefreshToken(refreshToken);
  if (shopId === null) throw unknownToken();
  const { clientId } = client;
  const isKnown = await app.refreshTokens.findAndRenew(refreshToken, clientId);
  const refreshTokenHash = hashCredential(refreshToken);
  const presented = { shopId, clientId, refreshTokenHash, isKnown, scope };
  const result = await app.refreshConnection(presented);
  if (result.outcome === "unknown") throw unknownToken();
  if (result.outcome !== "refreshed") {
    const { outcome, connectionId } = result;
    const { description, reason } = REFUSALS[outcome];
    const error = outcome === "invalid_scope" ? "invalid_scope" : "invalid_grant";
    throw new TokenError(error, description, reason, { shopId, connectionId });
  }
  const { subject } = result;
  // Redis had lost the token, so store it again. If that fails, Postgres decides the next refresh.
  if (!isKnown) await app.refreshTokens.put(refreshToken, subject).catch(() => {});
  return { response: issueTokenResponse(app.accessTokens, subject, scope), subject };
}

const REFUSALS = {
  revoked: { description: GRANT_REVOKED, reason: "grant_revoked" },
  disabled: { description: GRANT_REVOKED, reason: "connection_disabled" },
  superseded: { description: SUPERSEDED, reason: "grant_superseded" },
  expired: { description: REFRESH_TOKEN_EXPIRED, reason: "refresh_token_expired" },
  invalid_scope: {
    description: "scope has a value that the connection does not have",
    reason: "scope_exceeded",
  },
  unknown: { description: "the refresh token is unknown", reason: "unknown_refresh_token" },
} as const;

function unknownToken(): TokenError {
  return new TokenError("invalid_grant", REFUSALS.unknown.description, REFUSALS.unknown.reason);
}
