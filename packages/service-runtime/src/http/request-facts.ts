import type { FastifyRequest } from "fastify";

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
  readonly grantType?: "authorization_code" | "refresh_token" | undefined;
  /** Which limit was hit: a word of a bounded set, such as `token` or `api`. */
  readonly limit?: string | undefined;
  /** What came of it, where the status doesn't say: a word of a bounded set, such as `approved` or `signed_in`. */
  readonly outcome?: string | undefined;
}

declare module "fastify" {
  interface FastifyRequest {
    /** See {@link noteFacts}. */
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
