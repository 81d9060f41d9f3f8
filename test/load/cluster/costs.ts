import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LocalStack, startLocalStack } from "@partner-connect/local-stack";
import { importResponses } from "@partner-connect/survey-data";
import { generateResponses } from "@partner-connect/survey-data/generated";
import { type ManyConnections, manyConnections } from "../../harness/actors/many-connections.ts";
import { basic, partner } from "../../harness/actors/partner.ts";
import { ask, type CitusCluster, nodeOfShop } from "../../harness/engines/citus-cluster.ts";
import { type Served, serve } from "../served.ts";
import type { WrkOptions, WrkRequest } from "../wrk.ts";

/** What a call costs the service, and all nodes of the database. */
export interface CallCost extends Served {
  readonly call: string;
  readonly way: string;
}

const CALLERS = 64;
const SHOPS = 200;
const RECORDS = 2000;
const ENV = {
  ...{ TOKEN_RATE_LIMIT: "100000000", API_RATE_LIMIT: "100000000000", ACCESS_TOKEN_TTL_SECONDS: "86400" },
  ...{ AUTHORIZATION_SERVER_REPLICAS: "1", RESOURCE_SERVER_REPLICAS: "1", LOG_LEVEL: "warn" },
};

interface Call {
  readonly call: string;
  readonly server: "authorization-server-1" | "resource-server-1";
  readonly requests: readonly WrkRequest[];
  readonly headers: NonNullable<WrkOptions["headers"]>;
}

/** What pages and refreshes cost with the services at `url`. */
export async function costsOf(cluster: CitusCluster, way: string, url: string, seconds: number): Promise<CallCost[]> {
  const dataDir = await mkdtemp(join(tmpdir(), "partner-connect-bench-"));
  const stack = await startLocalStack({
    dataDir,
    env: { ...ENV, DATABASE_URL: cluster.url, SERVICES_DATABASE_URL: url },
  });
  try {
    const world = await manyConnections({ ...stack.state, dataDir }, SHOPS);
    const calls = [refreshes(world), ...(await pages({ ...stack.state, dataDir }, world, cluster, url))];
    const costs: CallCost[] = [];
    for (const call of calls) {
      await load(cluster, stack, call, 1); // warm
      costs.push({ call: call.call, way, ...(await load(cluster, stack, call, seconds)) });
    }
    return costs;
  } finally {
    await stack.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function refreshes({ client, connections }: ManyConnections): Call {
  const requests = connections.map(({ refreshToken }) => ({
    method: "POST" as const,
    path: "/oauth/api/token",
    body: new URLSearchParams({ grant_type: "refresh_token", refresh_token: refreshToken }).toString(),
  }));
  const headers = { authorization: basic(client), "content-type": "application/x-www-form-urlencoded" };
  return { call: "a refresh", server: "authorization-server-1", requests, headers };
}

/** Pages of a shop; on a cluster of one that the asked node has, and of one that another has. */
async function pages(
  place: Parameters<typeof partner>[0],
  { client, connections }: ManyConnections,
  cluster: CitusCluster,
  url: string,
): Promise<Call[]> {
  const app = partner(place, client);
  const chosen = new Map<string, (typeof connections)[number]>();
  for (const connection of connections) {
    if (cluster.workerUrls.length === 0 || url === cluster.url) chosen.set("a page of 50", connection);
    else {
      const isThere = new URL(url).port === String(await nodeOfShop(cluster, connection.shop.id));
      chosen.set(isThere ? "a page of 50, the asked worker's" : "a page of 50, another worker's", connection);
    }
    if (chosen.size === 2) break;
  }
  const calls: Call[] = [];
  for (const [call, { shop, refreshToken }] of chosen) {
    const lines = generateResponses({ count: RECORDS, seed: shop.id });
    await ask(cluster.url, (sql) => importResponses(sql, { shopId: shop.id, lines }, { name: "operator:bench" }));
    const { access_token } = (await app.refresh(refreshToken)).json();
    calls.push({
      ...{ call, server: "resource-server-1", headers: { authorization: `Bearer ${access_token}` } },
      requests: [{ method: "GET", path: "/api/responses?limit=50" }],
    });
  }
  return calls;
}

async function load(cluster: CitusCluster, stack: LocalStack, { server, requests, headers }: Call, seconds: number) {
  const { processes, authorization_server_urls, resource_server_urls } = stack.state;
  const [url = ""] = server === "authorization-server-1" ? authorization_server_urls : resource_server_urls;
  const pid = (wanted: string) => processes.find(({ name }) => name === wanted)?.pid as number;
  const pids = { node: pid(server), postgres: cluster.nodes.map(({ pid = 0 }) => pid), redis: pid("redis") };
  return await serve({ url, pids }, requests, { connections: CALLERS, seconds, headers });
}
