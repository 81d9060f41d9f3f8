import { connectDatabase, type Sql, transaction } from "@partner-connect/database";
import { suiteDatabase } from "@partner-connect/database/testing/suite";
import { beforeAll, describe, expect, test } from "vitest";
import { type Refresh, type RefreshOutcome, refresh, refreshBatch } from "./refresh.ts";

const SHOPS = 1000;
const CLIENTS = 20; // each is connected to each shop
const CONNECTIONS = SHOPS * CLIENTS;
const TTL = 720_000; // with it last_used_at may lag by 1,000 seconds

const database = await suiteDatabase();
const owner = database.connect(database.url, { name: "test" });
const sql = database.connect(database.authorizationServerUrl, { name: "test" });

/** The states that rows take in turn: status, hold and last use; the outcome of a refresh, whether Redis has the token or not. */
const ROWS: readonly { row: string; outcome: RefreshOutcome["outcome"] }[] = [
  // It may have been used 1,000 seconds later than Postgres knows.
  { row: "'connected', false, now() - interval '720500 seconds'", outcome: "refreshed" },
  { row: "'connected', false, now() - interval '721001 seconds'", outcome: "expired" },
  { row: "'connected', true, now()", outcome: "held" },
  { row: "'revoked', false, now()", outcome: "revoked" },
];
const rowOf = (connection: number) => ROWS[connection % ROWS.length] as (typeof ROWS)[number];

beforeAll(async () => {
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

test("each token gets its own outcome, as a single refresh and in a batch", async () => {
  const clientId = clientOf(0);
  const asked: { request: Refresh; outcome: RefreshOutcome["outcome"]; grantId: string }[] = [];
  for (let i = 0; i < 100; i++) {
    const connection = (i * 79) % SHOPS;
    const grantId = `grant_${connection}`;
    const known = i % 3 > 0;
    const { outcome } = rowOf(connection);
    const isLive = outcome === "refreshed" || outcome === "expired";
    const ofAnother = { refreshTokenHash: hashOf(connection + 1) };
    const [wider, scope] = [["responses:read", "sources:write"] as const, ["responses:read"] as const];
    const requests: [Refresh, RefreshOutcome["outcome"]][] = [
      [refreshOf(connection, known), outcome],
      [refreshOf(connection, known), outcome], // the same a second time
      [refreshOf(connection, true, ofAnother), isLive ? "superseded" : "revoked"],
      [refreshOf(connection, false, ofAnother), "unknown"],
      [refreshOf(connection, known, { scope: wider }), outcome === "refreshed" ? "invalid_scope" : outcome],
      [refreshOf(connection, known, { scope }), outcome],
      [refreshOf(connection, known, { shopId: "shop_none" }), "unknown"],
    ];
    for (const [request, outcome] of requests) asked.push({ request, outcome, grantId });
  }
  const expected = asked.map(({ outcome, grantId }) => ({
    outcome,
    ...(outcome === "refreshed" && { grant: { grantId } }),
  }));
  const requests = asked.map(({ request }) => request);
  const outcomes: RefreshOutcome[] = [];
  for (const request of requests) outcomes.push(await refresh(sql, request, TTL));
  expect(outcomes).toMatchObject(expected);
  expect(await refreshBatch(sql, clientId, requests, TTL)).toMatchObject(expected);
});

test("a token is unknown to another client, as a single refresh and in a batch", async () => {
  const request = refreshOf(0, true, { clientId: "client_none" });
  expect(await refresh(sql, request, TTL)).toEqual({ outcome: "unknown" });
  expect(await refreshBatch(sql, "client_none", [request], TTL)).toEqual([{ outcome: "unknown" }]);
});

test("a fault of Redis rejects the refresh, and only that token of a batch", async () => {
  const fault = new Error("Redis is away");
  const failed = () => refreshOf(0, true, { known: Promise.reject(fault) });
  await expect(refresh(sql, failed(), TTL)).rejects.toBe(fault);
  expect(await refreshBatch(sql, clientOf(0), [failed(), refreshOf(4, true)], TTL)).toMatchObject([
    { message: "Redis is away" },
    { outcome: "refreshed" },
  ]);
});

test("a batch reads only the rows of its connections", async () => {
  await owner`UPDATE oauth.connections SET last_used_at = now()`;
  await owner`VACUUM oauth.connections`;
  const asked = Array.from({ length: 100 }, (_, i) => refreshOf(i * 4, true));
  // A new connection: Postgres counts what the session has read before, until it reports it.
  const fresh = connectDatabase(database.authorizationServerUrl, { name: "test" });
  const read = await transaction(fresh, async (tx) => {
    await refreshBatch(tx as unknown as Sql, clientOf(0), asked, TTL);
    const [row] = await tx`
      SELECT seq_scan::int AS seq_scan, idx_tup_fetch::int AS rows FROM pg_stat_xact_user_tables
      WHERE schemaname = 'oauth' AND relname = 'connections'`;
    return row;
  });
  await fresh.end();
  expect(read).toEqual({ seq_scan: 0, rows: 100 });
});

describe("last uses that are due", () => {
  const BATCH = Array.from({ length: 100 }, (_, i) => i * 4);
  function batch(connections: readonly number[]) {
    const asked = connections.map((i) => refreshOf(i, true));
    return refreshBatch(sql, clientOf(0), asked, TTL);
  }
  const setDue = () => owner`UPDATE oauth.connections SET last_used_at = now() - interval '1 hour'`;
  const written = async () => {
    const [{ all, ours } = {}] = await owner`
      SELECT count(*)::int AS all, count(*) FILTER (WHERE grant_id = ANY (${BATCH.map((i) => `grant_${i}`)}))::int AS ours
      FROM oauth.connections WHERE last_used_at > now() - interval '30 seconds'`;
    return { all, ours };
  };

  test.each([
    ["single refreshes", () => Promise.all(BATCH.map((i) => refresh(sql, refreshOf(i, true), TTL)))],
    ["a batch", () => batch(BATCH)],
  ])("are recorded by %s, and of no other connection", async (_, run) => {
    await setDue();
    await run();
    expect(await written()).toEqual({ all: 100, ours: 100 });
  });

  test("are recorded once, in whatever order concurrent replicas record them", async () => {
    for (let round = 0; round < 5; round++) {
      await setDue();
      const replicas = [0, 1, 2, 3].map((replica) => batch(replica % 2 ? BATCH.toReversed() : BATCH));
      const outcomes = (await Promise.all(replicas)).flat();
      expect(new Set(outcomes.map((one) => (one instanceof Error ? one : one.outcome)))).toEqual(
        new Set(["refreshed"]),
      );
      expect((await written()).ours).toBe(100);
    }
  });
});
