import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyInstance } from "fastify";
import { clientActor } from "../actor.ts";
import { addClientEndpoint, prepareClientEndpoints } from "../clients/client-endpoint.ts";
import { TokenError } from "../clients/token-error.ts";
import { TOKEN_PATH } from "../protocol.ts";
import { exchangeCode } from "./authorization-code-grant.ts";
import { refreshAccessToken } from "./refresh-token-grant.ts";
import { schema } from "./token.schema.ts";
import { requireGrantType, TokenRequest } from "./token-request.ts";

export async function tokenRoute(app: FastifyInstance): Promise<void> {
  prepareClientEndpoints(app, "form");
  addClientEndpoint(app, {
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
      const { response, subject } =
        grantType === "authorization_code"
          ? await exchangeCode(app, client, parameters, clientActor(request, client.clientId))
          : await refreshAccessToken(app, client, parameters);
      noteFacts(request, { shopId: subject.shopId, connectionId: subject.connectionId });
      return reply.send(response);
    },
  });
}
