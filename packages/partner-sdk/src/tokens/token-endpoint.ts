/** What one call of the token endpoint came to. */
export type TokenOutcome =
  | { readonly outcome: "issued"; readonly tokens: IssuedTokens }
  | { readonly outcome: "refused"; readonly error: string; readonly description: string; readonly requestId?: string }
  /** 429: nothing was done with the code or the token. */
  | { readonly outcome: "limited"; readonly retryAfterSeconds: number; readonly requestId?: string }
  /** No answer, a part of one, or a fault of the server: the call may have taken effect. */
  | {
      readonly outcome: "lost";
      readonly retryAfterSeconds: number;
      readonly cause?: unknown;
      readonly requestId?: string;
    };

export interface IssuedTokens {
  readonly accessToken: string;
  readonly expiresInSeconds: number;
  readonly scope: string;
  /** Only from the exchange of a code. */
  readonly refreshToken: string | null;
}

export interface TokenEndpointOptions {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly fetch: typeof globalThis.fetch;
}

export type TokenCall = (form: Readonly<Record<string, string>>, signal?: AbortSignal) => Promise<TokenOutcome>;

/** Longer than the endpoint ever takes. */
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
  return async (form, signal) => {
    signal?.throwIfAborted();
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const answer = await fetch(`${baseUrl}/oauth/api/token`, {
        method: "POST",
        headers,
        body: new URLSearchParams(form).toString(),
        redirect: "manual",
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
      return await outcomeOf(answer);
    } catch (cause) {
      signal?.throwIfAborted();
      return { outcome: "lost", retryAfterSeconds: 1, cause };
    }
  };
}

async function outcomeOf(answer: Response): Promise<TokenOutcome> {
  const id = answer.headers.get("x-request-id");
  const requestId = id === null ? {} : { requestId: id };
  const retryAfterSeconds = Math.max(1, Number(answer.headers.get("retry-after")) || 1);
  const text = await answer.text();
  if (answer.status === 429) return { outcome: "limited", retryAfterSeconds, ...requestId };
  const body = parse(text);
  if (answer.status === 200) {
    const tokens = body && issuedTokens(body);
    if (tokens) return { outcome: "issued", tokens };
  } else if ((answer.status === 400 || answer.status === 401) && typeof body?.["error"] === "string") {
    const { error, error_description: description } = body;
    return {
      outcome: "refused",
      error,
      description: typeof description === "string" ? description : error,
      ...requestId,
    };
  }
  return {
    outcome: "lost",
    retryAfterSeconds,
    cause: new Error(`the token endpoint answered ${answer.status}`),
    ...requestId,
  };
}

function issuedTokens(body: Record<string, unknown>): IssuedTokens | null {
  const { access_token: accessToken, expires_in: expiresInSeconds, scope, refresh_token: refreshToken } = body;
  if (typeof accessToken !== "string" || typeof expiresInSeconds !== "number" || typeof scope !== "string") return null;
  return { accessToken, expiresInSeconds, scope, refreshToken: typeof refreshToken === "string" ? refreshToken : null };
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
