import { TOKEN_PATH } from "@partner-connect/public-api";
import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyPluginAsync } from "fastify";
import type { Clients } from "../clients/client-cache.ts";
import { authorizationCodeGrant } from "./authorization-code-grant.ts";
import { answerClients, clientEndpoint } from "./client-endpoint.ts";
import type { GrantContext } from "./grant-context.ts";
import { refreshTokenGrant } from "./refresh-token-grant.ts";
import { TokenError } from "./token-error.ts";
import { requireGrantType, TokenRequest } from "./token-request.ts";

export interface TokenRouteOptions extends GrantContext {
  readonly clients: Clients;
  readonly rateLimit: number;
}

export const tokenRoute: FastifyPluginAsync<TokenRouteOptions> = async (app, options) => {
  answerClients(app, "form");
  clientEndpoint(app, {
    url: TOKEN_PATH,
    method: "POST",
    clients: options.clients,
    limit: "token",
    rateLimit: options.rateLimit,
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
          ? await authorizationCodeGrant(options, client, parameters, actor)
          : await refreshTokenGrant(options, client, parameters);
      noteFacts(request, { shopId: grant.shopId, connectionId: grant.connectionId });
      return reply.send(response);
    },
  });
};
