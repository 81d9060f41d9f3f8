import { jsonObject } from "../json-object.ts";

export type TokenOutcome =
  | { readonly outcome: "issued"; readonly tokens: TokenAnswer; readonly pauseSeconds: number }
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

export type TokenCall = (form: Readonly<Record<string, string>>) => Promise<TokenOutcome>;

/** Longer than the endpoint ever takes. Three of them fit into the minute in which a code may be sent again. */
const TIMEOUT_MS = 15_000;

/** One request for each call, and no more. */
export function tokenEndpoint({ baseUrl, clientId, clientSecret, fetch }: TokenEndpointOptions): TokenCall {
  // RFC 6749 §2.3.1.
  const credentials = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
  const headers = {
    authorization: `Basic ${btoa(credentials)}`,
    "content-type": "application/x-www-form-urlencoded",
    accept: "application/json",
  };
  return async (form) => {
    try {
      const answer = await fetch(`${baseUrl}/oauth/api/token`, {
        method: "POST",
        headers,
        body: new URLSearchParams(form).toString(),
        // A redirect would take the secret and the token elsewhere.
        redirect: "manual",
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      return readTokenAnswer(answer.status, answer.headers, await answer.text());
    } catch (cause) {
      return { outcome: "lost", retryAfterSeconds: null, cause };
    }
  };
}

/** Nothing of `text` gets into an error, as it may have tokens in it. */
function readTokenAnswer(status: number, headers: Headers, text: string): TokenOutcome {
  const requestId = headers.get("x-request-id") ?? undefined;
  const retryAfter = seconds(headers.get("retry-after"));
  if (status === 429) return { outcome: "limited", retryAfterSeconds: retryAfter ?? 60 };

  const body = jsonObject(text);
  const tokens = status === 200 ? issuedTokens(body) : null;
  if (tokens) {
    const spent = headers.get("x-ratelimit-remaining") === "0";
    return { outcome: "issued", tokens, pauseSeconds: (spent && seconds(headers.get("x-ratelimit-reset"))) || 0 };
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

function issuedTokens(body: Record<string, unknown>): TokenAnswer | null {
  const { access_token: accessToken, expires_in: expiresInSeconds, scope, refresh_token: refreshToken } = body;
  if (typeof accessToken !== "string" || typeof expiresInSeconds !== "number" || typeof scope !== "string") return null;
  return { accessToken, expiresInSeconds, scope, refreshToken: typeof refreshToken === "string" ? refreshToken : null };
}

function seconds(header: string | null): number | null {
  return header !== null && /^\d{1,6}$/.test(header) ? Math.max(1, Number(header)) : null;
}
