import type { RefreshTarget } from "./peer-process.ts";
import { type Served, serve } from "./served.ts";
import type { WrkOptions, WrkRequest } from "./wrk.ts";

/** The refresh requests of a server under load. */
function refreshes({ url, clientId, secret, refreshTokens }: RefreshTarget): {
  readonly requests: readonly WrkRequest[];
  readonly headers: NonNullable<WrkOptions["headers"]>;
} {
  return {
    requests: refreshTokens.map((token) => ({
      method: "POST",
      path: new URL(url).pathname,
      body: new URLSearchParams({ grant_type: "refresh_token", refresh_token: token }).toString(),
    })),
    headers: {
      authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString("base64")}`,
      "content-type": "application/x-www-form-urlencoded",
    },
  };
}

/** Refreshes for some seconds, and what they cost. */
export async function load(target: RefreshTarget, connections: number, seconds: number): Promise<Served> {
  const { requests, headers } = refreshes(target);
  return await serve(target, requests, { connections, seconds, headers });
}
