import type { ErrorPage } from "../merchant-page/index.ts";

/** A failure as the caller is told it: by its `error` in JSON, or by a page where a merchant's browser asked. */
export class HttpError extends Error {
  readonly status: number;
  readonly error: string;
  readonly page: ErrorPage["kind"];
  readonly headers: Readonly<Record<string, string>>;
  /** What exactly is wrong, for the partner's developers; the page shows it. No secret may stand in it. */
  readonly developerDetail: string | undefined;

  constructor(
    status: number,
    error: string,
    page: ErrorPage["kind"],
    options: { readonly headers?: Readonly<Record<string, string>>; readonly developerDetail?: string } = {},
  ) {
    super(options.developerDetail ?? error);
    this.status = status;
    this.error = error;
    this.page = page;
    this.headers = options.headers ?? {};
    this.developerDetail = options.developerDetail;
  }
}

/** Seconds after which a caller may try again after a fault. */
const RETRY_AFTER = "2";

/** A request that Fastify can't read: its body is too large (413), of another type (415), cut off or malformed (400). */
export const badRequest = (status: number): HttpError => new HttpError(status, "bad_request", "bad_request");

/** Spec, Limits. The rate limiter sets `retry-after`. */
export const tooManyRequests = (): HttpError => new HttpError(429, "too_many_requests", "too_many_requests");

/** A defect. */
export const internalError = (): HttpError => new HttpError(500, "internal_error", "unexpected");

/** A fault. It never looks like a refusal of the credential. */
export const unavailable = (): HttpError =>
  new HttpError(503, "unavailable", "unavailable", { headers: { "retry-after": RETRY_AFTER } });
