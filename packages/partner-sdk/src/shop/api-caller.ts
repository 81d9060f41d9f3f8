import { isLoopback } from "../base-url.ts";
import type { Clock } from "../clock.ts";
import type { Credential } from "../credential.ts";
import { InvalidRequest, PartnerConnectError } from "../errors/index.ts";
import { NoAnswer } from "../reach.ts";
import { ComeBackLater, Patience, retryAfter } from "./patience.ts";
import { isOfCredential, readRefusal } from "./refusal.ts";
import { TimeLimit } from "./time-limit.ts";

export interface ApiCallerOptions {
  /** The API's address, without `/api` and without a slash at its end. */
  readonly apiUrl: string;
  readonly credential: Credential;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
}

/** One call of the API. It may be sent several times. */
export interface ApiCall {
  /** From the address on. */
  readonly path: string;
  readonly query?: URLSearchParams;
  readonly headers?: Readonly<Record<string, string>>;
  /** Posted as JSON. */
  readonly body?: unknown;
  /** Posted as a form. */
  readonly form?: URLSearchParams;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends calls with the shop's credential. A refused one is renewed once; failed calls are repeated when `retry-after` says, not for ever.
 */
export class ApiCaller {
  readonly #options: ApiCallerOptions;
  readonly #encoding: Readonly<Record<string, string>>;

  constructor(options: ApiCallerOptions) {
    this.#options = options;
    // Compression costs more than it saves within one machine. Elsewhere `fetch` asks for what it can read.
    this.#encoding = isLoopback(new URL(options.apiUrl).hostname) ? { "accept-encoding": "identity" } : {};
  }

  /** The answer's JSON. @throws {PartnerConnectError} what the API refuses, or `Unavailable` once it was repeated in vain */
  async json<T>(call: ApiCall): Promise<T> {
    return await this.#repeated(call, (text) => parse<T>(text));
  }

  /** The same where nothing is said but 'done'. */
  async empty(call: ApiCall): Promise<void> {
    await this.#repeated(call, () => {});
  }

  async #repeated<T>(call: ApiCall, read: (text: string) => T): Promise<T> {
    for (const patience = new Patience(this.#options.clock); ; ) {
      try {
        return read(await this.#ask(call));
      } catch (failure) {
        if (!(failure instanceof ComeBackLater)) throw failure;
        await patience.wait(failure, call.signal);
      }
    }
  }

  async #ask(call: ApiCall): Promise<string> {
    const { credential } = this.#options;
    for (let isRenewed = false; ; ) {
      const authorization = await credential.authorization(call.signal);
      const limit = new TimeLimit(call.signal);
      try {
        const answer = await this.#send(call, authorization, limit);
        return await limit.within(answer.text());
      } catch (failure) {
        call.signal?.throwIfAborted();
        if (!(failure instanceof PartnerConnectError)) throw asComeBackLater(failure);
        if (isRenewed || !credential.refused || !isOfCredential(failure)) throw failure;
        credential.refused(authorization);
        isRenewed = true;
      } finally {
        limit.end();
      }
    }
  }

  async #send(
    { path, query, headers, body, form }: ApiCall,
    authorization: string,
    limit: TimeLimit,
  ): Promise<Response> {
    const { apiUrl, clock, fetch } = this.#options;
    const search = query && query.size > 0 ? `?${query}` : "";
    const content = form?.toString() ?? (body === undefined ? undefined : JSON.stringify(body));
    const type = form ? "application/x-www-form-urlencoded" : "application/json";
    const sending = fetch(`${apiUrl}${path}${search}`, {
      method: content === undefined ? "GET" : "POST",
      headers: carried({
        ...this.#encoding,
        ...(content !== undefined && { "content-type": type }),
        ...headers,
        authorization,
      }),
      ...(content !== undefined && { body: content }),
      redirect: "manual",
      signal: limit.signal,
    });
    const answer = await limit.within(sending);
    if (answer.ok) return answer;
    if (answer.status !== 429 && answer.status < 500) throw await limit.within(readRefusal(answer));
    await limit.within(answer.text());
    const seconds = retryAfter(answer.headers, clock.now());
    const requestId = answer.headers.get("x-request-id");
    throw new ComeBackLater(`the API answered ${answer.status}`, seconds, requestId === null ? {} : { requestId });
  }
}

/** The headers, or an error that doesn't repeat their values: one of them is a secret. */
function carried(headers: Readonly<Record<string, string>>): Headers {
  const wrong = Object.keys(headers).find((name) => !/^[\x20-\x7e]+$/.test(headers[name] ?? ""));
  if (wrong !== undefined) throw new InvalidRequest(`the value of ${wrong} can't be sent in a header`, wrong);
  return new Headers(headers);
}

function asComeBackLater(failure: unknown): ComeBackLater {
  if (failure instanceof ComeBackLater) return failure;
  const why = failure instanceof NoAnswer ? `: ${failure.message}` : "";
  return new ComeBackLater(`the API gave no whole answer${why}`, null, { cause: failure });
}

function parse<T>(text: string): T {
  try {
    return JSON.parse(text);
  } catch {
    throw new ComeBackLater("the API's answer is not whole");
  }
}
