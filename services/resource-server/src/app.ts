import type { Scope } from "@partner-connect/access-token";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Authenticator } from "./authentication/authenticate.ts";
import { readCallerState } from "./authorization/caller-state.query.ts";
import { coversScope, refusal } from "./authorization/caller-state.ts";
import { insufficientScope } from "./errors/api-error.ts";
import { asApiError, sendError } from "./errors/error-handler.ts";
import { takeJson } from "./http/json-body.ts";
import { answerUnknownRoutes } from "./http/not-found.ts";
import { limitRate } from "./http/rate-limit.ts";
import { RequestCounters } from "./http/request-counters.ts";
import { validateBodies } from "./http/validate-bodies.ts";
import { describeApi } from "./openapi/openapi.ts";
import { questionsRoute } from "./questions/questions.route.ts";
import { responsesRoute } from "./responses/responses.route.ts";
import type { RouteOptions } from "./route-options.ts";
import { sourcesRoute } from "./sources/sources.route.ts";

export interface AppOptions extends RouteOptions {
  readonly authenticator: Authenticator;
  readonly apiRateLimit: number;
}

/** The whole API: who calls, how often, what they ask for, and what is said when they may not. */
export async function addApi(app: FastifyInstance, options: AppOptions): Promise<void> {
  app.decorateRequest("caller");
  answerUnknownRoutes(app);
  app.setErrorHandler(async (error, request, reply) =>
    sendError(await foremost(error, request, options), request, reply),
  );

  app.addHook("onRequest", async (request) => {
    if (scopeOf(request)) request.caller = await options.authenticator.authenticate(request.raw.rawHeaders);
  });
  await limitRate(app, { counters: new RequestCounters(options.redis), max: options.apiRateLimit });
  app.addHook("preParsing", (request, _reply, _payload, done) => {
    const scope = scopeOf(request);
    done(scope && !coversScope(request.caller, scope) ? insufficientScope() : null);
  });

  takeJson(app);
  validateBodies(app);
  await describeApi(app, options);
  responsesRoute(app, options);
  questionsRoute(app, options);
  sourcesRoute(app, options);
}

function scopeOf(request: FastifyRequest): Scope | undefined {
  return request.routeOptions.config.scope;
}

/**
 * Which error takes precedence. A caller who may not call is told that, whatever else is wrong with the request; so a
 * refusal of the input asks the database for the caller's state.
 */
async function foremost(error: unknown, request: FastifyRequest, options: AppOptions): Promise<unknown> {
  const scope = scopeOf(request);
  const { status } = asApiError(error);
  if (!scope || !request.caller || ![400, 403, 413, 415].includes(status)) return error;
  try {
    const state = await options.database.run((sql) => readCallerState(sql, request.caller, scope));
    // A missing scope is told only now: `forbidden` comes before it, and it comes before the input.
    return refusal(request.caller, state) ?? error;
  } catch (fault) {
    return fault;
  }
}
