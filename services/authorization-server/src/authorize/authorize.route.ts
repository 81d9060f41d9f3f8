import cookie from "@fastify/cookie";
import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyInstance } from "fastify";
import { limitConfig } from "../clients/rate-limit.ts";
import { beginAuthorization } from "../consent/pending-authorization.ts";
import { sendMethodNotAllowed } from "../errors.ts";
import { AUTHORIZE_PATH, queryOf } from "../protocol.ts";
import { redirectLocation } from "../redirect-uri.ts";
import { RedirectableError, validateAuthorizationRequest } from "./authorization-request.ts";
import { schema } from "./authorize.schema.ts";

/** GET /oauth/api/authorize. Other methods get 405, and count against the same rate limit. */
export async function authorizeRoute(app: FastifyInstance): Promise<void> {
  const { clients, config } = app;
  await app.register(cookie);
  app.setErrorHandler((error, request, reply) => {
    // send-error.ts sends the error page, and also the responses to rate limits and faults.
    if (!(error instanceof RedirectableError)) throw error;
    noteFacts(request, error.facts);
    const location = redirectLocation(error.redirectUri, error.parameters(config.tokens.issuer));
    return reply.header("cache-control", "no-store").redirect(location, 302);
  });

  const routeConfig = {
    ...limitConfig("authorize", config.rateLimits.authorize),
    counts: "authorizations",
  } as const;
  app.route({
    url: AUTHORIZE_PATH,
    method: ["GET"], // an array: http-server.ts adds HEAD to the string "GET"
    schema, // documentation only: openapi.ts turns validation off
    config: routeConfig,
    handler: async (request, reply) => {
      const findClient = async (id: string) => {
        const client = await clients.find(id);
        if (client) noteFacts(request, { clientId: client.clientId });
        return client;
      };
      const asked = await validateAuthorizationRequest(queryOf(request.raw), findClient);
      noteFacts(request, { outcome: "begun" });
      return reply
        .header("cache-control", "no-store")
        .redirect(beginAuthorization(reply, asked), 302);
    },
  });
  app.route({
    url: AUTHORIZE_PATH,
    method: ["HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
    config: { ...routeConfig, isMethodRefusal: true },
    // Responds before the body is read, because its type could cause a 415. The handler never runs.
    preParsing: async (_request, reply) => void sendMethodNotAllowed(reply, "GET"),
    handler: (_request, reply) => reply,
  });
}
