import { type RevocableToken, revokeByToken } from "@partner-connect/connections";
import { answer, COUNTED, example, text } from "@partner-connect/contract/openapi";
import { hashCredential } from "@partner-connect/directory";
import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyInstance } from "fastify";
import Type, { type TSchema } from "typebox";
import { EXAMPLE, refusal, tokenRefusal } from "../openapi.ts";
import { REVOCATION_PATH, type RevocationParameter } from "../protocol.ts";
import { answerClients, clientEndpoint } from "./client-endpoint.ts";
import { shopOfRefreshToken } from "./refresh-token-grant.ts";
import { TokenRequest } from "./token-request.ts";

const PARAMETERS: Readonly<Record<RevocationParameter, TSchema>> = {
  token: text(
    "The refresh token, or a valid access token, of the connection to end.",
    EXAMPLE.refreshToken,
  ),
  token_type_hint: Type.Optional(
    text("Ignored: the token itself identifies its type.", "refresh_token"),
  ),
};

const Revocation = Type.Object(PARAMETERS, {
  $id: "Revocation",
  description: "A token of the connection to end (RFC 7009).",
});

const schema = {
  operationId: "revoke",
  tags: ["Authorization"],
  summary: "Ends a connection (RFC 7009).",
  description:
    "Authenticate by HTTP Basic. The connection and all its tokens end immediately, as when the merchant disconnects your app: refreshes get `grant revoked`, calls get 403. " +
    "A token that is unknown, expired, of another client, of an older authorization or of an ended connection has no effect, and the response is the same.",
  body: {
    description: "The token, form-encoded.",
    content: {
      "application/x-www-form-urlencoded": {
        schema: Revocation,
        examples: { revocation: example("End this connection", { token: EXAMPLE.refreshToken }) },
      },
    },
  },
  response: {
    200: answer("The connection has ended, or the token had no effect. The body is empty.", [
      ...COUNTED,
      "cache-control",
    ]),
    400: tokenRefusal("The request is refused.", [], {
      missing: refusal("invalid_request", "token is missing", "No token"),
    }),
  },
};

/**
 * RFC 7009. A token of the connection's current grant ends the connection; any other token ends
 * nothing.
 */
export async function revokeRoute(app: FastifyInstance): Promise<void> {
  const { sql, accessTokens } = app;

  const revocableOf = async (token: string, clientId: string): Promise<RevocableToken | null> => {
    const shopId = shopOfRefreshToken(token);
    if (shopId !== null) return { shopId, clientId, refreshTokenHash: hashCredential(token) };
    const claims = await accessTokens.verify(token);
    if (claims?.client_id !== clientId) return null;
    return {
      shopId: claims.sub,
      clientId,
      grantId: claims.grant_id,
      generation: claims.generation,
    };
  };

  answerClients(app, "form");
  clientEndpoint(app, {
    url: REVOCATION_PATH,
    schema,
    method: "POST",
    limit: "partner_api",
    async answer(request, reply, { clientId }) {
      // The prefix of the token determines its type, so the hint is ignored.
      const token = await revocableOf(new TokenRequest(request.body).credential("token"), clientId);
      if (token) {
        const actor = { name: `client:${clientId}`, ip: request.ip, requestId: request.id };
        const reason = "disconnected by the partner";
        const revoked = await revokeByToken(sql, token, actor, reason);
        noteFacts(request, {
          shopId: token.shopId,
          ...(revoked && { ...revoked, outcome: "revoked" }),
        });
      }
      return reply.send();
    },
  });
}
