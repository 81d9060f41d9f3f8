import { plansOf, waitingSessions } from "@partner-connect/database/testing";
import { suiteDatabase } from "@partner-connect/database/testing/suite";
import { expect, test } from "vitest";
import {
  allConnections,
  type ClientConnectionPage,
  clientConnections,
  countClientConnections,
} from "./client-connections.ts";

const TTL_SECONDS = 30 * 24 * 3600;
const CONNECTIONS = 100_000;
const LIMIT = 100;
const STATEMENT = /SELECT c\.id/;

const { sql } = await suiteDatabase();
await sql`INSERT INTO directory.merchants (id, email, name, password_hash) VALUES ('mer', 'a@b.example', 'A', '-')`;
await sql`
  INSERT INTO directory.clients (client_id, name, redirect_uris, scope, grant_types)
  SELECT name, name, '{https://c.example/}', '{responses:read}', '{authorization_code,refresh_token}'
  FROM unnest('{large,small}'::text[]) AS name`;
await sql`
  INSERT INTO directory.shops (id, name, plan) SELECT 'shop_' || n, 'S', 'standard' FROM generate_series(1, ${CONNECTIONS}) AS n`;
await sql`
  INSERT INTO oauth.connections (shop_id, client_id, id, status, scope, grant_id, merchant_id, connected_at, exchanged_at, last_used_at)
  SELECT 'shop_' || n, client_id, 'con_' || md5(client_id || n), 'connected', '{responses:read}', 'grant', 'mer', now(), now(), now()
  FROM generate_series(1, ${CONNECTIONS}) AS n, unnest('{large,small}'::text[]) AS client_id
  WHERE client_id = 'large' OR n % 20 = 0`;
await sql`VACUUM ANALYZE oauth.connections`;
await sql`ANALYZE directory.shops`;

const CURSOR = `con_8${"0".repeat(31)}`;

// On a cluster the plan includes the shards' plans, and each shard sends its own first rows.
test.each<[string, Partial<ClientConnectionPage>]>([
  ["the first page", {}],
  ["a page in the middle", { cursor: CURSOR }],
  ["a backward page", { cursor: CURSOR, direction: "backward" }],
])(
  "%s of a client's connections reads only its own rows, however many connections the client has",
  async (_, page) => {
    for (const clientId of ["large", "small"]) {
      const plans = await plansOf(sql, STATEMENT, (explaining) =>
        clientConnections(
          explaining,
          clientId,
          { direction: "forward", limit: LIMIT, ...page },
          TTL_SECONDS,
        ),
      );
      expect(plans).toHaveLength(page.cursor === undefined ? 1 : 3);
      for (const plan of plans) expectOwnRows(plan);
    }
  },
);

test.each(["zz", "con_zz", "shop_77"])(
  "a search for %s reads only the connections that it finds",
  async (search) => {
    const page = { direction: "forward", limit: LIMIT, search } as const;
    const plans = await plansOf(sql, STATEMENT, (explaining) =>
      clientConnections(explaining, "large", page, TTL_SECONDS),
    );
    expect(plans).toHaveLength(1);
    expect(plans[0]).not.toMatch(/actual rows=\d{2,}|Rows Removed by Filter: \d{2,}/);
  },
);

test("a client's connections are counted up to 50,000", async () => {
  expect(await countClientConnections(sql, "large", {}, TTL_SECONDS)).toBe(50_000);
  expect(
    await countClientConnections(sql, "small", { status: "connected", search: "s" }, TTL_SECONDS),
  ).toBe(5000);
});

test.each([
  ["connections", "large"],
  ["ended_connections", "small"],
])(
  "if a shop is erased while the table %s is read, the shop's connections are each listed once",
  async (table, clientId) => {
    const list = async () => {
      const page = { direction: "forward", limit: 2 } as const;
      return (await allConnections(sql, clientId, page, TTL_SECONDS))?.rows.map(({ id }) => id);
    };
    const before = (await list()) ?? [];
    const { during } = await sql.begin(async (tx) => {
      await tx.unsafe(`LOCK TABLE oauth.${table} IN ACCESS EXCLUSIVE MODE`);
      const during = list();
      await expect.poll(() => waitingSessions(sql)).toBeGreaterThan(0);
      await tx`
        INSERT INTO oauth.ended_connections (shop_id, id, client_id)
        SELECT shop_id, id, client_id FROM oauth.connections WHERE id = ANY (${before}::text[])`;
      await tx`DELETE FROM oauth.connections WHERE id = ANY (${before}::text[])`;
      return { during };
    });
    expect(await during).toEqual(before);
  },
);

function expectOwnRows(plan: string): void {
  const scans = [
    ...plan.matchAll(/Scan .*using (connections_\S+) .*actual .*rows=([\d.]+) loops=(\d+)/g),
  ];
  const [[, index = "", rows, loops] = []] = scans;
  expect([scans.length, index]).toEqual([
    1,
    expect.stringMatching(/^connections_(of_client|by_id)(_\d+)?$/),
  ]);
  expect(Number(rows) * Number(loops)).toBeLessThanOrEqual(LIMIT + 1);
  expect(plan).not.toMatch(/Rows Removed|Seq Scan on connections/);
}
