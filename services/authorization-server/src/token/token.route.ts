import type { FastifyPluginAsync } from "fastify";
import type { Clients } from "../clients/client-cache.ts";
import { authorizationCodeGrant } from "./authorization-code-grant.ts";
import { authenticateClient } from "./client-authentication.ts";
import { refreshTokenGrant } from "./refresh-token-grant.ts";
import type { TokenContext } from "./token-context.ts";
import { TokenError } from "./token-error.ts";
import { TokenRequest } from "./token-request.ts";

export interface TokenRouteOptions extends TokenContext {
  readonly clients: Clients;
  readonly rateLimit: number;
}

/** Spec, POST token: authenticate the client, read the form, run the grant. */
export const tokenRoute: FastifyPluginAsync<TokenRouteOptions> = async (app, options) => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_request, body, done) =>
    done(null, body),
  );
  app.addContentTypeParser("*", (_request, payload, done) => {
    payload.resume();
    done(null, null);
  });

  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    // An oversized, cut-off or otherwise unreadable body (design, Token).
    const refusal =
      error instanceof TokenError || !error.statusCode || error.statusCode >= 500 || error.statusCode === 429
        ? error
        : new TokenError("invalid_request", "the body can't be read");
    if (!(refusal instanceof TokenError)) throw refusal;
    request.log.info({ error: refusal.error, reason: refusal.message }, "token request refused");
    if (refusal.status === 401) reply.header("www-authenticate", 'Basic realm="token"');
    return reply
      .code(refusal.status)
      .headers({ "cache-control": "no-store", pragma: "no-cache" })
      .send({ error: refusal.error, error_description: refusal.message });
  });

  app.route({
    url: "/oauth/api/token",
    method: ["POST", "GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"],
    config: { rateLimit: { max: options.rateLimit, timeWindow: 60_000 } },
    handler: async (request, reply) => {
      if (request.method !== "POST") {
        return reply.code(405).header("allow", "POST").send({ error: "method_not_allowed" });
      }
      const form = typeof request.body === "string" ? new URLSearchParams(request.body) : null;
      const client = await authenticateClient(request.raw, form, options.clients.find, new Date());
      const parameters = new TokenRequest(form);
      const grantType = parameters.required("grant_type");
      if (grantType !== "authorization_code" && grantType !== "refresh_token") {
        throw new TokenError("unsupported_grant_type", "grant_type must be authorization_code or refresh_token");
      }
      if (!client.grantTypes.includes(grantType)) {
        throw new TokenError("unauthorized_client", `this client may not use ${grantType}`);
      }
      const actor = { name: `client:${client.clientId}`, ip: request.ip, requestId: request.id };
      const response =
        grantType === "authorization_code"
          ? await authorizationCodeGrant(options, client, parameters, actor)
          : await refreshTokenGrant(options, client, parameters);
      return reply.headers({ "cache-control": "no-store", pragma: "no-cache" }).send(response);
    },
  });
};
