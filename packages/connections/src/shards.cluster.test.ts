import { recordAudit } from "@partner-connect/audit";
import { connectDatabase, type Sql } from "@partner-connect/database";
import { freshDatabase, type TestDatabase } from "@partner-connect/database/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { approve } from "./events/approve.ts";
import { exchange } from "./events/exchange.ts";
import { disable, enable, revoke } from "./events/revoke.ts";
import { listConnections, usageOfShop } from "./lists/list-connections.ts";
import { refresher } from "./refresh.ts";

const SHOPS = 20;
const SCOPE = ["responses:read"] as const;
const TTL = 7200;
const actor = { name: "operator:test" };

describe.skipIf(!process.env["CITUS_URL"])("on a cluster", () => {
  let database: TestDatabase;
  let coordinator: Sql;
  /** The node that the services query: a worker. */
  let worker: Sql;

  beforeAll(async () => {
    database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
    [coordinator, worker] = await Promise.all([
      counting(database.url),
      counting(database.workers[0] ?? ""),
    ]);
    await coordinator`INSERT INTO directory.merchants (id, email, name, password_hash) VALUES ('mer', 'a@b.example', 'A', '-')`;
    await coordinator`
      INSERT INTO directory.clients (client_id, name, redirect_uris, scope, grant_types)
      VALUES ('client', 'C', '{https://c.example/}', '{responses:read}', '{authorization_code,refresh_token}')`;
    await coordinator`
      INSERT INTO directory.shops (id, name, plan) SELECT 'shop_' || i, 'S', 'standard' FROM generate_series(1, ${SHOPS}) i`;
  });
  afterAll(async () => {
    await Promise.all([coordinator?.end(), worker?.end()]);
    await database?.drop();
  });

  /** Connects the shop of this number. */
  async function connected(number: number) {
    const shop = {
      shopId: `shop_${number}`,
      clientId: "client",
      refreshTokenHash: Buffer.alloc(32, number),
    };
    const approved = await approve(
      worker,
      { ...shop, merchantId: "mer", grantId: "grant", scope: SCOPE },
      actor,
    );
    await exchange(worker, { ...shop, grantId: "grant" }, actor);
    return { ...shop, id: approved?.connectionId ?? "", isKnown: true };
  }

  test("events of a connection and pages of a shop query only the shop's shard", async () => {
    const shop = await connected(1);
    const before = await statementsOfSeveralShards();
    await approve(worker, { ...shop, merchantId: "mer", grantId: "another", scope: SCOPE }, actor);
    await exchange(worker, { ...shop, grantId: "another" }, actor);
    await coordinator`UPDATE oauth.connections SET last_used_at = now() - interval '1 hour' WHERE shop_id = ${shop.shopId}`;
    await refresher(worker, TTL)(shop);
    await recordAudit(
      worker,
      {
        action: "code_replay",
        shopId: shop.shopId,
        clientId: shop.clientId,
        connectionId: shop.id,
      },
      actor,
    );
    await listConnections(worker, { shopId: shop.shopId }, TTL);
    await listConnections(worker, { shopId: shop.shopId, unfinishedSeconds: 300 }, TTL);
    await usageOfShop(worker, shop.shopId, 24);
    await disable(worker, shop, actor);
    await enable(worker, shop, actor);
    expect(await revoke(worker, shop, actor)).toBe(true);
    expect(await statementsOfSeveralShards()).toBe(before);
  });

  test("while a node is unreachable, only refreshes of its shops fail, even in a shared statement", async () => {
    const shops = await Promise.all(
      Array.from({ length: SHOPS }, (_, index) => connected(index + 1)),
    );
    const [away] = await worker<{ id: number; port: number }[]>`
      SELECT nodeid AS id, nodeport AS port FROM pg_dist_node WHERE groupid NOT IN (0, (SELECT groupid FROM pg_dist_local_group))`;
    const [{ lost } = { lost: [] }] = await worker<{ lost: string[] }[]>`
      SELECT array_agg(shop_id) AS lost FROM unnest(${shops.map(({ shopId }) => shopId)}::text[]) AS shop_id
        JOIN pg_dist_placement ON shardid = get_shard_id_for_distribution_column('oauth.connections', shop_id)
        JOIN pg_dist_node USING (groupid) WHERE nodeid = ${away?.id ?? 0}`;
    expect(lost.length).toBeGreaterThan(0);
    expect(lost.length).toBeLessThan(SHOPS);
    // Only for this database and this worker. Open connections are not affected.
    await worker`UPDATE pg_dist_node SET nodeport = 1 WHERE nodeid = ${away?.id ?? 0}`;
    const refresh = refresher(worker, TTL);
    expect(
      await Promise.all(shops.map((shop) => refresh(shop).catch((error: Error) => error))),
    ).toMatchObject(
      shops.map(({ shopId }) =>
        lost.includes(shopId) ? { code: "08006" } : { outcome: "refreshed" },
      ),
    );
    await worker`UPDATE pg_dist_node SET nodeport = ${away?.port ?? 0} WHERE nodeid = ${away?.id ?? 0}`;
    expect(await Promise.all(shops.map(refresh))).toMatchObject(
      Array(SHOPS).fill({ outcome: "refreshed" }),
    );
  });

  async function statementsOfSeveralShards(): Promise<number> {
    const [row] = await worker<{ count: number }[]>`
      SELECT query_execution_multi_shard::int AS count FROM citus_stat_counters WHERE name = current_database()`;
    return row?.count ?? 0;
  }
});

/** Connects to a node that counts its statements by the number of shards that they query. */
async function counting(url: string): Promise<Sql> {
  const sql = connectDatabase(url, { name: "shards-test" });
  await sql`ALTER DATABASE ${sql(new URL(url).pathname.slice(1))} SET citus.enable_stat_counters = on`;
  await sql.end();
  return connectDatabase(url, { name: "shards-test" });
}
