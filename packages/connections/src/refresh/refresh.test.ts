import { connectDatabase, type Sql, transaction } from "@partner-connect/database";
import { freshDatabase, type TestDatabase } from "@partner-connect/database/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FIND_ROWS } from "./find-refresh-rows.ts";
import { type Refresh, refresher } from "./refresh.ts";
import type { RefreshOutcome } from "./refresh-outcome.ts";

const SHOPS = 1000;
const CLIENTS = 20; // each is connected to each shop
const CONNECTIONS = SHOPS * CLIENTS;
const TTL = 7200; // with it last_used_at may lag by ten seconds

let database: TestDatabase;
let owner: Sql;
let sql: Sql;

/** What the rows are, by turns: status, hold and last use; what a refresh gets, and what if Redis has forgotten it. */
const ROWS: readonly { row: string; outcome: RefreshOutcome["outcome"]; forgotten?: RefreshOutcome["outcome"] }[] = [
  { row: "'connected', false, now()", outcome: "refreshed" },
  { row: "'connected', false, now() - interval '3 hours'", outcome: "refreshed", forgotten: "expired" },
  { row: "'connected', true, now()", outcome: "held" },
  { row: "'revoked', false, now()", outcome: "revoked" },
];
const rowOf = (connection: number) => ROWS[connection % ROWS.length] as (typeof ROWS)[number];

beforeAll(async () => {
  database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  owner = connectDatabase(database.url, { name: "test" });
  sql = connectDatabase(database.authorizationServerUrl, { name: "test" });
  await owner`INSERT INTO directory.merchants (id, email, name, password_hash) VALUES ('mer', 'a@b.example', 'A', '-')`;
  await owner`
    INSERT INTO directory.clients (client_id, name, redirect_uris, scope, grant_types)
    SELECT 'client_' || i, 'C', '{https://c.example/}', '{responses:read}', '{authorization_code,refresh_token}'
    FROM generate_series(0, ${CLIENTS - 1}) AS i`;
  await owner`
    INSERT INTO directory.shops (id, name, plan)
    SELECT 'shop_' || i, 'S', 'standard' FROM generate_series(0, ${SHOPS - 1}) AS i`;
  for (const [remainder, { row }] of ROWS.entries()) {
    await owner.unsafe(`
      INSERT INTO oauth.connections
        (shop_id, client_id, grant_id, scope, merchant_id, refresh_token_hash, status, disabled, last_used_at)
      SELECT 'shop_' || i % ${SHOPS}, 'client_' || i / ${SHOPS}, 'grant_' || i, '{responses:read}', 'mer',
        decode(lpad(to_hex(i), 64, '0'), 'hex'), ${row}
      FROM generate_series(${remainder}, ${CONNECTIONS - 1}, ${ROWS.length}) AS i`);
  }
  await owner`VACUUM ANALYZE oauth.connections, directory.shops, directory.clients`;
});

afterAll(async () => {
  await Promise.all([owner?.end(), sql?.end()]);
  await database?.drop();
});

const shopOf = (connection: number): string => `shop_${connection % SHOPS}`;
const clientOf = (connection: number): string => `client_${Math.floor(connection / SHOPS)}`;
const hashOf = (connection: number): Buffer => Buffer.from(connection.toString(16).padStart(64, "0"), "hex");

function refreshOf(connection: number, known: boolean, changed: Partial<Refresh> = {}): Refresh {
  return {
    shopId: shopOf(connection),
    clientId: clientOf(connection),
    refreshTokenHash: hashOf(connection),
    known: Promise.resolve(known),
    ...changed,
  };
}

/** Refreshes that are asked for singly, as by requests of their own. */
function singleRefreshes(): (asked: Refresh) => Promise<RefreshOutcome> {
  const refresh = refresher(sql, TTL);
  return async (asked) => {
    const [outcome] = await refresh([asked]);
    return outcome === undefined || outcome instanceof Error ? Promise.reject(outcome) : outcome;
  };
}

test("of refreshes that arrive together each gets the answer of its own token", async () => {
  const refresh = singleRefreshes();
  const asked: { request: Refresh; outcome: RefreshOutcome["outcome"]; grantId: string }[] = [];
  for (let i = 0; i < 100; i++) {
    const connection = (i * 79) % CONNECTIONS;
    const grantId = `grant_${connection}`;
    const known = i % 3 > 0;
    const row = rowOf(connection);
    const outcome = known ? row.outcome : (row.forgotten ?? row.outcome);
    const ofAnother = { refreshTokenHash: hashOf(connection + 1) };
    asked.push(
      { request: refreshOf(connection, known), outcome, grantId },
      { request: refreshOf(connection, known), outcome, grantId }, // the same a second time
      {
        request: refreshOf(connection, true, ofAnother),
        outcome: row.outcome === "refreshed" ? "superseded" : "revoked",
        grantId,
      },
      { request: refreshOf(connection, false, ofAnother), outcome: "unknown", grantId },
      {
        request: refreshOf(connection, known, { scope: ["responses:read", "sources:write"] }),
        outcome: outcome === "refreshed" ? "invalid_scope" : outcome,
        grantId,
      },
      { request: refreshOf(connection, known, { scope: ["responses:read"] }), outcome, grantId },
      { request: refreshOf(connection, known, { shopId: "shop_none" }), outcome: "unknown", grantId },
      { request: refreshOf(connection, known, { clientId: "client_none" }), outcome: "unknown", grantId },
    );
  }
  const expected = asked.map(({ outcome, grantId }) => ({
    outcome,
    ...(outcome === "refreshed" && { grant: { grantId } }),
  }));
  expect(await Promise.all(asked.map(({ request }) => refresh(request)))).toMatchObject(expected);
  expect(await refresher(sql, TTL)(asked.map(({ request }) => request))).toMatchObject(expected);
});

// Of a cluster's plan the coordinator shows only the tasks: shards.cluster.test.ts.
test.skipIf(process.env["CITUS_URL"])(
  "they are one statement, which reads the row of each by its key and no other",
  async () => {
    const connections = Array.from({ length: 100 }, (_, i) => i * 197);
    const array = (values: readonly string[]) => `'{${values.join(",")}}'`;
    const hashes = connections.map((connection) => hashOf(connection).toString("hex"));
    const values = [...[connections.map(shopOf), connections.map(clientOf), hashes].map(array), 10, 7210].join(", ");
    const plan = await transaction(sql, async (sql) => {
      await sql.unsafe("SET LOCAL plan_cache_mode = force_generic_plan");
      await sql.unsafe(`PREPARE find_rows AS ${FIND_ROWS}`);
      const rows = await sql.unsafe<{ "QUERY PLAN": string }[]>(
        `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) EXECUTE find_rows(${values})`,
      );
      await sql.unsafe("DEALLOCATE find_rows");
      return rows.map((row) => row["QUERY PLAN"]).join("\n");
    });
    // The clients are few, and Postgres may go through them.
    expect(plan).toMatch(
      /Index Scan using connections_pkey on connections c \(actual rows=1\.00 loops=100\)\n +Index Cond/,
    );
    expect(plan).toMatch(/Index Scan using shops_pkey on shops s \(actual rows=1\.00 loops=100\)\n +Index Cond/);
    expect(plan).toMatch(/Index Cond: \(\(shop_id = .*\) AND \(client_id = .*\)\)/);
  },
);

describe("last uses that are due", () => {
  const CONNECTIONS_OF_TURN = Array.from({ length: 100 }, (_, i) => i * 4);
  const setDue = () => owner`UPDATE oauth.connections SET last_used_at = now() - interval '1 minute'`;
  const times = async () => {
    const ids = CONNECTIONS_OF_TURN.map((connection) => `grant_${connection}`);
    const rows = await owner<{ at: string; is_due: boolean }[]>`
      SELECT last_used_at::text AS at, last_used_at < now() - interval '30 seconds' AS is_due
      FROM oauth.connections WHERE grant_id = ANY (${ids}::text[])`;
    return { written: rows.filter((row) => !row.is_due).length, times: new Set(rows.map(({ at }) => at)).size };
  };

  test("are noted by one statement for the refreshes of one turn, and of no other connection", async () => {
    await setDue();
    const refresh = singleRefreshes();
    await Promise.all(CONNECTIONS_OF_TURN.map((connection) => refresh(refreshOf(connection, true))));
    expect(await times()).toEqual({ written: 100, times: process.env["CITUS_URL"] ? expect.any(Number) : 1 });
    const [{ count } = {}] = await owner`
      SELECT count(*)::int AS count FROM oauth.connections WHERE last_used_at > now() - interval '30 seconds'`;
    expect(count).toBe(100);
  });

  test("are noted once, whatever the order in which replicas note them at once", async () => {
    const replicas = [0, 1, 2, 3].map(singleRefreshes);
    for (let round = 0; round < 5; round++) {
      await setDue();
      const asked = replicas.flatMap((refresh, replica) => {
        const order = replica % 2 ? CONNECTIONS_OF_TURN.toReversed() : CONNECTIONS_OF_TURN;
        return order.map((connection) => refresh(refreshOf(connection, true)));
      });
      expect(new Set((await Promise.all(asked)).map(({ outcome }) => outcome))).toEqual(new Set(["refreshed"]));
      expect((await times()).written).toBe(100);
    }
  });

  // On a cluster: shards.cluster.test.ts. Citus has no triggers on such tables.
  test.skipIf(process.env["CITUS_URL"])("fail alone where they can't be written", async () => {
    await setDue();
    await owner.unsafe(`
      CREATE FUNCTION oauth.shop_is_away() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'the node of this shop is away' USING ERRCODE = 'connection_failure';
      END $$;
      CREATE TRIGGER shop_is_away BEFORE UPDATE ON oauth.connections FOR EACH ROW WHEN (NEW.shop_id = 'shop_8')
        EXECUTE FUNCTION oauth.shop_is_away()`);
    // Few, as each is then written alone, all before the deadline.
    const connections = CONNECTIONS_OF_TURN.slice(0, 20);
    const outcomes = await refresher(sql, TTL)(connections.map((connection) => refreshOf(connection, true)));
    await owner.unsafe("DROP FUNCTION oauth.shop_is_away CASCADE");
    const failed = connections.filter((_, index) => outcomes[index] instanceof Error);
    expect(failed).toEqual([8]);
    expect((await times()).written).toBe(19);
  });
});
