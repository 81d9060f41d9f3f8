import cookie from "@fastify/cookie";
import { AUTHORIZE_PATH } from "@partner-connect/public-api";
import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { beginAuthorization } from "../consent/authorization.ts";
import { methodNotAllowed } from "../errors.ts";
import { limited } from "../rate-limit.ts";
import { redirectLocation } from "../redirect-uri.ts";
import { RedirectableError, validateAuthorizationRequest } from "./authorization-request.ts";

/** Spec, GET authorize. Every other method counts against the same limit and starts nothing. */
export async function authorizeRoute(app: FastifyInstance): Promise<void> {
  const { clients, config } = app;
  await app.register(cookie);
  app.setErrorHandler((error, request, reply) => {
    // The error page, a rate limit, a fault: errors.ts answers them.
    if (!(error instanceof RedirectableError)) throw error;
    noteFacts(request, error.facts);
    const location = redirectLocation(error.redirectUri, error.parameters(config.tokens.issuer));
    return reply.header("cache-control", "no-store").redirect(location, 302);
  });

  app.route({
    url: AUTHORIZE_PATH,
    method: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
    config: limited("authorize", config.rateLimits.authorize),
    // Before the body is read: the method is wrong, whatever the body is.
    preParsing: async (request, reply) => {
      if (request.method !== "GET") methodNotAllowed(reply, "GET");
    },
    handler: async (request, reply) => {
      const findClient = async (id: string) => {
        const client = await clients.find(id);
        if (client) noteFacts(request, { clientId: client.clientId });
        return client;
      };
      const valid = await validateAuthorizationRequest(queryOf(request), findClient);
      noteFacts(request, { outcome: "begun" });
      return reply.header("cache-control", "no-store").redirect(beginAuthorization(reply, valid), 302);
    },
  });
}

function queryOf(request: FastifyRequest): URLSearchParams {
  const { url = "" } = request.raw;
  return new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?")) : "");
}
