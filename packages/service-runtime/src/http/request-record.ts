import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** Facts about a request for its log record, metrics and trace. No secrets. */
export interface RequestFacts {
  readonly clientId?: string | undefined;
  readonly shopId?: string | undefined;
  readonly connectionId?: string | undefined;
  readonly apiKeyId?: string | undefined;
  readonly productKeyId?: string | undefined;
  readonly merchantId?: string | undefined;
  /** The reason of a refusal or failure, such as `token_expired`. A metric label, so the set is bounded. */
  readonly reason?: string | undefined;
  /** Details for the log only; may contain what the caller sent. */
  readonly detail?: string | undefined;
  /** `error` of a JSON response, and the parameter it names. */
  readonly error?: string | undefined;
  readonly param?: string | undefined;
  readonly grantType?: "authorization_code" | "refresh_token" | "batch" | undefined;
  /** Results of a batch: the number of issued tokens, and of failures by reason. */
  readonly tokens?: {
    readonly issued: number;
    readonly refused: Readonly<Record<string, number>>;
    readonly failed: Readonly<Record<string, number>>;
  };
  /** The exceeded limit, such as `token` or `api`; a metric label. */
  readonly limit?: string | undefined;
  /** The outcome, if the status doesn't show it, such as `approved` or `signed_in`; a metric label. */
  readonly outcome?: string | undefined;
}

declare module "fastify" {
  interface FastifyRequest {
    facts?: RequestFacts;
  }
}

const NONE: RequestFacts = {};

/** Merges facts into the request's; later ones win. */
export function noteFacts(request: FastifyRequest, facts: RequestFacts): void {
  request.facts = request.facts ? { ...request.facts, ...facts } : facts;
}

export function factsOf(request: FastifyRequest): RequestFacts {
  return request.facts ?? NONE;
}

/** Facts of an answered request: only our own words and ids, nothing that the caller sent. */
export interface AnsweredRequest extends Omit<RequestFacts, "detail"> {
  readonly requestId: string;
  /** Method and route path. */
  readonly call: string;
  readonly status: number;
}

export function answeredRequest(request: FastifyRequest, status: number): AnsweredRequest {
  const { detail: _, ...facts } = factsOf(request);
  return { ...facts, requestId: request.id, call: `${request.method} ${request.routeOptions.url ?? "none"}`, status };
}

/** Writes a log record per request, without the URL, which may contain secrets. Faults are warnings, defects errors. */
export function logRequests(app: FastifyInstance): void {
  app.decorateRequest("isLogged", false);
  app.addHook("onRequest", (request, reply, done) => {
    // onResponse does not run if the connection closed before the end of the response.
    reply.raw.once("close", () => {
      if (!request.isLogged) log(request, reply, { incomplete: true });
    });
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    request.isLogged = true;
    log(request, reply);
    done();
  });
}

declare module "fastify" {
  interface FastifyRequest {
    isLogged: boolean;
  }
}

function log(request: FastifyRequest, reply: FastifyReply, further?: object): void {
  const { statusCode } = reply;
  const level = statusCode < 500 ? "info" : statusCode === 500 ? "error" : "warn";
  const facts = factsOf(request);
  const record = {
    method: request.method,
    route: request.routeOptions.url ?? "none",
    status: reply.raw.headersSent ? reply.statusCode : undefined,
    ms: Math.round(reply.elapsedTime),
    ip: request.ip,
    client_id: facts.clientId,
    shop_id: facts.shopId,
    connection_id: facts.connectionId,
    api_key_id: facts.apiKeyId,
    product_key_id: facts.productKeyId,
    merchant_id: facts.merchantId,
    grant_type: facts.grantType,
    tokens: facts.tokens,
    outcome: facts.outcome,
    reason: facts.reason,
    limit: facts.limit,
    detail: facts.detail,
    ...further,
  };
  request.log[level](record, "request");
}
