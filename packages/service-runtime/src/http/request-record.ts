import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** What routes learn about a request, for its log record, the metrics and the trace. Never a secret. */
export interface RequestFacts {
  readonly clientId?: string | undefined;
  readonly shopId?: string | undefined;
  readonly connectionId?: string | undefined;
  readonly apiKeyId?: string | undefined;
  readonly merchantId?: string | undefined;
  /** A keyed hash of the account that somebody tried to sign in to. */
  readonly account?: string | undefined;
  /** Why it was refused or failed: a stable word of a bounded set, such as `token_expired`, fit for a metric's label. */
  readonly reason?: string | undefined;
  /** The same in words, for the log alone: it may name what the caller sent, and is no label. */
  readonly detail?: string | undefined;
  /** `error` of an answer in JSON, and the parameter of ours that it names. */
  readonly error?: string | undefined;
  readonly param?: string | undefined;
  readonly grantType?: "authorization_code" | "refresh_token" | "batch" | undefined;
  /** What came of the tokens of a batch: how many were issued, and of the others how many were refused or failed for which reason. */
  readonly tokens?: {
    readonly issued: number;
    readonly refused: Readonly<Record<string, number>>;
    readonly failed: Readonly<Record<string, number>>;
  };
  /** Which limit was hit: a word of a bounded set, such as `token` or `api`. */
  readonly limit?: string | undefined;
  /** What came of it, where the status doesn't say: a word of a bounded set, such as `approved` or `signed_in`. */
  readonly outcome?: string | undefined;
}

declare module "fastify" {
  interface FastifyRequest {
    facts?: RequestFacts;
  }
}

const NONE: RequestFacts = {};

/** Adds to what is known about a request. Where it was known already, the later fact counts. */
export function noteFacts(request: FastifyRequest, facts: RequestFacts): void {
  request.facts = request.facts ? { ...request.facts, ...facts } : facts;
}

export function factsOf(request: FastifyRequest): RequestFacts {
  return request.facts ?? NONE;
}

/** What is known of a request whose answer has this status: words of ours and ids, and nothing that the caller sent. */
export interface AnsweredRequest extends Omit<RequestFacts, "detail"> {
  readonly requestId: string;
  /** Its method and the path of its route. */
  readonly call: string;
  readonly status: number;
}

export function answeredRequest(request: FastifyRequest, status: number): AnsweredRequest {
  const { detail: _, ...facts } = factsOf(request);
  return { ...facts, requestId: request.id, call: `${request.method} ${request.routeOptions.url ?? "none"}`, status };
}

/** One log record a request, without its URL, which may hold secrets. Faults are warnings, defects errors. `further`: more fields. */
export function logRequests(app: FastifyInstance, further?: (request: FastifyRequest) => object): void {
  app.decorateRequest("isLogged", false);
  app.addHook("onRequest", (request, reply, done) => {
    // The caller left, or was cut off, before the end of the answer: then no onResponse hook runs.
    reply.raw.once("close", () => {
      if (!request.isLogged) log(request, reply, { ...further?.(request), incomplete: true });
    });
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    request.isLogged = true;
    log(request, reply, further?.(request));
    done();
  });
}

declare module "fastify" {
  interface FastifyRequest {
    isLogged: boolean;
  }
}

function log(request: FastifyRequest, reply: FastifyReply, further: object | undefined): void {
  const { statusCode } = reply;
  const level = statusCode < 500 ? "info" : statusCode === 500 ? "error" : "warn";
  request.log[level](recordOf(request, reply, further), "request");
}

function recordOf(request: FastifyRequest, reply: FastifyReply, further: object | undefined): object {
  const facts = factsOf(request);
  return {
    method: request.method,
    route: request.routeOptions.url ?? "none",
    status: reply.raw.headersSent ? reply.statusCode : undefined,
    ms: Math.round(reply.elapsedTime),
    ip: request.ip,
    client_id: facts.clientId,
    shop_id: facts.shopId,
    connection_id: facts.connectionId,
    api_key_id: facts.apiKeyId,
    merchant_id: facts.merchantId,
    account: facts.account,
    grant_type: facts.grantType,
    tokens: facts.tokens,
    outcome: facts.outcome,
    reason: facts.reason,
    limit: facts.limit,
    detail: facts.detail,
    ...further,
  };
}
