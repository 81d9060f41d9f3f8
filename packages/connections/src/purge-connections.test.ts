import { connectDatabase, type Sql, transaction } from "@partner-connect/database";
import { freshDatabase, type TestDatabase } from "@partner-connect/database/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { approve } from "./events/approve.ts";
import { exchange } from "./events/exchange.ts";
import { ENDED_CONNECTIONS } from "./purge-connections.ts";
import { refreshBatch } from "./refresh.ts";

// Their refreshes go together: those of 100 shops are answered before the deadline also on a busy machine.
const SHOPS = 100;
const ROUNDS = 3;
const TTL = 7200;
const actor = { name: "operator:test" };

let database: TestDatabase;
let owner: Sql;
let service: Sql;

beforeAll(async () => {
  database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  owner = connectDatabase(database.url, { name: "test" });
  service = connectDatabase(database.authorizationServerUrl, {
    name: "test",
    connections: 4,
    statementTimeout: 30_000,
  });
  await owner`INSERT INTO directory.merchants (id, email, name, password_hash) VALUES ('mer', 'a@b.example', 'A', '-')`;
  await owner`
    INSERT INTO directory.clients (client_id, name, redirect_uris, scope, grant_types)
    SELECT 'client_' || i, 'C', '{https://c.example/}', '{responses:read}', '{authorization_code,refresh_token}'
    FROM generate_series(0, ${ROUNDS}) i`;
  await owner`
    INSERT INTO directory.shops (id, name, plan) SELECT 'shop_' || i, 'S', 'standard' FROM generate_series(1, ${SHOPS}) i`;
});
afterAll(async () => {
  await Promise.all([owner?.end(), service?.end()]);
  await database?.drop();
});

/** Of a client that nobody has used yet, so that the audit log says nothing of these connections. */
async function endedLongAgo(clientId: string): Promise<void> {
  await owner`
    INSERT INTO oauth.connections (shop_id, client_id, grant_id, scope, merchant_id, status, generation, approved_at, connected_at, last_used_at)
    SELECT 'shop_' || i, ${clientId}, 'old', '{responses:read}', 'mer', 'revoked', 7, at, at, at
    FROM generate_series(1, ${SHOPS}) AS i, (SELECT now() - interval '401 days' AS at)`;
}

test("a connection that is made again while the former one is purged lives", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const clientId = `client_${round}`;
    await endedLongAgo(clientId);
    const before = new Date(Date.now() - 400 * 86_400_000);
    const hashOf = (shop: number) => Buffer.from(String(round * SHOPS + shop).padStart(64, "0"), "hex");
    const shops = Array.from({ length: SHOPS }, (_, index) => index + 1);
    const connecting = shops.map(async (shop) => {
      const key = { shopId: `shop_${shop}`, clientId, grantId: `grant_${round}_${shop}` };
      await approve(service, { ...key, merchantId: "mer", scope: ["responses:read"] }, actor);
      return await exchange(service, { ...key, refreshTokenHash: hashOf(shop) }, actor);
    });
    const purging = ENDED_CONNECTIONS.run(owner, before, actor);
    const outcomes = (await Promise.all(connecting)).map(({ outcome }) => outcome);
    const purged = await purging;
    expect(new Set(outcomes)).toEqual(new Set(["exchanged"]));
    const known = Promise.resolve(false);
    const asked = shops.map((shop) => ({ shopId: `shop_${shop}`, clientId, refreshTokenHash: hashOf(shop), known }));
    const refreshed = await refreshBatch(service, clientId, asked, TTL);
    expect(refreshed).toMatchObject(Array(SHOPS).fill({ outcome: "refreshed" }));
    expect(purged).toBeLessThanOrEqual(SHOPS);
    expect(await ENDED_CONNECTIONS.run(owner, before, actor)).toBe(0);
  }
});

test("a row that somebody holds is left for the next time, and not waited for", async () => {
  await endedLongAgo(`client_${ROUNDS}`);
  const before = new Date(Date.now() - 400 * 86_400_000);
  const purged = await transaction(service, async (tx) => {
    await tx`SELECT FROM oauth.connections WHERE shop_id = 'shop_1' AND client_id = ${`client_${ROUNDS}`} FOR UPDATE`;
    return await ENDED_CONNECTIONS.run(owner, before, actor);
  });
  expect(purged).toBe(SHOPS - 1);
  expect(await ENDED_CONNECTIONS.run(owner, before, actor)).toBe(1);
});
