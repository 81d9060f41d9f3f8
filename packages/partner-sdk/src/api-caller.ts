import {
  AnswerLost,
  CursorExpired,
  Forbidden,
  InsufficientScope,
  InvalidClient,
  InvalidGrant,
  InvalidRequest,
  PartnerConnectError,
  TokenLimitReached,
  Unauthorized,
  Unavailable,
} from "./errors.ts";
import { type Clock, jsonObject, NoAnswer, retryAfter } from "./network.ts";
import type { TokenLimit } from "./token-limit.ts";

/** An access token that is renewed, or an API key. */
export interface Credential {
  /** The value of the `Authorization` header. */
  authorization(signal?: AbortSignal): Promise<string>;
  /** Called when the API has refused this header. True if the next header may be accepted. */
  refused?(authorization: string, error: PartnerConnectError): boolean;
}

export interface ApiCallerOptions {
  /** The API's base URL, without `/api` and trailing slash. */
  readonly apiUrl: string;
  readonly credential: Credential;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  /** Only for calls of the token endpoint. */
  readonly limit?: TokenLimit;
}

/** The attempts to exchange a code. */
export interface Exchange {
  /** When the first attempt was sent that may have arrived but got no usable response. */
  lostAt: number | null;
}

/** A call that may be sent several times. */
export interface ApiCall {
  readonly path: string;
  readonly query?: URLSearchParams;
  readonly headers?: Readonly<Record<string, string>>;
  /** Called for each attempt; sent as JSON. */
  readonly body?: () => unknown;
  /** Sent as a form. */
  readonly form?: URLSearchParams;
  readonly exchange?: Exchange;
  /** Returns true if the response is complete. */
  isWhole?(json: Readonly<Record<string, unknown>>): boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface Page<T> {
  readonly data: readonly T[];
  readonly next: string | null;
}

export interface Answer<T> {
  readonly json: T;
  /** When the request was sent, in milliseconds since 1970. */
  readonly sentAt: number;
  readonly requestId: string | undefined;
}

/** The server answered 429, 408 or 5xx, so the call is retried. */
class RetryLater extends Error {
  readonly status: number;
  readonly seconds: number | null;
  readonly requestId: string | undefined;

  constructor({ status, headers }: Response, now: number) {
    super(`the server answered ${status}`);
    this.status = status;
    this.seconds = retryAfter(headers, now);
    this.requestId = requestIdOf(headers);
  }
}

const MAX_ATTEMPTS = 8;
/** Maximum attempts while the server has never responded, because its address may be wrong. */
const MAX_ATTEMPTS_IN_VAIN = 3;
/** If `Retry-After` exceeds this, fail immediately. */
const LONGEST_WAIT_MS = 120_000;
/** How long token calls are repeated: after a minute, a repeated exchange ends the connection. */
const REPEAT_TOKENS_MS = 45_000;
const FIRST_PAUSE_MS = 200;
const TIMEOUT_MS = 120_000;
const TOKEN_TIMEOUT_MS = 15_000;
const MAX_LIMITED = 3;
const ANSWER_LOST =
  "the answer with the tokens was lost on its way: the merchant must connect again";

/**
 * Makes calls with a credential. Renews a refused credential once, and retries failures as
 * `Retry-After` says.
 */
export class ApiCaller {
  readonly #options: ApiCallerOptions;

  constructor(options: ApiCallerOptions) {
    this.#options = options;
  }

  async call<T>(call: ApiCall): Promise<T> {
    return (await this.request<T>(call)).json;
  }

  /**
   * @throws {PartnerConnectError} the server's refusal, `Unavailable` or `TokenLimitReached`; and
   * the signal's reason
   */
  async request<T>(call: ApiCall): Promise<Answer<T>> {
    const { credential, clock, limit } = this.#options;
    let isRenewed = false;
    const first: Exchange = call.exchange ?? { lostAt: null };
    for (let [lost, limited] = [0, 0]; ; ) {
      const authorization = await credential.authorization(call.signal);
      let sentAt = clock.now();
      const send = () => {
        sentAt = clock.now();
        if (call.exchange && sentAt > (first.lostAt ?? sentAt) + REPEAT_TOKENS_MS)
          throw new AnswerLost(ANSWER_LOST);
        return this.#send<T>(call, authorization, sentAt);
      };
      try {
        return await (limit ? limit.run(send) : send());
      } catch (error) {
        call.signal?.throwIfAborted();
        const isOfCredential =
          error instanceof Unauthorized ||
          error instanceof Forbidden ||
          error instanceof InsufficientScope;
        if (isOfCredential && !isRenewed && credential.refused?.(authorization, error)) {
          isRenewed = true;
        } else if (error instanceof InvalidGrant && first.lostAt !== null) {
          throw new AnswerLost(ANSWER_LOST, { requestId: error.requestId });
        } else if (error instanceof PartnerConnectError) {
          throw error;
        } else if (limit && error instanceof RetryLater && error.status === 429) {
          const seconds = error.seconds ?? 60;
          limit.pause(seconds);
          if (++limited < MAX_LIMITED) continue;
          const why = `the address that you call from is over its limit of token calls for ${seconds} s`;
          throw new TokenLimitReached(null, seconds, `${why}: do other programs use it?`);
        } else {
          first.lostAt ??= sentAt;
          await this.#pause(
            error,
            ++lost,
            limit ? first.lostAt + REPEAT_TOKENS_MS : Infinity,
            call.signal,
          );
        }
      }
    }
  }

  /** Follows `next` to the last page. @param ahead prefetches the next page */
  async *pages<T>(call: ApiCall, ahead = false): AsyncGenerator<readonly T[], void, undefined> {
    const leaving = new AbortController();
    const signal = call.signal ? AbortSignal.any([call.signal, leaving.signal]) : leaving.signal;
    // Use only the link's parameters, so that the credential is sent to no other address.
    const read = (link: string | null): Promise<Page<T>> =>
      this.call({ ...call, ...(link !== null && { query: new URL(link).searchParams }), signal });
    try {
      let next: Promise<Page<T>> | null = read(null);
      while (next) {
        const page: Page<T> = await next;
        const early = ahead && page.next ? read(page.next) : null;
        early?.catch(() => {}); // awaited in the next iteration
        yield page.data;
        next = early ?? (page.next ? read(page.next) : null);
      }
    } finally {
      leaving.abort();
    }
  }

  async #send<T>(call: ApiCall, authorization: string, sentAt: number): Promise<Answer<T>> {
    const { path, query, headers, form, signal } = call;
    const { apiUrl, clock, fetch, limit } = this.#options;
    const content = form?.toString() ?? (call.body && JSON.stringify(call.body()));
    const type = form ? "application/x-www-form-urlencoded" : "application/json";
    const timeout = AbortSignal.timeout(limit ? TOKEN_TIMEOUT_MS : TIMEOUT_MS);
    const answer = await fetch(`${apiUrl}${path}${query && query.size > 0 ? `?${query}` : ""}`, {
      headers: checkedHeaders({
        ...(content && { "content-type": type }),
        ...headers,
        authorization,
      }),
      ...(content && { method: "POST", body: content }),
      redirect: "manual", // never send a secret to another address
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const text = await answer.text();
    if (answer.ok) {
      const json = text === "" && !call.isWhole ? null : JSON.parse(text);
      if (call.isWhole?.(Object(json)) === false) throw new Error("a part is missing");
      return { json, sentAt, requestId: requestIdOf(answer.headers) };
    }
    const isLater = answer.status === 429 || answer.status === 408 || answer.status >= 500;
    throw isLater ? new RetryLater(answer, clock.now()) : refusal(answer, text, authorization);
  }

  /**
   * Waits before the next attempt. @throws {Unavailable} if there is none, or the wait would be too
   * long
   */
  async #pause(
    failure: unknown,
    lost: number,
    until: number,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { clock } = this.#options;
    const { seconds, requestId } = failure instanceof RetryLater ? failure : { seconds: null };
    const max =
      failure instanceof NoAnswer && failure.isMisplaced ? MAX_ATTEMPTS_IN_VAIN : MAX_ATTEMPTS;
    // Jitter, so that callers don't retry simultaneously.
    const grown = FIRST_PAUSE_MS * 2 ** (lost - 1) * (0.5 + Math.random() / 2);
    const ms = seconds === null ? grown : seconds * 1000 + Math.random() * 250;
    if (lost >= max || ms > LONGEST_WAIT_MS + 250 || clock.now() + ms > until) {
      const isKnown = failure instanceof RetryLater || failure instanceof NoAnswer;
      const message = isKnown ? `no usable answer: ${failure.message}` : "the answer was not whole";
      throw new Unavailable(message, seconds ?? 60, { cause: failure, requestId });
    }
    await clock.sleep(ms, signal);
  }
}

const requestIdOf = (headers: Headers): string | undefined =>
  headers.get("x-request-id") ?? undefined;

/** A query string without undefined and null values; Dates as RFC 3339. */
export function queryOf(parameters: object): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== null) {
      query.set(name, value instanceof Date ? value.toISOString() : String(value));
    }
  }
  return query;
}

/** @throws {InvalidRequest} without the values, because one of them is a secret */
function checkedHeaders(headers: Readonly<Record<string, string>>): Headers {
  const wrong = Object.keys(headers).find((name) => !/^[\x20-\x7e]+$/.test(headers[name] ?? ""));
  if (wrong !== undefined)
    throw new InvalidRequest(`the value of ${wrong} can't be sent in a header`, wrong);
  return new Headers(headers);
}

/** The error for a status from 300 to 499. */
function refusal(
  { status, headers }: Response,
  text: string,
  authorization: string,
): PartnerConnectError {
  const detail = { requestId: requestIdOf(headers) };
  const {
    error,
    error_description: description,
    param,
  } = jsonObject(text) as Readonly<Record<string, string | undefined>>;
  // RFC 6750 §3.
  const challenged = (name: string) =>
    new RegExp(`${name}="([^"]*)"`).exec(headers.get("www-authenticate") ?? "")?.[1] ?? null;
  if (error === "invalid_client")
    return new InvalidClient(`the client was refused: ${description ?? error}`, detail);
  if (error === "invalid_grant") return new InvalidGrant(null, description ?? error, detail);
  if (status === 401) {
    const usual = "the API refuses the credential: it is wrong, has expired or was revoked";
    const message = description ?? challenged("error_description") ?? usual;
    if (authorization.startsWith("Basic "))
      return new InvalidClient(`the client was refused: ${message}`, detail);
    return new Unauthorized(message, detail);
  }
  if (status === 403 && error === "insufficient_scope")
    return new InsufficientScope(challenged("scope"), detail);
  if (status === 403)
    return new Forbidden("the connection may not be used: it was revoked, or is on hold", detail);
  if (status === 410 && error === "cursor_expired") {
    return new CursorExpired(
      "the server was restored to before this cursor: read from the beginning",
      detail,
    );
  }
  const foreign = `the server answered ${status} without an error of ours: check the base URL`;
  return new InvalidRequest(
    error === undefined || status === 404 ? foreign : (description ?? error),
    param ?? null,
    detail,
  );
}
