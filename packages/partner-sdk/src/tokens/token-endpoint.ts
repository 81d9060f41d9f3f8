import { jsonObject } from "../json-object.ts";

export type TokenOutcome<T> =
  | {
      readonly outcome: "answered";
      readonly answer: T;
      readonly pauseSeconds: number;
      readonly requestId: string | undefined;
    }
  | Refused
  /** 429: nothing was done with the code or the token. */
  | { readonly outcome: "limited"; readonly retryAfterSeconds: number }
  | Lost;

export interface Refused {
  readonly outcome: "refused";
  /** RFC 6749 §5.2; null if the answer is none of ours. */
  readonly error: string | null;
  readonly description: string;
  readonly requestId: string | undefined;
}

/** No answer, a part of one, or a fault of the server: the call may have taken effect. */
export interface Lost {
  readonly outcome: "lost";
  /** Null if the server did not say. */
  readonly retryAfterSeconds: number | null;
  readonly cause?: unknown;
  readonly requestId?: string | undefined;
}

export interface TokenAnswer {
  readonly accessToken: string;
  readonly expiresInSeconds: number;
  readonly scope: string;
  /** Only from the exchange of a code. */
  readonly refreshToken: string | null;
}

export interface IssuedTokens extends TokenAnswer {
  /** When the request was sent that they answer: milliseconds since 1970. */
  readonly askedAt: number;
}

export interface TokenEndpointOptions {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly fetch: typeof globalThis.fetch;
}

/** One request, and how its answer is read. */
export interface TokenRequest<T> {
  /** From `/oauth/api/token` on. */
  readonly path: "" | "/batch";
  readonly body: URLSearchParams | { readonly refresh_tokens: readonly string[] };
  /** Null: the answer is none of ours, or a part of one. */
  read(body: Readonly<Record<string, unknown>>): T | null;
}

export type TokenCall = <T>(request: TokenRequest<T>) => Promise<TokenOutcome<T>>;

/** Longer than the endpoint ever takes. Three of them fit into the minute in which a code may be sent again. */
const TIMEOUT_MS = 15_000;

/** One request for each call, and no more. */
export function tokenEndpoint({ baseUrl, clientId, clientSecret, fetch }: TokenEndpointOptions): TokenCall {
  const authorization = basicAuthorization(clientId, clientSecret);
  return async ({ path, body, read }) => {
    const isForm = body instanceof URLSearchParams;
    try {
      const answer = await fetch(`${baseUrl}/oauth/api/token${path}`, {
        method: "POST",
        headers: {
          authorization,
          "content-type": isForm ? "application/x-www-form-urlencoded" : "application/json",
          accept: "application/json",
        },
        body: isForm ? body.toString() : JSON.stringify(body),
        // A redirect would take the secret and the token elsewhere.
        redirect: "manual",
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      return readTokenAnswer(answer.status, answer.headers, await answer.text(), read);
    } catch (cause) {
      return { outcome: "lost", retryAfterSeconds: null, cause };
    }
  };
}

/** RFC 6749 §2.3.1. */
export function basicAuthorization(clientId: string, clientSecret: string): string {
  return `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`)}`;
}

/** Nothing of `text` gets into an error, as it may have tokens in it. */
function readTokenAnswer<T>(
  status: number,
  headers: Headers,
  text: string,
  read: TokenRequest<T>["read"],
): TokenOutcome<T> {
  const requestId = headers.get("x-request-id") ?? undefined;
  const retryAfter = seconds(headers.get("retry-after"));
  if (status === 429) return { outcome: "limited", retryAfterSeconds: retryAfter ?? 60 };

  const body = jsonObject(text);
  const whole = status === 200 ? read(body) : null;
  if (whole !== null) {
    const spent = headers.get("x-ratelimit-remaining") === "0";
    const pauseSeconds = (spent && seconds(headers.get("x-ratelimit-reset"))) || 0;
    return { outcome: "answered", answer: whole, pauseSeconds, requestId };
  }
  if (status >= 500 || status === 200 || status === 408) {
    const cause = new Error(`the token endpoint answered ${status} without tokens`);
    return { outcome: "lost", retryAfterSeconds: retryAfter, cause, requestId };
  }
  const { error, error_description: description } = body;
  if (typeof error !== "string" || (status !== 400 && status !== 401)) {
    const foreign = `the token endpoint answered ${status} without an error of ours: check the base URL`;
    return { outcome: "refused", error: null, description: foreign, requestId };
  }
  return { outcome: "refused", error, description: typeof description === "string" ? description : error, requestId };
}

export function issuedTokens(body: Readonly<Record<string, unknown>>): TokenAnswer | null {
  const { access_token: accessToken, expires_in: expiresInSeconds, scope, refresh_token: refreshToken } = body;
  if (typeof accessToken !== "string" || typeof expiresInSeconds !== "number" || typeof scope !== "string") return null;
  return { accessToken, expiresInSeconds, scope, refreshToken: typeof refreshToken === "string" ? refreshToken : null };
}

function seconds(header: string | null): number | null {
  return header !== null && /^\d{1,6}$/.test(header) ? Math.max(1, Number(header)) : null;
}
