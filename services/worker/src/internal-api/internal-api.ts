import rateLimit from "@fastify/rate-limit";
import type { Sql } from "@partner-connect/database";
import {
  answerUnknownRoutes,
  asApiError,
  httpServer,
  type Logger,
  type Metrics,
  noteFacts,
  rateLimited,
  rateLimitStore,
  Semaphore,
  takeJson,
  validateRequests,
  WindowCounts,
} from "@partner-connect/service-runtime";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { asRefusal, invalidRequest, malformedBody, refusal } from "./api-error.ts";
import { authenticate } from "./authenticate.ts";
import { connectionOperations } from "./connections.route.ts";
import { directoryOperations } from "./directory.route.ts";
import { addOperations, describeRoutes, isId, mustBeId, openApiRoutes } from "./openapi.ts";
import { sourcesRoute } from "./sources.route.ts";
import { surveyRoutes } from "./survey.route.ts";

export interface InternalApiOptions {
  readonly sql: Sql;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Calls per minute and product key. */
  readonly rateLimit: number;
  /** Seconds without use after which a connection expires. */
  readonly refreshTokenTtl: number;
}

/** Maximum bytes of a body; routes that take many records have their own limit. */
const BODY_LIMIT = 32 * 1024;
/** Concurrent large calls, each with up to 60 MB of memory; ms until a waiting call gets 503. */
const [CALLS, WAIT] = [2, 5000];

/**
 * The internal API, for the survey product. A request is checked for its key (401), the rate limit
 * (429), ids, body and parameters (400, 413, 415).
 */
export async function createInternalApi(options: InternalApiOptions): Promise<FastifyInstance> {
  const { sql, logger, metrics, rateLimit: max, refreshTokenTtl } = options;
  const app = httpServer({
    logger,
    durations: metrics.durations,
    trustedProxies: [],
    bodyLimit: BODY_LIMIT,
    maxParamLength: 10_000, // so that a long id gets 400 like any other wrong id
    requestTimeout: 30_000, // enough for some calls of 16 MB at once
    publicUrl: "http://internal",
  });
  app.setErrorHandler(async (error, request, reply) => {
    const answer = asApiError(asRefusal(bodyRefusal(error, request)), malformedBody);
    noteFacts(request, { ...answer.facts, error: answer.body.error });
    if (answer.status >= 500) request.log.error({ err: error }, "request failed");
    return reply.code(answer.status).headers(answer.headers).send(answer.body);
  });
  answerUnknownRoutes(app);
  authenticate(app, sql);
  // Calls are counted in memory, which suffices because the back office has only one replica.
  const counts = new WindowCounts(60);
  await app.register(rateLimit, {
    max,
    store: rateLimitStore((key) => counts.add(key)),
    keyGenerator: (request) => request.productKeyId ?? "",
    allowList: (_request, key) => key === "",
    errorResponseBuilder: () => rateLimited("internal_api"),
  });
  checkIds(app);
  takeJson(app, malformedBody);
  validateRequests(app, (name, problem) =>
    name === "body"
      ? malformedBody(`The body ${problem}.`)
      : invalidRequest(`${name} ${problem}.`, name),
  );
  await describeRoutes(app);
  // In the order of the API reference.
  addOperations(app, "Directory", directoryOperations(sql, refreshTokenTtl));
  addOperations(app, "Connections", connectionOperations(sql, refreshTokenTtl));
  openApiRoutes(app);
  const permits = new Semaphore(CALLS, WAIT);
  surveyRoutes(app, sql, permits);
  sourcesRoute(app, sql, permits);
  return app;
}

/** A 413 or 415 that says what the route accepts. Other errors are returned unchanged. */
function bodyRefusal(error: unknown, { routeOptions, headers }: FastifyRequest): unknown {
  const { statusCode } = error as { readonly statusCode?: number };
  const { body } = (routeOptions.schema ?? {}) as { readonly body?: { readonly content?: object } };
  if (statusCode === 413) {
    const most = routeOptions.bodyLimit / 1024;
    const size = most < 1024 ? `${most} KB` : `${most / 1024} MB`;
    return refusal(413, "payload_too_large", `A body has at most ${size}.`);
  }
  if (statusCode !== 415) return error;
  const coding = headers["content-encoding"]?.toLowerCase() ?? "identity";
  const types = Object.keys(body?.content ?? { "application/json": 0 }).join(" or ");
  const rule =
    coding === "identity"
      ? `content-type must be ${types}`
      : `content-encoding must be identity, not ${coding.slice(0, 64)}`;
  return refusal(415, "unsupported_media_type", `${rule}.`);
}

/**
 * Adds the ids in the path to the request's log record, and refuses ids that no product can have.
 */
function checkIds(app: FastifyInstance): void {
  app.addHook("preValidation", async (request) => {
    if (request.is404) return;
    const ids = (request.params ?? {}) as Readonly<Record<string, string>>;
    for (const id of Object.values(ids))
      if (!isId(id)) throw invalidRequest(`id ${mustBeId}.`, "id");
    const isShop = request.routeOptions.url?.startsWith("/internal/shops/");
    const { id, merchant_id: merchantId, connection_id: connectionId } = ids;
    noteFacts(request, isShop ? { shopId: id, merchantId, connectionId } : { merchantId: id });
  });
}
