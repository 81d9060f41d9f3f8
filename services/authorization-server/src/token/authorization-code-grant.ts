import { createHash } from "node:crypto";
import { type Actor, recordAudit } from "@partner-connect/audit";
import { CODE_REPLAYED, exchange, revoke } from "@partner-connect/connections";
import { type Client, hashCredential } from "@partner-connect/directory";
import type { RequestFacts } from "@partner-connect/service-runtime";
import type { FastifyInstance } from "fastify";
import { type CodeRefusal, TokenError } from "../clients/token-error.ts";
import { CODE_VERIFIER_PATTERN, GRANT_REVOKED, SUPERSEDED } from "../protocol.ts";
import type { IssuedCode } from "../provider/authorization-codes.ts";
import { newRefreshToken } from "../provider/refresh-tokens.ts";
import { type IssuedTokens, issueTokenResponse } from "./access-token.ts";
import type { TokenRequest } from "./token-request.ts";

/**
 * An exchange (guides/tokens.md). A failed check does not redeem the code. One commit redeems the
 * code and makes its refresh token valid, so only one of several exchanges succeeds.
 * @throws {TokenError} invalid_request, invalid_grant
 */
export async function exchangeCode(
  app: FastifyInstance,
  client: Client,
  request: TokenRequest,
  actor: Actor,
): Promise<IssuedTokens> {
  const value = request.credential("code");
  const redirectUri = request.required("redirect_uri");
  const codeVerifier = request.required("code_verifier");
  if (!CODE_VERIFIER_PATTERN.test(codeVerifier)) {
    const description = "code_verifier must be 43 to 128 characters of A-Z a-z 0-9 - . _ ~";
    throw new TokenError("invalid_request", description, "malformed_code_verifier");
  }
  const code = await app.codes.find(value);
  if (!code) throw invalidCode("unknown_code");
  if (code.clientId !== client.clientId) throw invalidCode("code_of_another_client");
  const { clientId, shopId, grantId } = code;
  // The code is this client's, so from here on the records of refusals may name the shop.
  const refusal = (description: string, reason: CodeRefusal, connectionId?: string) =>
    new TokenError("invalid_grant", description, reason, { shopId, connectionId });
  if (code.redirectUri !== redirectUri)
    throw refusal("redirect_uri is not the authorized one", "redirect_uri_mismatch");
  if (!matchesCodeChallenge(codeVerifier, code.codeChallenge))
    throw refusal("code_verifier mismatch", "code_verifier_mismatch");

  const refreshToken = newRefreshToken(shopId);
  const refreshTokenHash = hashCredential(refreshToken);
  const result = await exchange(app.sql, { shopId, clientId, grantId, refreshTokenHash }, actor);
  switch (result.outcome) {
    case "disabled":
      throw refusal(GRANT_REVOKED, "connection_disabled", result.connectionId);
    case "revoked":
      throw refusal(GRANT_REVOKED, "grant_revoked", result.connectionId);
    case "superseded":
      throw refusal(SUPERSEDED, "grant_superseded", result.connectionId);
    case "replayed":
      return await refuseReplay(app, code, result, actor);
  }
  const { subject } = result;
  // The exchange is committed. Failures of Redis don't matter, because Postgres has the state.
  await Promise.allSettled([app.refreshTokens.put(refreshToken, subject), code.keepForReplays()]);
  const response = issueTokenResponse(app.accessTokens, subject);
  return { response: { ...response, refresh_token: refreshToken }, subject };
}

/**
 * Refuses a code that was exchanged before. Within the grace this counts as a retry, and is only
 * recorded. Later somebody may have copied the code, so the connection ends (OAuth 2.1 §7.5.2).
 * @throws {TokenError} invalid_grant
 */
async function refuseReplay(
  { sql, config }: FastifyInstance,
  { shopId, clientId, grantId }: IssuedCode,
  { connectionId, secondsAgo }: { connectionId: string; secondsAgo: number },
  actor: Actor,
): Promise<never> {
  const facts = { shopId, connectionId };
  if (secondsAgo <= config.tokens.codeReplayGrace) {
    await recordAudit(sql, { action: "code_replay", clientId, ...facts }, actor);
    throw invalidCode("code_replayed", facts);
  }
  const options = { reason: CODE_REPLAYED, grantId };
  const isRevoked = await revoke(sql, { shopId, id: connectionId }, actor, options);
  // Race: a newer approval came first, or the connection had already ended.
  if (!isRevoked) throw invalidCode("code_replayed", facts);
  const late = { ...facts, outcome: "revoked" };
  throw new TokenError("invalid_grant", LATE_REPLAY, "code_replayed_late", late);
}

const LATE_REPLAY = "the code was used before, so the connection is revoked";

function invalidCode(reason: CodeRefusal, facts: RequestFacts = {}): TokenError {
  const description = "the code is unknown, expired or already used";
  return new TokenError("invalid_grant", description, reason, facts);
}

/** PKCE: true if the code challenge is the SHA-256 of this verifier (RFC 7636 §4.6). */
function matchesCodeChallenge(codeVerifier: string, codeChallenge: string): boolean {
  return createHash("sha256").update(codeVerifier).digest("base64url") === codeChallenge;
}
