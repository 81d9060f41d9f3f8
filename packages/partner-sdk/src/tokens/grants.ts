import type { CheckedCallback } from "../authorization/callback.ts";
import {
  AnswerLost,
  InvalidClient,
  InvalidGrant,
  InvalidRequest,
  type PartnerConnectError,
  type ReconnectReason,
  ReconnectRequired,
} from "../errors/index.ts";
import type { TokenGrant } from "./token-client.ts";
import { issuedTokens, type Refused, type TokenAnswer } from "./token-endpoint.ts";

/** A code works once. When the answer is lost it is sent again, within a minute: a second request that is refused does no harm. */
export function codeGrant({ code, redirectUri, codeVerifier }: CheckedCallback): TokenGrant<TokenAnswer> {
  const form = { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: codeVerifier };
  return {
    urgent: true,
    request: () => ({ path: "", body: new URLSearchParams(form), read: issuedTokens }),
    refusal(refused, lost) {
      const { error, description, requestId } = refused;
      if (error !== "invalid_grant") return refusedRequest(refused);
      if (lost) {
        const message = "the answer with the tokens was lost on its way: the merchant must connect again";
        return new AnswerLost(message, { requestId });
      }
      return new InvalidGrant(null, description, { requestId });
    },
  };
}

const REASONS: readonly ReconnectReason[] = [
  "refresh token expired",
  "grant revoked",
  "superseded by a newer authorization",
];

/** What the server said of one refresh token. A refresh may be repeated: the refresh token stays as it is. */
export function refusedRefresh(connectionId: string, refused: Refused): PartnerConnectError {
  const { error, description, requestId } = refused;
  if (error !== "invalid_grant") return refusedRequest(refused);
  const reason = REASONS.find((one) => one === description);
  if (reason) return new ReconnectRequired(connectionId, reason, { requestId });
  return new InvalidGrant(connectionId, description, { requestId });
}

export function refusedRequest({ error, description, requestId }: Refused): PartnerConnectError {
  if (error === "invalid_client") return new InvalidClient(`the client was refused: ${description}`, { requestId });
  return new InvalidRequest(error === null ? description : `${error}: ${description}`, null, { requestId });
}
