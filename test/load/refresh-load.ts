import { cpuSeconds } from "./cpu.ts";
import type { RefreshTarget } from "./peer-process.ts";
import { table } from "./table.ts";
import { type Load, type WrkOptions, type WrkRequest, wrk } from "./wrk.ts";

export const CONNECTIONS = 32;

export interface Round extends Load {
  /** Milliseconds of CPU that a refresh costs the serving process. */
  readonly cpuMs: number;
}

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

/** Refreshes for some seconds, and what they cost the serving process. */
export async function load(target: RefreshTarget, seconds: number): Promise<Round> {
  const { requests, headers } = refreshes(target);
  const before = await cpuSeconds(target.pid);
  const seen = await wrk(target.url, requests, { connections: CONNECTIONS, seconds, headers });
  const used = (await cpuSeconds(target.pid)) - before;
  return { ...seen, cpuMs: (used * 1000) / seen.requests };
}

export async function refreshOnce(target: RefreshTarget): Promise<void> {
  const { requests, headers } = refreshes(target);
  const { status } = await fetch(target.url, { method: "POST", headers, body: requests[0]?.body ?? "" });
  if (status !== 200) throw new Error(`${target.name}: a refresh was answered with ${status}`);
}

/** A table of what each route answers under light load. */
export async function latencies(base: string, target: RefreshTarget): Promise<string> {
  const query = new URLSearchParams({
    response_type: "code",
    client_id: target.clientId,
    redirect_uri: "https://partner.example/callback",
    scope: "responses:read",
    state: "bench",
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
  });
  const { requests, headers } = refreshes(target);
  const routes: [string, readonly WrkRequest[], WrkOptions["headers"]][] = [
    ["GET authorize", [{ method: "GET", path: `/oauth/api/authorize?${query}` }], {}],
    ["POST token", requests, headers],
    ["GET jwks", [{ method: "GET", path: "/oauth/api/jwks" }], {}],
  ];
  const rows: string[][] = [];
  for (const [name, asked, headers = {}] of routes) {
    const { perSecond, p50, p99 } = await wrk(base, asked, { connections: 16, seconds: 5, headers });
    rows.push([name, perSecond.toFixed(0), p50.toFixed(1), p99.toFixed(1)]);
  }
  return table(["16 connections, one replica", "requests/s", "p50 ms", "p99 ms"], rows);
}
