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
  /** Hands the request to the library, with this path and query as its URL. */
  readonly run: (request: FastifyRequest, reply: FastifyReply, url: string) => Promise<FastifyReply>;
}

const PATH = "/oauth/api/authorize";

/** Spec, GET authorize. Every other method shares its bucket and starts nothing. */
export const authorizeRoute: FastifyPluginAsync<AuthorizeRouteOptions> = async (app, options) => {
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
      return await options.run(request, reply, `${PATH}?${sevenParameters(valid)}`);
    },
  });

  // The library's own way back from the merchant's decision; the last step of a flow that was counted at its start.
  app.get<{ Params: { uid: string } }>(`${PATH}/:uid(^[\\w-]{1,64}$)`, async (request, reply) => {
    return await options.run(request, reply, `${PATH}/${request.params.uid}`);
  });
};

function queryOf(request: FastifyRequest): URLSearchParams {
  const { url = "" } = request.raw;
  return new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?")) : "");
}

/** What the library sees: the validated request and nothing that came beside it. */
function sevenParameters(valid: AuthorizationRequest): URLSearchParams {
  return new URLSearchParams({
    response_type: "code",
    client_id: valid.client.clientId,
    redirect_uri: valid.redirectUri,
    scope: valid.scope.join(" "),
    state: valid.state,
    code_challenge: valid.codeChallenge,
    code_challenge_method: "S256",
  });
}
