import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyInstance } from "fastify";
import { clientEndpoint, takeClientRequests } from "../clients/client-endpoint.ts";
import { TokenError } from "../clients/token-error.ts";
import { TOKEN_PATH } from "../protocol.ts";
import { authorizationCodeGrant } from "./authorization-code-grant.ts";
import { refreshTokenGrant } from "./refresh-token-grant.ts";
import { schema } from "./token.schema.ts";
import { requireGrantType, TokenRequest } from "./token-request.ts";

export async function tokenRoute(app: FastifyInstance): Promise<void> {
  takeClientRequests(app, "form");
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
