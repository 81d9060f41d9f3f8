import { type RevocableToken, revokeByToken } from "@partner-connect/connections";
import { hashCredential } from "@partner-connect/directory";
import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyInstance } from "fastify";
import { clientActor } from "../actor.ts";
import { addClientEndpoint, prepareClientEndpoints } from "../clients/client-endpoint.ts";
import { REVOCATION_PATH } from "../protocol.ts";
import { shopOfRefreshToken } from "../provider/refresh-tokens.ts";
import { schema } from "./revoke.schema.ts";
import { TokenRequest } from "./token-request.ts";

/**
 * RFC 7009. A token of the connection's current grant ends the connection; any other token ends
 * nothing.
 */
export async function revokeRoute(app: FastifyInstance): Promise<void> {
  const { sql, accessTokens } = app;

  const parseToken = async (token: string, clientId: string): Promise<RevocableToken | null> => {
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

  prepareClientEndpoints(app, "form");
  addClientEndpoint(app, {
    url: REVOCATION_PATH,
    schema,
    method: "POST",
    limit: "partner_api",
    async answer(request, reply, { clientId }) {
      // The token's prefix determines its type, so `token_type_hint` is ignored.
      const token = await parseToken(new TokenRequest(request.body).credential("token"), clientId);
      if (token) {
        const actor = clientActor(request, clientId);
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
