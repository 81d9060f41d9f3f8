import { readTokenAnswer, type TokenOutcome } from "./token-outcome.ts";

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
