import { setTimeout as sleep } from "node:timers/promises";
import type { ManyConnections } from "../../harness/actors/many-connections.ts";
import { basic } from "../../harness/actors/partner.ts";
import type { CountedCalls } from "./counted-calls.ts";

const BATCH = 1000;
/** Shops that are asked at a time. */
const AT_ONCE = 16;
const LAST_DELETED = "deleted_at_min=2026-01-01T00:00:00Z";

export interface PollingRound {
  readonly shops: number;
  readonly tokenCalls: number;
  readonly apiCalls: number;
  readonly seconds: number;
}

interface Polled extends Pick<ManyConnections, "client"> {
  readonly refreshTokens: readonly string[];
  /** The record that the partner has seen last, of each shop. */
  readonly last: { readonly id: string; readonly updatedAt: string };
}

/** Asks shop after shop, each with a refresh of its own, until the limit of token calls says no. */
export async function pollBySingles(
  calls: CountedCalls,
  { client, refreshTokens, last }: Polled,
): Promise<PollingRound> {
  return await measured(calls, async () => {
    let shops = 0;
    for (const refreshToken of refreshTokens) {
      const answer = await calls.fetch("http://partner-connect/oauth/api/token", {
        method: "POST",
        headers: { authorization: basic(client) },
        body: new URLSearchParams({ grant_type: "refresh_token", refresh_token: refreshToken }),
      });
      if (answer.status === 429) return shops;
      const { access_token: token } = (await answer.json()) as { access_token: string };
      await pollShop(calls, token, last);
      shops++;
    }
    throw new Error(`no limit of token calls after ${shops}`);
  });
}

/** Asks all shops once. Their access tokens come in batches. */
export async function pollByBatches(
  calls: CountedCalls,
  { client, refreshTokens, last }: Polled,
): Promise<PollingRound> {
  return await measured(calls, async () => {
    for (let next = 0; next < refreshTokens.length; next += BATCH) {
      const tokens = await refreshBatch(calls, client, refreshTokens.slice(next, next + BATCH));
      const ask = async (): Promise<void> => {
        for (let token = tokens.pop(); token !== undefined; token = tokens.pop()) await pollShop(calls, token, last);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, ask));
    }
    return refreshTokens.length;
  });
}

async function refreshBatch(
  calls: CountedCalls,
  client: ManyConnections["client"],
  refreshTokens: readonly string[],
): Promise<string[]> {
  for (;;) {
    const answer = await calls.fetch("http://partner-connect/oauth/api/token/batch", {
      method: "POST",
      headers: { authorization: basic(client), "content-type": "application/json" },
      body: JSON.stringify({ refresh_tokens: refreshTokens }),
    });
    if (answer.status === 429) await sleep(Number(answer.headers.get("retry-after")) * 1000);
    else if (answer.status !== 200)
      throw new Error(`a batch was answered with ${answer.status} ${await answer.text()}`);
    else {
      const { results } = (await answer.json()) as { results: { access_token?: string }[] };
      return results.map(({ access_token: token }) => {
        if (token === undefined) throw new Error("a token of a batch was refused");
        return token;
      });
    }
  }
}

/** What is new, and what is deleted, since the last record that the partner has. */
async function pollShop(calls: CountedCalls, accessToken: string, last: Polled["last"]): Promise<void> {
  const since = `starting_after=${last.id}&cursor_time=${last.updatedAt}`;
  for (const path of [`responses?sort=updated_at_asc&limit=1000&${since}`, `deleted-responses?${LAST_DELETED}`]) {
    const headers = { authorization: `Bearer ${accessToken}` };
    const answer = await calls.fetch(`http://partner-connect/api/${path}`, { headers });
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    await answer.arrayBuffer();
  }
}

async function measured(calls: CountedCalls, work: () => Promise<number>): Promise<PollingRound> {
  const [began, { token, api }] = [performance.now(), { ...calls.counts }];
  const refused = calls.refused;
  const shops = await work();
  return {
    shops,
    tokenCalls: calls.counts.token - token - (calls.refused - refused),
    apiCalls: calls.counts.api - api,
    seconds: (performance.now() - began) / 1000,
  };
}
