import { connectDatabase, type Sql } from "@partner-connect/database";
import { freshDatabase, type TestDatabase } from "@partner-connect/database/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

const CONNECTIONS = 1000;

// Alone on its Postgres: transactions of other databases, too, keep it from cleaning up at once.

let database: TestDatabase;
let sql: Sql;
let readers: Sql;

beforeEach(async () => {
  database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  sql = connectDatabase(database.url, { name: "test", connections: 1 });
  readers = connectDatabase(database.url, { name: "reader", connections: 1 });
  await sql`ALTER TABLE oauth.connections SET (autovacuum_enabled = false)`;
  await sql`INSERT INTO directory.merchants (id, email, name, password_hash) VALUES ('mer', 'a@b.example', 'A', '-')`;
  await sql`
    INSERT INTO directory.clients (client_id, name, redirect_uris, scope, grant_types)
    VALUES ('client', 'C', '{https://c.example/}', '{responses:read}', '{authorization_code,refresh_token}')`;
  await sql`
    INSERT INTO directory.shops (id, name, plan)
    SELECT 'shop_' || i, 'S', 'standard' FROM generate_series(1, ${CONNECTIONS}) AS i`;
});
afterEach(async () => {
  await Promise.all([sql?.end(), readers?.end()]);
  await database?.drop();
});

async function connectAll(): Promise<void> {
  await sql`
    INSERT INTO oauth.connections
      (shop_id, client_id, grant_id, scope, merchant_id, refresh_token_hash, status, connected_at, exchanged_at, last_used_at, redirect_uri)
    SELECT 'shop_' || i, 'client', 'grant_' || md5(i::text), '{responses:read}', 'mer', sha256(i::text::bytea), 'connected',
      now(), now(), now() - interval '1 day', 'https://c.example/callback'
    FROM generate_series(1, ${CONNECTIONS}) AS i`;
}

/**
 * Each connection's refresh is noted once, in an order of the round's own, a tenth of them while some reader has a snapshot: Postgres can't
 * clean up meanwhile. Returns the share of the updates that touched no index.
 */
async function shareOfHotUpdates(round: number): Promise<number> {
  const before = await updates();
  const order = await sql<{ shopId: string }[]>`
    SELECT shop_id AS "shopId" FROM oauth.connections ORDER BY md5(shop_id || ${String(round)})`;
  for (let tenth = 0; tenth < 10; tenth++) {
    const due = order.filter((_, index) => index % 10 === tenth);
    await readers.begin(async (tx) => {
      await tx`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ`;
      await tx`SELECT 1 FROM oauth.connections LIMIT 1`;
      await Promise.all(
        due.map(
          ({ shopId }) => sql`
            UPDATE oauth.connections SET last_used_at = now() WHERE shop_id = ${shopId} AND client_id = 'client'`,
        ),
      );
    });
  }
  const after = await updates();
  expect(after.all - before.all).toBe(CONNECTIONS);
  return (after.hot - before.hot) / CONNECTIONS;
}

async function updates(): Promise<{ all: number; hot: number }> {
  await sql`SELECT pg_stat_force_next_flush()`;
  const [row] = await sql<{ all: number; hot: number }[]>`
    SELECT n_tup_upd::int AS all, n_tup_hot_upd::int AS hot FROM pg_stat_user_tables
    WHERE relid = 'oauth.connections'::regclass`;
  return row ?? { all: 0, hot: 0 };
}

test("nine of ten noted refreshes touch no index, then all but one in fifty", async () => {
  await connectAll();
  expect(await shareOfHotUpdates(1)).toBeGreaterThan(0.9);
  expect(await shareOfHotUpdates(2)).toBeGreaterThan(0.97);
});
