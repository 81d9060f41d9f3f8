import { COUNTED, type Examples, example, jsonAnswer } from "@partner-connect/contract/openapi";
import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyInstance } from "fastify";
import Type from "typebox";
import { EXAMPLE, refusal, tokenRefusal, UNAUTHORIZED_CLIENT } from "../openapi.ts";
import { GRANT_REVOKED, REFRESH_TOKEN_EXPIRED, TOKEN_PATH } from "../protocol.ts";
import { authorizationCodeGrant } from "./authorization-code-grant.ts";
import { answerClients, clientEndpoint } from "./client-endpoint.ts";
import { refreshTokenGrant } from "./refresh-token-grant.ts";
import { REFRESHED, TOKEN_FORMS, TokenResponse } from "./token.schema.ts";
import { requireGrantType, TokenError, TokenRequest } from "./token-request.ts";

const REQUESTS: Examples = {
  exchange: example("A code for tokens", {
    grant_type: "authorization_code",
    code: EXAMPLE.code,
    redirect_uri: EXAMPLE.redirectUri,
    code_verifier: EXAMPLE.codeVerifier,
  }),
  refresh: example("A new access token", {
    grant_type: "refresh_token",
    refresh_token: EXAMPLE.refreshToken,
  }),
  narrower: example("A new access token with fewer scopes", {
    grant_type: "refresh_token",
    refresh_token: EXAMPLE.refreshToken,
    scope: "responses:read",
  }),
};

const ANSWERS: Examples = {
  exchange: {
    summary: "After an exchange",
    value: { ...REFRESHED, refresh_token: EXAMPLE.refreshToken },
  },
  refresh: { summary: "After a refresh: without a refresh token, so keep yours", value: REFRESHED },
};

const REFUSALS: Examples = {
  refresh_token_expired: refusal(
    "invalid_grant",
    REFRESH_TOKEN_EXPIRED,
    "30 days without use: the merchant must connect again; don't retry",
  ),
  grant_revoked: refusal(
    "invalid_grant",
    GRANT_REVOKED,
    "The connection has ended or is on hold, as its status in the list says; don't retry",
  ),
  superseded: refusal(
    "invalid_grant",
    "superseded by a newer authorization",
    "The merchant has since connected again: use the newer refresh token",
  ),
  code_used: refusal(
    "invalid_grant",
    "the code is unknown, expired or already used",
    "Not one of your codes, already exchanged, or older than five minutes",
  ),
  missing: refusal("invalid_request", "code is missing", "A parameter is missing"),
  unauthorized_client: UNAUTHORIZED_CLIENT,
  unsupported_grant_type: refusal(
    "unsupported_grant_type",
    "grant_type must be authorization_code or refresh_token",
    "An unknown grant type",
  ),
  invalid_scope: refusal(
    "invalid_scope",
    "scope has a value that the connection does not have",
    "A scope that the connection does not have",
  ),
};

const schema = {
  operationId: "token",
  tags: ["Authorization"],
  summary: "Exchanges a code for tokens, or refreshes an access token.",
  description:
    "Authenticate by HTTP Basic; credentials anywhere else are refused. Each parameter may be given once. A code works once; a refused exchange does not use it up, unless it was already used or is too old. " +
    "Refreshes are safe to retry after a timeout. Run one refresh at a time per connection.",
  body: {
    description: "The parameters of one of the two grants, form-encoded.",
    content: {
      "application/x-www-form-urlencoded": {
        schema: Type.Unsafe({ oneOf: TOKEN_FORMS }),
        examples: REQUESTS,
      },
    },
  },
  response: {
    200: jsonAnswer(TokenResponse, "The tokens.", [...COUNTED, "cache-control"], ANSWERS),
    400: tokenRefusal(
      "The request is refused. Branch on `error`; don't retry `invalid_grant` in a loop.",
      [],
      REFUSALS,
    ),
  },
};

export async function tokenRoute(app: FastifyInstance): Promise<void> {
  answerClients(app, "form");
  clientEndpoint(app, {
    url: TOKEN_PATH,
    schema,
    method: "POST",
    limit: "token",
    async answer(request, reply, client) {
      const parameters = new TokenRequest(request.body);
      const grantType = parameters.required("grant_type");
      if (grantType !== "authorization_code" && grantType !== "refresh_token") {
        const description = "grant_type must be authorization_code or refresh_token";
        throw new TokenError("unsupported_grant_type", description, "unsupported_grant_type");
      }
      noteFacts(request, { grantType });
      requireGrantType(client, grantType);
      const actor = { name: `client:${client.clientId}`, ip: request.ip, requestId: request.id };
      const { response, grant } =
        grantType === "authorization_code"
          ? await authorizationCodeGrant(app, client, parameters, actor)
          : await refreshTokenGrant(app, client, parameters);
      noteFacts(request, { shopId: grant.shopId, connectionId: grant.connectionId });
      return reply.send(response);
    },
  });
}
