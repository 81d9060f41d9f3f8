import cookie from "@fastify/cookie";
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { redirectLocation } from "../authorization-response/redirect-location.ts";
import type { Clients } from "../clients/client-cache.ts";
import { RedirectableError } from "./authorization-error.ts";
import { type AuthorizationRequest, validateAuthorizationRequest } from "./authorization-request.ts";

export interface AuthorizeRouteOptions {
  readonly clients: Clients;
  readonly issuer: string;
  /** Per minute and address. */
  readonly rateLimit: number;
  /** Takes a valid request on, and says at which page of ours the merchant goes on. */
  readonly begin: (request: FastifyRequest, reply: FastifyReply, valid: AuthorizationRequest) => string;
}

const PATH = "/oauth/api/authorize";

/** Spec, GET authorize. Every other method shares its bucket and starts nothing. */
export const authorizeRoute: FastifyPluginAsync<AuthorizeRouteOptions> = async (app, options) => {
  await app.register(cookie);
  app.setErrorHandler((error, request, reply) => {
    if (!(error instanceof RedirectableError)) throw error;
    request.log.info({ reason: error.message }, "authorization request refused");
    const location = redirectLocation(error.redirectUri, error.parameters(options.issuer));
    return reply.header("cache-control", "no-store").redirect(location, 302);
  });

  app.route({
    url: PATH,
    method: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
    config: { rateLimit: { max: options.rateLimit, timeWindow: 60_000 } },
    // Before a body is read: whatever it is, the method is what's wrong.
    preParsing: async (request, reply) => {
      if (request.method !== "GET") reply.code(405).header("allow", "GET").send({ error: "method_not_allowed" });
    },
    handler: async (request, reply) => {
      const valid = await validateAuthorizationRequest(queryOf(request), options.clients.find);
      return reply.header("cache-control", "no-store").redirect(options.begin(request, reply, valid), 302);
    },
  });
};

function queryOf(request: FastifyRequest): URLSearchParams {
  const { url = "" } = request.raw;
  return new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?")) : "");
}
