import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** Facts about a request for its log record and metrics. No secrets. */
export interface RequestFacts {
  readonly clientId?: string | undefined;
  readonly shopId?: string | undefined;
  readonly connectionId?: string | undefined;
  readonly apiKeyId?: string | undefined;
  readonly productKeyId?: string | undefined;
  readonly merchantId?: string | undefined;
  /**
   * The reason of a refusal or failure, such as `token_expired`. A metric label, so the set is
   * bounded.
   */
  readonly reason?: string | undefined;
  /** Details for the log only; may contain what the caller sent. */
  readonly detail?: string | undefined;
  /** `error` of a JSON response, and the parameter it names. */
  readonly error?: string | undefined;
  readonly param?: string | undefined;
  /** A refused redirect URI, with secret parts removed. */
  readonly sent?: string | undefined;
  readonly grantType?: "authorization_code" | "refresh_token" | "batch" | undefined;
  /** Results of a batch: the number of issued tokens, and of failures by reason. */
  readonly tokens?: {
    readonly issued: number;
    readonly refused: Readonly<Record<string, number>>;
    readonly failed: Readonly<Record<string, number>>;
  };
  /** The exceeded limit, such as `token` or `api`; a metric label. */
  readonly limit?: string | undefined;
  /**
   * The outcome, if the status doesn't show it, such as `approved` or `signed_in`; a metric label.
   */
  readonly outcome?: string | undefined;
}

const NONE: RequestFacts = {};

/** Merges facts into the request's; later ones win. */
export function noteFacts(request: FastifyRequest, facts: RequestFacts): void {
  request.facts = request.facts ? { ...request.facts, ...facts } : facts;
}

export function factsOf(request: FastifyRequest): RequestFacts {
  return request.facts ?? NONE;
}

/** Facts about a request that was answered. Only `sent` has text from the client. */
export interface AnsweredRequest extends Omit<RequestFacts, "detail"> {
  readonly requestId: string;
  /** Method and route path. */
  readonly call: string;
  readonly status: number;
}

export function answeredRequest(request: FastifyRequest, status: number): AnsweredRequest {
  const { detail: _, ...facts } = factsOf(request);
  return {
    ...facts,
    requestId: request.id,
    call: `${request.method} ${request.routeOptions.url ?? "none"}`,
    status,
  };
}

declare module "fastify" {
  interface FastifyRequest {
    facts?: RequestFacts;
  }
}

/**
 * Writes a log record per request, without the URL, which may contain secrets. Faults are warnings,
 * defects errors.
 */
export function logRequests(app: FastifyInstance): void {
  app.addHook("onRequest", (request, reply, done) => {
    // onResponse does not run if the connection closed before the end of the response.
    reply.raw.once("close", () => log(request, reply));
    done();
  });
}

function log(request: FastifyRequest, reply: FastifyReply): void {
  const { statusCode, raw } = reply;
  const level = statusCode < 500 ? "info" : statusCode === 500 ? "error" : "warn";
  const record = {
    method: request.method,
    route: request.routeOptions.url ?? "none",
    status: raw.headersSent ? statusCode : undefined,
    ms: Math.round(reply.elapsedTime),
    ip: request.ip,
    ...namedFacts(request),
    ...(!raw.writableFinished && { incomplete: true }),
  };
  request.log[level](record, "request");
}

/** Calls `count` when a request was answered, even if its caller had hung up by then. */
export function onAnswer(app: FastifyInstance, count: typeof log): void {
  app.addHook("onResponse", (request, reply, done) => {
    count(request, reply);
    done();
  });
  app.addHook("onSend", (request, reply, _payload, done) => {
    if (reply.raw.destroyed) count(request, reply); // because onResponse will not run
    done();
  });
}

const NAMES_IN_LOGS: Readonly<Record<string, string>> = {
  ...{ clientId: "client_id", shopId: "shop_id", connectionId: "connection_id" },
  ...{ merchantId: "merchant_id", apiKeyId: "api_key_id", productKeyId: "product_key_id" },
  grantType: "grant_type",
} satisfies Partial<Record<keyof RequestFacts, string>>;

function namedFacts(request: FastifyRequest): Record<string, string | object | undefined> {
  const named: Record<string, string | object | undefined> = {};
  for (const [name, value] of Object.entries(factsOf(request)))
    named[NAMES_IN_LOGS[name] ?? name] = value;
  return named;
}
