import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectDatabase } from "@partner-connect/database";
import { startLocalStack } from "@partner-connect/local-stack";
import { merchantBrowser } from "../harness/actors/merchant-browser.ts";
import { onboardClient, onboardMerchant, onboardShop } from "../harness/actors/onboarding.ts";
import { partner } from "../harness/actors/partner.ts";
import { needPrograms } from "./program.ts";
import { type Call, callCosts } from "./sizes/call-costs.ts";
import { connectionSizes, responseSize } from "./sizes/stored-sizes.ts";
import { table } from "./table.ts";

/** Callers at once: as few as one partner has, and as many as keep a replica busy. */
const CALLERS = [8, 64];
/** Large pages for more callers of one shop at once would be 429: what they don't read yet has a limit. */
const LARGE_PAGE_CALLERS = [8];

/** What stores and processors take for a connection, a response and a call: the figures of deploy/operations/scaling.md. */
export async function benchSizes({ quick }: { quick: boolean }): Promise<void> {
  const { responses, connections, seconds } = quick
    ? { responses: 20_000, connections: 2000, seconds: 3 }
    : { responses: 100_000, connections: 10_000, seconds: 8 };
  await needPrograms(["wrk"], (line) => console.error(line));
  const dataDir = await mkdtemp(join(tmpdir(), "partner-connect-bench-"));
  const limits = { AUTHORIZE_RATE_LIMIT: "100000000", TOKEN_RATE_LIMIT: "100000000", API_RATE_LIMIT: "100000000000" };
  const replicas = { AUTHORIZATION_SERVER_REPLICAS: "1", RESOURCE_SERVER_REPLICAS: "1" };
  const stack = await startLocalStack({
    dataDir,
    env: { ...replicas, ...limits, ACCESS_TOKEN_TTL_SECONDS: "86400", LOG_LEVEL: "warn" },
  });
  const { state } = stack;
  const sql = connectDatabase(state.database_url, { name: "test", connections: 1 });
  try {
    const place = { ...state, dataDir };
    const merchant = await onboardMerchant(place);
    const client = await onboardClient(place, { scope: "responses:read" });
    const shop = await onboardShop(place, merchant);
    const { accessToken } = await partner(place, client).connect(merchantBrowser(merchant), shop);

    const response = await responseSize(sql, shop.id, responses);
    const stored = await connectionSizes(sql, place, connections);

    const page = (limit: number, callers: readonly number[]): Call => ({
      callers,
      name: `GET /api/responses?limit=${limit}`,
      server: "resource-server",
      url: state.resource_server_urls[0] as string,
      requests: [{ method: "GET", path: `/api/responses?limit=${limit}` }],
      headers: { authorization: `Bearer ${accessToken}` },
    });
    const refresh: Call = {
      callers: CALLERS,
      name: "POST /oauth/api/token (refresh)",
      server: "authorization-server",
      url: state.authorization_server_urls[0] as string,
      requests: stored.refreshRequests,
      headers: stored.refreshHeaders,
    };
    const costs = await callCosts(
      state.processes,
      [refresh, page(50, CALLERS), page(1000, LARGE_PAGE_CALLERS)],
      seconds,
    );

    const sessions = await sql<{ name: string; count: number }[]>`
      SELECT application_name AS name, count(*)::int AS count FROM pg_stat_activity
      WHERE usename IN ('authorization_server', 'resource_server') GROUP BY 1 ORDER BY 1`;
    console.log(`\n${table(["stored", "bytes"], [...response, ...stored.rows])}\n\n${costs}\n`);
    console.log(
      table(
        ["after that load", "connections to Postgres"],
        sessions.map(({ name, count }) => [name, String(count)]),
      ),
    );
  } finally {
    await sql.end();
    await stack.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
