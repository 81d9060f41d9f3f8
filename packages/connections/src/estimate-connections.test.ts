import { connectDatabase, type Sql } from "@partner-connect/database";
import { freshDatabase, type TestDatabase } from "@partner-connect/database/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { estimateConnections } from "./estimate-connections.ts";

const TTL_SECONDS = 30 * 24 * 3600;

let database: TestDatabase;
let owner: Sql;
let service: Sql;
beforeAll(async () => {
  database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  owner = connectDatabase(database.url, { name: "test owner" });
  service = connectDatabase(database.authorizationServerUrl, { name: "test" });
});
afterAll(async () => {
  await Promise.all([owner.end(), service.end()]);
  await database.drop();
});

async function counts(): Promise<Record<string, number>> {
  const counted = await estimateConnections(service, TTL_SECONDS);
  return Object.fromEntries(counted.map(({ status, connections }) => [status, connections]));
}

test("a table of ordinary size is counted, by the status that people see", async () => {
  expect(await counts()).toEqual({});
  await insert(70, "connected", { used: "now()" });
  await insert(20, "connected", { used: "now() - interval '31 days'" });
  await insert(9, "revoked", { used: "now()" });
  await insert(1, "connected", { used: "NULL" });
  expect(await counts()).toEqual({ connected: 70, expired: 20, revoked: 9, approved: 1 });
});

test("of a large table a sample is read, and the numbers are near", async () => {
  await insert(30_000, "connected", { used: "now()", wide: true });
  const { connected = 0 } = await counts();
  expect(Math.abs(connected - 30_070)).toBeLessThan(3000);
  expect(connected).not.toBe(30_070);
});

interface Rows {
  /** An expression of SQL. */
  readonly used: string;
  /** About a kilobyte each, so that not so many make a large table. */
  readonly wide?: boolean;
}

async function insert(rows: number, status: string, { used, wide }: Rows): Promise<void> {
  const merchant = "m".repeat(wide ? 900 : 1);
  await owner.unsafe(`
    SET session_replication_role = replica;
    INSERT INTO oauth.connections (shop_id, client_id, id, status, scope, grant_id, merchant_id, refresh_token_hash, connected_at, exchanged_at, last_used_at)
    SELECT 'shop_' || gen_random_uuid(), 'client_1', 'conn_' || gen_random_uuid(), '${status}', '{responses:read}', 'grant_' || gen_random_uuid(),
      '${merchant}', sha256(gen_random_uuid()::text::bytea), ${used}, ${used}, ${used}
    FROM generate_series(1, ${rows});
    SET session_replication_role = origin`);
}
