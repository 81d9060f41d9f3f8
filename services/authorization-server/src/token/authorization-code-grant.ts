import type { Actor } from "@partner-connect/audit";
import { exchange, noteReplay, revoke } from "@partner-connect/connections";
import { within } from "@partner-connect/database";
import { type Client, hashCredential } from "@partner-connect/directory";
import type { IssuedCode } from "./authorization-codes.ts";
import { isCodeVerifier, matchesCodeChallenge } from "./code-verifier.ts";
import { DATABASE_DEADLINE_MS, type GrantContext } from "./grant-context.ts";
import { newRefreshToken } from "./refresh-token.ts";
import { GRANT_REVOKED, SUPERSEDED, TokenError } from "./token-error.ts";
import type { TokenRequest } from "./token-request.ts";
import { type TokenResponse, tokenResponse } from "./token-response.ts";

/**
 * Spec, Authorization code exchange. A check that fails leaves the code as it was; redeeming it and making its refresh
 * token valid are one committed change of the connection's row, which settles every race.
 *
 * @throws {TokenError} invalid_request, invalid_grant
 */
export async function authorizationCodeGrant(
  context: GrantContext,
  client: Client,
  request: TokenRequest,
  actor: Actor,
): Promise<TokenResponse> {
  const value = request.required("code");
  const redirectUri = request.required("redirect_uri");
  const codeVerifier = request.required("code_verifier");
  if (!isCodeVerifier(codeVerifier)) {
    throw new TokenError("invalid_request", "code_verifier must be 43 to 128 characters of A-Z a-z 0-9 - . _ ~");
  }
  const code = await context.codes.find(value);
  if (!code || code.clientId !== client.clientId) throw invalidCode();
  if (code.redirectUri !== redirectUri) throw new TokenError("invalid_grant", "redirect_uri is not the authorized one");
  if (!matchesCodeChallenge(codeVerifier, code.codeChallenge)) {
    throw new TokenError("invalid_grant", "code_verifier mismatch");
  }
  if (code.expired && !code.redeemed) throw invalidCode();

  const { shopId, grantId } = code;
  const refreshToken = newRefreshToken(shopId);
  const refreshTokenHash = hashCredential(refreshToken);
  const outcome = await within(
    DATABASE_DEADLINE_MS,
    exchange(context.sql, { shopId, clientId: client.clientId, grantId, refreshTokenHash }, actor),
  );
  switch (outcome.outcome) {
    case "revoked":
      throw new TokenError("invalid_grant", GRANT_REVOKED);
    case "superseded":
      throw new TokenError("invalid_grant", SUPERSEDED);
    case "replayed":
      await answerReplay(context, client, code, outcome, actor);
      throw invalidCode();
  }
  const { grant } = outcome;
  // The exchange is committed. If Redis can't note it now, Postgres still knows it.
  await Promise.allSettled([
    context.refreshTokens.put(client.clientId, refreshTokenHash, grantId),
    code.markRedeemed(),
  ]);
  return { ...tokenResponse(context.accessTokens, grant, client.clientId), refresh_token: refreshToken };
}

/**
 * A replay with the right verifier comes from the client itself. Soon after the exchange it is a retry or a double
 * submit, and harmless. Later it is a sign that the code leaked, and ends the connection (OAuth 2.1 §7.5.2).
 */
async function answerReplay(
  context: GrantContext,
  client: Client,
  { shopId, grantId }: IssuedCode,
  { connectionId: id, secondsAgo }: { connectionId: string; secondsAgo: number },
  actor: Actor,
): Promise<void> {
  const connection = { shopId, id };
  if (secondsAgo > context.codeReplayGrace) {
    const reason = "code replayed";
    await within(DATABASE_DEADLINE_MS, revoke(context.sql, connection, actor, { reason, grantId }));
  } else {
    await within(DATABASE_DEADLINE_MS, noteReplay(context.sql, connection, client.clientId, actor));
  }
}

function invalidCode(): TokenError {
  return new TokenError("invalid_grant", "the code is unknown, expired or already used");
}
