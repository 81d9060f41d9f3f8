import { faultReason, noteFacts, type RequestFacts } from "@partner-connect/service-runtime";
import type { FastifyReply } from "fastify";
import type { ErrorPage } from "../pages/error-page.ts";

/** A failure as the wire says it: its `error` in JSON; or its page, on routes that a merchant's browser opens. */
export class HttpError extends Error {
  readonly status: number;
  readonly error: string;
  readonly page: ErrorPage["kind"];
  readonly headers: Readonly<Record<string, string>>;
  /** What exactly is wrong, for the partner's developers. The page shows it, so it never has a secret. */
  readonly developerDetail: string | undefined;
  /** The app whose request it is, if it is known. */
  readonly client: ErrorPage["client"];
  readonly facts: RequestFacts;

  constructor(
    status: number,
    error: string,
    page: ErrorPage["kind"],
    facts: RequestFacts & { readonly reason: string },
    options: Partial<Pick<HttpError, "headers" | "developerDetail" | "client">> = {},
  ) {
    super(options.developerDetail ?? error);
    this.status = status;
    this.error = error;
    this.page = page;
    this.headers = options.headers ?? {};
    this.developerDetail = options.developerDetail;
    this.client = options.client;
    this.facts = facts;
  }
}

/** Seconds after which a caller may try again after a fault. */
export const RETRY_AFTER_SECONDS = 2;

const RETRY_AFTER = String(RETRY_AFTER_SECONDS);

/** A request that Fastify can't read: its body is too large (413), of another type (415), cut off or malformed (400). */
export const badRequest = (status: number): HttpError =>
  new HttpError(status, "bad_request", "bad_request", { reason: "unreadable_body" });

/** Spec, Limits. The rate limiter sets `retry-after`. */
export const tooManyRequests = (limit?: string): HttpError =>
  new HttpError(429, "too_many_requests", "too_many_requests", { reason: "rate_limited", limit });

/** More passwords have to be hashed than we can hash soon. It is our limit, and nobody's mistake. */
export const passwordsBusy = (): HttpError =>
  new HttpError(
    503,
    "unavailable",
    "unavailable",
    { reason: "passwords_busy" },
    { headers: { "retry-after": RETRY_AFTER } },
  );

export const internalError = (): HttpError => new HttpError(500, "internal_error", "unexpected", { reason: "defect" });

/** A fault. It never looks like a refusal of the credential. */
export const unavailable = (error: unknown): HttpError =>
  new HttpError(
    503,
    "unavailable",
    "unavailable",
    { reason: faultReason(error) },
    { headers: { "retry-after": RETRY_AFTER } },
  );

/** 405, in JSON on every route: a merchant's browser sends no such request by itself. */
export function methodNotAllowed(reply: FastifyReply, allow: string): FastifyReply {
  noteFacts(reply.request, { reason: "method_not_allowed" });
  return reply.code(405).header("allow", allow).send({ error: "method_not_allowed" });
}
