import cookie from "@fastify/cookie";
import { AUTHORIZE_PATH } from "@partner-connect/public-api";
import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { AuthorizationRequest } from "../authorization-request.ts";
import { redirectLocation } from "../authorization-response/redirect-location.ts";
import type { Clients } from "../clients/client-cache.ts";
import { methodNotAllowed } from "../errors/http-error.ts";
import { limited } from "../rate-limit.ts";
import { RedirectableError } from "./authorization-error.ts";
import { validateAuthorizationRequest } from "./authorization-request.ts";

export interface AuthorizeRouteOptions {
  readonly clients: Clients;
  readonly issuer: string;
  /** Per minute and address. */
  readonly rateLimit: number;
  /** Takes a valid request on. Returns the path of our page where the merchant continues. */
  readonly begin: (reply: FastifyReply, valid: AuthorizationRequest) => string;
}

/** Spec, GET authorize. Every other method counts against the same limit and starts nothing. */
export const authorizeRoute: FastifyPluginAsync<AuthorizeRouteOptions> = async (app, options) => {
  await app.register(cookie);
  app.setErrorHandler((error, request, reply) => {
    // The error page, a rate limit, a fault: errors/error-handler.ts answers them.
    if (!(error instanceof RedirectableError)) throw error;
    noteFacts(request, error.facts);
    const location = redirectLocation(error.redirectUri, error.parameters(options.issuer));
    return reply.header("cache-control", "no-store").redirect(location, 302);
  });

  app.route({
    url: AUTHORIZE_PATH,
    method: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
    config: limited("authorize", options.rateLimit),
    // Before the body is read: the method is wrong, whatever the body is.
    preParsing: async (request, reply) => {
      if (request.method !== "GET") methodNotAllowed(reply, "GET");
    },
    handler: async (request, reply) => {
      const findClient = async (id: string) => {
        const client = await options.clients.find(id);
        if (client) noteFacts(request, { clientId: client.clientId });
        return client;
      };
      const valid = await validateAuthorizationRequest(queryOf(request), findClient);
      noteFacts(request, { outcome: "begun" });
      return reply.header("cache-control", "no-store").redirect(options.begin(reply, valid), 302);
    },
  });
};

function queryOf(request: FastifyRequest): URLSearchParams {
  const { url = "" } = request.raw;
  return new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?")) : "");
}
