import type { CheckedCallback } from "../authorization/callback.ts";
import {
  AnswerLost,
  InvalidClient,
  InvalidGrant,
  InvalidRequest,
  type PartnerConnectError,
  ReconnectRequired,
} from "../errors/index.ts";
import type { TokenGrant } from "./token-client.ts";
import type { Refused } from "./token-endpoint.ts";

/** A code works once. When the answer is lost it is sent again, within a minute: a second request that is refused does no harm. */
export function codeGrant({ code, redirectUri, codeVerifier }: CheckedCallback): TokenGrant {
  return {
    connectionId: null,
    form: { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: codeVerifier },
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

/** A refresh may be repeated: the refresh token stays as it is. */
export function refreshGrant(connectionId: string, refreshToken: string): TokenGrant {
  return {
    connectionId,
    form: { grant_type: "refresh_token", refresh_token: refreshToken },
    refusal(refused) {
      const { error, description, requestId } = refused;
      if (error !== "invalid_grant") return refusedRequest(refused);
      // The guide: of the descriptions these two are stable.
      if (description === "refresh token expired" || description === "grant revoked") {
        return new ReconnectRequired(connectionId, description, { requestId });
      }
      return new InvalidGrant(connectionId, description, { requestId });
    },
  };
}

function refusedRequest({ error, description, requestId }: Refused): PartnerConnectError {
  if (error === "invalid_client") return new InvalidClient(`the client was refused: ${description}`, { requestId });
  return new InvalidRequest(error === null ? description : `${error}: ${description}`, null, { requestId });
}
