import { TOKEN_PATH } from "@partner-connect/public-api";
import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyPluginAsync } from "fastify";
import type { Clients } from "../clients/client-cache.ts";
import { methodNotAllowed } from "../errors/http-error.ts";
import { perMinute } from "../rate-limit.ts";
import { authorizationCodeGrant } from "./authorization-code-grant.ts";
import { authenticateClient } from "./client-authentication.ts";
import type { GrantContext } from "./grant-context.ts";
import { refreshTokenGrant } from "./refresh-token-grant.ts";
import { asTokenError, TokenError } from "./token-error.ts";
import { TokenRequest } from "./token-request.ts";

export interface TokenRouteOptions extends GrantContext {
  readonly clients: Clients;
  readonly rateLimit: number;
}

export const tokenRoute: FastifyPluginAsync<TokenRouteOptions> = async (app, options) => {
  // The form's text as it is; a body of any other type is read to its end, and then refused as no form.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_request, body, done) =>
    done(null, body),
  );
  app.addContentTypeParser("*", (_request, payload, done) => {
    payload.resume();
    done(null, null);
  });

  app.setErrorHandler((error, request, reply) => {
    const refusal = asTokenError(error);
    if (!refusal) throw error;
    noteFacts(request, refusal.facts);
    if (refusal.status === 401) reply.header("www-authenticate", 'Basic realm="token"');
    return reply
      .code(refusal.status)
      .headers({ "cache-control": "no-store", pragma: "no-cache" })
      .send({ error: refusal.error, error_description: refusal.message });
  });

  app.route({
    url: TOKEN_PATH,
    method: ["POST", "GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"],
    config: { rateLimit: perMinute(options.rateLimit), limit: "token", answersJson: true },
    handler: async (request, reply) => {
      if (request.method !== "POST") return methodNotAllowed(reply, "POST");
      const form = typeof request.body === "string" ? new URLSearchParams(request.body) : null;
      const client = await authenticateClient(request.raw, form, options.clients.find, new Date());
      noteFacts(request, { clientId: client.clientId });
      const parameters = new TokenRequest(form);
      const grantType = parameters.required("grant_type");
      if (grantType !== "authorization_code" && grantType !== "refresh_token") {
        const description = "grant_type must be authorization_code or refresh_token";
        throw new TokenError("unsupported_grant_type", description, "unsupported_grant_type");
      }
      noteFacts(request, { grantType });
      if (!client.grantTypes.includes(grantType)) {
        throw new TokenError("unauthorized_client", `this client may not use ${grantType}`, "grant_type_not_allowed");
      }
      const actor = { name: `client:${client.clientId}`, ip: request.ip, requestId: request.id };
      const { response, grant } =
        grantType === "authorization_code"
          ? await authorizationCodeGrant(options, client, parameters, actor)
          : await refreshTokenGrant(options, client, parameters);
      noteFacts(request, { shopId: grant.shopId, connectionId: grant.connectionId });
      return reply.headers({ "cache-control": "no-store", pragma: "no-cache" }).send(response);
    },
  });
};
