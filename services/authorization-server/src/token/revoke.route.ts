import { type RevocableToken, revokeByToken } from "@partner-connect/connections";
import { hashCredential } from "@partner-connect/directory";
import { REVOCATION_PATH } from "@partner-connect/public-api";
import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyInstance } from "fastify";
import { answerClients, clientEndpoint } from "./client-endpoint.ts";
import { shopOfRefreshToken } from "./refresh-token-grant.ts";
import { TokenRequest } from "./token-request.ts";

/** RFC 7009. A token of the connection's present grant ends the connection, as the merchant's Disconnect does; any other ends nothing. */
export async function revokeRoute(app: FastifyInstance): Promise<void> {
  const { sql, accessTokens, config } = app;

  const revocableOf = async (token: string, clientId: string): Promise<RevocableToken | null> => {
    const shopId = shopOfRefreshToken(token);
    if (shopId !== null) return { shopId, clientId, refreshTokenHash: hashCredential(token) };
    const claims = await accessTokens.verify(token);
    if (claims?.client_id !== clientId) return null;
    return { shopId: claims.sub, clientId, grantId: claims.grant_id, generation: claims.generation };
  };

  answerClients(app, "form");
  clientEndpoint(app, {
    url: REVOCATION_PATH,
    method: "POST",
    limit: "partner_api",
    rateLimit: config.rateLimits.partnerApi,
    async answer(request, reply, { clientId }) {
      // The token itself says what it is, so its hint is not needed.
      const token = await revocableOf(new TokenRequest(request.body).credential("token"), clientId);
      if (token) {
        const actor = { name: `client:${clientId}`, ip: request.ip, requestId: request.id };
        const reason = "disconnected by the partner";
        const revoked = await revokeByToken(sql, token, actor, reason);
        noteFacts(request, { shopId: token.shopId, ...(revoked && { ...revoked, outcome: "revoked" }) });
      }
      return reply.send();
    },
  });
}
