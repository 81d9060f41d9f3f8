import { suiteDatabase } from "@partner-connect/database/testing/suite";
import { expect, test } from "vitest";
import { estimateConnections } from "./client-connections.ts";

const TTL_SECONDS = 30 * 24 * 3600;

const { sql: owner, authorizationServer: service } = await suiteDatabase();
await owner`INSERT INTO directory.merchants (id, email, name, password_hash) VALUES ('mer', 'a@b.example', 'A', '-')`;
await owner`
  INSERT INTO directory.clients (client_id, name, redirect_uris, scope, grant_types)
  VALUES ('client', 'C', '{https://c.example/}', '{responses:read}', '{authorization_code,refresh_token}')`;

async function counts(enough?: number): Promise<Record<string, number>> {
  const counted = await estimateConnections(service, TTL_SECONDS, enough);
  return Object.fromEntries(counted.map(({ status, connections }) => [status, connections]));
}

test("the connections in a small table are counted exactly, by the displayed status", async () => {
  expect(await counts()).toEqual({});
  await insert(70, "connected", "now()");
  await insert(20, "connected", "now() - interval '31 days'");
  await insert(9, "revoked", "now()");
  await insert(1, "connected", "NULL");
  expect(await counts()).toEqual({ connected: 70, expired: 20, revoked: 9, approved: 1 });
});

test("the connections in a large table are estimated from a sample, to within a fifth", async () => {
  await insert(10_000, "connected", "now()", true);
  await owner`ANALYZE oauth.connections`;
  const ENOUGH = 4000;
  const estimated = new Set<number>();
  for (let round = 0; round < 6; round++) {
    const { connected = 0 } = await counts(ENOUGH);
    expect(Math.abs(connected - 10_070)).toBeLessThan(2000);
    estimated.add(connected);
  }
  // The samples differ, so the estimates do.
  expect(estimated.size).toBeGreaterThan(1);
  expect((await counts())["connected"]).toBe(10_070);
});

/** `used`: an SQL expression. `wide`: a kilobyte per row, so that fewer rows make a large table. */
async function insert(rows: number, status: string, used: string, wide = false): Promise<void> {
  const shops = await owner<{ id: string }[]>`
    INSERT INTO directory.shops (name, plan) SELECT 'S', 'standard' FROM generate_series(1, ${rows}) RETURNING id`;
  await owner.unsafe(
    `INSERT INTO oauth.connections (shop_id, client_id, status, scope, grant_id, merchant_id, redirect_uri, connected_at, exchanged_at, last_used_at)
     SELECT id, 'client', '${status}', '{responses:read}', 'grant', 'mer', $2, ${used}, ${used}, ${used} FROM unnest($1::text[]) AS id`,
    [shops.map(({ id }) => id), "u".repeat(wide ? 900 : 1)],
  );
}
