import { constants } from "node:zlib";
import compress from "@fastify/compress";
import {
  answerUnknownRoutes,
  countRefusals,
  httpServer,
  type Logger,
  type Metrics,
  noteFacts,
  type Redis,
  takeJson,
  validateRequests,
} from "@partner-connect/service-runtime";
import type { FastifyInstance } from "fastify";
import type { Authenticator } from "./authentication/authenticate.ts";
import { type Caller, factsOfCaller } from "./authentication/caller.ts";
import { type RequiredScope, requireScope } from "./authorization/require-scope.ts";
import type { Config } from "./config.ts";
import { connectionRoute } from "./connection/connection.route.ts";
import type { Databases } from "./databases.ts";
import { deletedResponsesRoute } from "./deleted-responses/deleted-responses.route.ts";
import { invalidInput, malformedBody } from "./errors/api-error.ts";
import { answerErrors } from "./errors/error-handler.ts";
import { limitConcurrency, type Permits } from "./http/permits.ts";
import { limitRate } from "./http/rate-limit.ts";
import { describeRoutes, serveOpenApi } from "./openapi/openapi.ts";
import { OptionalRedis } from "./optional-redis.ts";
import { Pages } from "./pagination/page.ts";
import { calledUrl, protectedResourceRoute } from "./protected-resource.ts";
import { questionsRoute } from "./questions/questions.route.ts";
import { responsesRoute } from "./responses/responses.route.ts";
import { addServiceMetrics } from "./service-metrics.ts";
import { sourcesRoute } from "./sources/sources.route.ts";
import { countCalls, type Usage } from "./usage.ts";

export interface Dependencies {
  readonly config: Config;
  readonly databases: Databases;
  readonly redis: Redis;
  readonly authenticator: Authenticator;
  readonly permits: Permits;
  readonly usage: Usage;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

declare module "fastify" {
  /** `createApp` decorates the application with these, so routes need no arguments for them. */
  interface FastifyInstance {
    readonly databases: Databases;
    readonly pages: Pages;
    readonly optionalRedis: OptionalRedis;
    readonly refreshTokenTtlSeconds: number;
  }
  interface FastifyRequest {
    caller: Caller;
  }
  interface FastifyContextConfig {
    /** The required scope (guides/plans.md). A route without it needs no credential. */
    readonly scope?: RequiredScope;
  }
}

/** Maximum bytes of a body; only POST requests have one. */
const BODY_LIMIT = 32 * 1024;

/**
 * Compression at the lowest levels, because it must cost less than making the page. Below the
 * threshold it saves no packet.
 */
const COMPRESSION = {
  encodings: ["zstd", "br", "gzip"] as ("zstd" | "br" | "gzip")[],
  globalDecompression: false,
  threshold: 1400,
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } },
  zlibOptions: { level: 1 },
};

/** Replaces `*` in `Accept-Encoding` by an unnamed coding, because the plugin reads it as gzip. */
function nameAnyEncoding(app: FastifyInstance): void {
  app.addHook("onRequest", ({ raw: { headers } }, _reply, done) => {
    const sent = headers["accept-encoding"];
    if (typeof sent === "string" && sent.includes("*")) {
      const other = COMPRESSION.encodings.findLast(
        (coding) => !sent.toLowerCase().includes(coding),
      );
      headers["accept-encoding"] = sent.replaceAll("*", other ?? "identity");
    }
    done();
  });
}

/**
 * Creates the resource server. A request is checked in this order: authentication (401) and rate
 * limit (429) in onRequest; permit (429, 503) and scope (403) in preParsing; body and parameters
 * (400, 413, 415); the handler, whose statement also reads the caller's state. Before it sends a 400,
 * 413, 415 or a token's missing scope, the error handler reads that state: its refusal goes first,
 * or a 503 if Postgres is away. A route without a scope needs no credential.
 */
export async function createApp(dependencies: Dependencies): Promise<FastifyInstance> {
  const { config, databases, authenticator, permits, usage, logger, metrics } = dependencies;
  const { publicApiUrl, env } = config;
  const optionalRedis = new OptionalRedis(dependencies.redis, logger);

  const app = httpServer({
    logger,
    durations: metrics.durations,
    trustedProxies: env.TRUSTED_PROXIES,
    bodyLimit: BODY_LIMIT,
    publicUrl: publicApiUrl,
  });
  countRefusals(app, metrics.registry);
  const called = calledUrl([publicApiUrl, config.tokens.issuer]);
  answerErrors(app, databases.reads, called);
  answerUnknownRoutes(app);

  app.decorateRequest("caller");
  app.addHook("onRequest", async (request) => {
    if (!request.routeOptions.config.scope) return;
    request.caller = await authenticator.authenticate(request.raw.rawHeaders);
    noteFacts(request, factsOfCaller(request.caller));
  });
  countCalls(app, usage);
  await limitRate(app, optionalRedis, env.API_RATE_LIMIT);
  // Takes a request's permit before its body is read.
  limitConcurrency(app, permits);
  requireScope(app);
  nameAnyEncoding(app);
  await app.register(compress, COMPRESSION);
  takeJson(app, malformedBody);
  validateRequests(app, invalidInput);
  await describeRoutes(app);

  addServiceMetrics(metrics.registry, authenticator.signingKeys, permits);
  app.decorate("databases", databases);
  app.decorate("optionalRedis", optionalRedis);
  app.decorate("pages", new Pages({ sql: databases.reads, usage, publicApiUrl }));
  app.decorate("refreshTokenTtlSeconds", config.tokens.refreshTokenTtlSeconds);
  // The routes have the order of the reference.
  connectionRoute(app);
  responsesRoute(app);
  deletedResponsesRoute(app);
  questionsRoute(app);
  sourcesRoute(app);
  protectedResourceRoute(app, {
    called,
    issuer: config.tokens.issuer,
    productName: env.PRODUCT_NAME,
  });
  await app.register(serveOpenApi, {
    baseUrl: config.tokens.issuer,
    apiUrl: publicApiUrl,
    productName: env.PRODUCT_NAME,
    supportUrl: env.SUPPORT_URL,
    license: env.API_LICENSE_NAME
      ? { name: env.API_LICENSE_NAME, url: env.API_LICENSE_URL }
      : undefined,
  });
  return app;
}
