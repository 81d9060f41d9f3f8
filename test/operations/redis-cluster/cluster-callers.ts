import { connectDatabase } from "@partner-connect/database";
import { send, sendForm } from "../../harness/actors/http.ts";
import { manyConnections } from "../../harness/actors/many-connections.ts";
import { onboardClient, onboardMerchant } from "../../harness/actors/onboarding.ts";
import { basic, callApi, type Partner, partner } from "../../harness/actors/partner.ts";
import type { RedisCluster, RedisNode } from "../../harness/engines/redis-cluster.ts";
import type { StackUnderTest } from "../../harness/stack/stacks.ts";

/**
 * Somebody at an address of its own who refreshes a connection of its own. That needs two keys: the count of the address, and
 * the token's. To begin an authorization needs the count of that route.
 */
export interface ClusterCaller {
  readonly refreshSlots: readonly number[];
  readonly authorizeSlots: readonly number[];
  refresh(): Promise<number>;
  authorize(): Promise<number>;
  /** A page of the API, which does without Redis. */
  read(): Promise<number>;
}

/** Which slots each caller needs is found out by what its first calls leave in Redis. Nobody else may call meanwhile. */
export async function clusterCallers(
  stack: StackUnderTest,
  cluster: RedisCluster,
  count: number,
): Promise<ClusterCaller[]> {
  const { client, connections } = await manyConnections(stack, count);
  const app = partner(stack, client);
  const callers: ClusterCaller[] = [];
  for (const [index, { refreshToken }] of connections.entries()) {
    const from = `127.0.1.${index + 1}`;
    const fields = { grant_type: "refresh_token", refresh_token: refreshToken };
    const token = () => sendForm(`${stack.base_url}/oauth/api/token`, fields, { authorization: basic(client) }, from);
    const authorize = async () => (await send(app.attempt().url, { from })).status;
    let accessToken = "";
    const refreshSlots = await slotsUsedBy(cluster, async () => {
      accessToken = (await token()).json().access_token;
    });
    const authorizeSlots = await slotsUsedBy(cluster, authorize);
    callers.push({
      ...{ refreshSlots, authorizeSlots, authorize },
      refresh: async () => (await token()).status,
      read: async () => (await callApi(`${stack.base_url}/api/responses`, `Bearer ${accessToken}`)).status,
    });
  }
  return callers;
}

async function slotsUsedBy(cluster: RedisCluster, act: () => Promise<unknown>): Promise<number[]> {
  const before = new Set(await keysOf(cluster));
  await act();
  const made = (await keysOf(cluster)).filter((key) => !before.has(key));
  return await Promise.all(made.map((key) => cluster.slotOf(key)));
}

async function keysOf(cluster: RedisCluster): Promise<string[]> {
  const all = async (node: RedisNode) => (await node.call("KEYS", "*")) as string[];
  const keys = (await Promise.all((await cluster.masters()).map(all))).flat();
  // The services write those by themselves, to know whether they are ready.
  return keys.filter((key) => !key.startsWith("ready:"));
}

/** A merchant's shops. Each is approved once, so that no code is superseded by another. */
export async function manyShops(stack: StackUnderTest, count: number) {
  const [client, merchant] = await Promise.all([
    onboardClient(stack, { scope: "responses:read" }),
    onboardMerchant(stack),
  ]);
  const sql = connectDatabase(stack.database_url, { name: "test", connections: 1 });
  try {
    const names = Array.from({ length: count }, (_, index) => `Shop ${index + 1} of ${merchant.email}`);
    const shops = await sql<{ id: string; name: string }[]>`
      INSERT INTO directory.shops (name, plan) SELECT name, 'standard' FROM unnest(${names}::text[]) name RETURNING id, name`;
    await sql`
      INSERT INTO directory.memberships (shop_id, merchant_id)
      SELECT shop_id, m.id FROM directory.merchants m, unnest(${shops.map(({ id }) => id)}::text[]) shop_id
      WHERE m.email = ${merchant.email}`;
    const app: Partner = partner(stack, client);
    return { app, merchant, shops: shops.map((shop) => ({ ...shop, plan: "standard" })) };
  } finally {
    await sql.end();
  }
}
