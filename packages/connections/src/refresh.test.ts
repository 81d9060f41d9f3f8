import { connectDatabase, type Sql, transaction } from "@partner-connect/database";
import { suiteDatabase } from "@partner-connect/database/testing/suite";
import { expect, test } from "vitest";
import { listConnections } from "./lists/list-connections.ts";
import { type Refresh, type RefreshOutcome, refresher } from "./refresh.ts";

const SHOPS = 1000;
const CLIENTS = 20; // each is connected to each shop
const CONNECTIONS = SHOPS * CLIENTS;
/** The statement that reads connections. */
const FIND = "%AS use_is_stale%";
const TTL = 720_000; // with it last_used_at may lag by 1,000 seconds

const database = await suiteDatabase();
const { sql: owner, authorizationServer: sql } = database;
const refresh = refresher(sql, TTL);

/** The rows' status, hold and last use in SQL, used in turn, and the outcome of a refresh. */
const ROWS: readonly { row: string; outcome: RefreshOutcome["outcome"] }[] = [
  // The connection may have been used 1,000 seconds later than Postgres knows.
  { row: "'connected', false, now() - interval '720500 seconds'", outcome: "refreshed" },
  { row: "'connected', false, now() - interval '721001 seconds'", outcome: "expired" },
  { row: "'connected', true, now()", outcome: "disabled" },
  { row: "'revoked', false, now()", outcome: "revoked" },
];
const rowOf = (connection: number) => ROWS[connection % ROWS.length] as (typeof ROWS)[number];

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
      (shop_id, client_id, grant_id, scope, merchant_id, connected_at, exchanged_at, refresh_token_hash, status, disabled, last_used_at)
    SELECT 'shop_' || i % ${SHOPS}, 'client_' || i / ${SHOPS}, 'grant_' || i, '{responses:read}', 'mer', now(), now(),
      decode(lpad(to_hex(i), 64, '0'), 'hex'), ${row}
    FROM generate_series(${remainder}, ${CONNECTIONS - 1}, ${ROWS.length}) AS i`);
}
await owner`VACUUM ANALYZE oauth.connections, directory.shops, directory.clients`;

const shopOf = (connection: number): string => `shop_${connection % SHOPS}`;
const clientOf = (connection: number): string => `client_${Math.floor(connection / SHOPS)}`;
const hashOf = (connection: number): Buffer =>
  Buffer.from(connection.toString(16).padStart(64, "0"), "hex");

function refreshOf(connection: number, isKnown: boolean, changed: Partial<Refresh> = {}): Refresh {
  return {
    shopId: shopOf(connection),
    clientId: clientOf(connection),
    refreshTokenHash: hashOf(connection),
    isKnown,
    ...changed,
  };
}

test("the listed status of a connection agrees with the outcome of its refresh", async () => {
  const statuses = ROWS.map(async (_, connection) => {
    const ids = { shopId: shopOf(connection), clientId: clientOf(connection) };
    return (await listConnections(owner, { ...ids, limit: 1 }, TTL))[0]?.status;
  });
  expect(await Promise.all(statuses)).toEqual(["connected", "expired", "disabled", "revoked"]);
});

test("many concurrent refreshes each return the outcome of their connection", async () => {
  const asked: { request: Refresh; outcome: RefreshOutcome["outcome"]; grantId: string }[] = [];
  for (let i = 0; i < 100; i++) {
    const connection = (i * 79) % SHOPS;
    const grantId = `grant_${connection}`;
    const known = i % 3 > 0;
    const { outcome } = rowOf(connection);
    const isLive = outcome === "refreshed" || outcome === "expired";
    const ofAnother = { refreshTokenHash: hashOf(connection + 1) };
    const [wider, scope] = [
      ["responses:read", "sources:write"] as const,
      ["responses:read"] as const,
    ];
    const requests: [Refresh, RefreshOutcome["outcome"]][] = [
      [refreshOf(connection, known), outcome],
      [refreshOf(connection, known), outcome], // the same a second time
      [refreshOf(connection, true, ofAnother), isLive ? "superseded" : outcome],
      [refreshOf(connection, false, ofAnother), "unknown"],
      [
        refreshOf(connection, known, { scope: wider }),
        outcome === "refreshed" ? "invalid_scope" : outcome,
      ],
      [refreshOf(connection, known, { scope }), outcome],
      [refreshOf(connection, known, { shopId: "shop_none" }), "unknown"],
    ];
    for (const [request, outcome] of requests) asked.push({ request, outcome, grantId });
  }
  const expected = asked.map(({ outcome, grantId }) => ({
    outcome,
    ...(outcome === "refreshed" && { subject: { grantId } }),
  }));
  const requests = asked.map(({ request }) => request);
  const outcomes: RefreshOutcome[] = [];
  for (const request of requests) outcomes.push(await refresh(request));
  expect(outcomes).toMatchObject(expected);
  expect(await Promise.all(requests.map(refresh))).toMatchObject(expected);
});

test("a refresh token is unknown if another client sends it, even a client of the same shop", async () => {
  const own = refreshOf(SHOPS, true); // shop 0 of another client
  const stolen = refreshOf(0, false, { clientId: own.clientId });
  expect(
    await Promise.all([stolen, own, refreshOf(0, true, { clientId: "client_none" })].map(refresh)),
  ).toMatchObject([{ outcome: "unknown" }, { outcome: "refreshed" }, { outcome: "unknown" }]);
});

test("refreshes in one turn of the event loop share a statement, which reads only the rows of their connections", async () => {
  await owner`UPDATE oauth.connections SET last_used_at = now()`;
  await owner`VACUUM oauth.connections`;
  const asked = Array.from({ length: 100 }, (_, i) => refreshOf(i * 4, true));
  // A new session, because the counts include what a session read before and has not reported.
  const fresh = connectDatabase(database.authorizationServerUrl, { name: "test" });
  const read = await transaction(fresh, async (tx) => {
    const refreshed = refresher(tx as unknown as Sql, TTL);
    await Promise.all(asked.map(refreshed));
    const [row] = await tx`
      SELECT seq_scan::int AS seq_scan, idx_tup_fetch::int AS rows,
        (SELECT sum(generic_plans + custom_plans)::int FROM pg_prepared_statements WHERE statement LIKE ${FIND}) AS statements
      FROM pg_stat_xact_user_tables WHERE schemaname = 'oauth' AND relname = 'connections'`;
    return row;
  });
  await fresh.end();
  expect(read).toEqual({ seq_scan: 0, rows: 100, statements: 1 });
});

test("a single refresh reuses its plan", async () => {
  const fresh = connectDatabase(database.authorizationServerUrl, { name: "test", connections: 1 });
  const alone = refresher(fresh, TTL);
  for (let i = 0; i < 20; i++) await alone(refreshOf(i * 4, true));
  const plans = await fresh`
    SELECT generic_plans::int AS reused, custom_plans::int AS made FROM pg_prepared_statements WHERE statement LIKE ${FIND}`;
  await fresh.end();
  expect(plans).toEqual([{ reused: 15, made: 5 }]); // custom plans for the first five calls
});

test("a failed statement fails only the refreshes that share it", async () => {
  const turn = () => Promise.allSettled([refresh(refreshOf(0, true)), refresh(refreshOf(4, true))]);
  const waiting =
    "FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
  const { failed, other } = await transaction(owner, async (tx) => {
    await tx`LOCK TABLE oauth.connections IN ACCESS EXCLUSIVE MODE`;
    const failed = turn();
    await expect.poll(() => owner.unsafe(`SELECT pid ${waiting}`)).toHaveLength(1);
    const other = turn();
    await expect.poll(() => owner.unsafe(`SELECT pid ${waiting}`)).toHaveLength(2);
    await owner.unsafe(`SELECT pg_cancel_backend(pid) ${waiting} ORDER BY query_start LIMIT 1`);
    return { failed: await failed, other };
  });
  expect(failed).toMatchObject(Array(2).fill({ reason: { code: "57014" } }));
  expect(await other).toMatchObject(Array(2).fill({ value: { outcome: "refreshed" } }));
});

const BATCH = Array.from({ length: 100 }, (_, i) => i * 4);
const batch = (connections: readonly number[]) =>
  Promise.all(connections.map((i) => refresh(refreshOf(i, true))));
const setDue = () => owner`UPDATE oauth.connections SET last_used_at = now() - interval '1 hour'`;
const written = async () => {
  const [{ all, ours } = {}] = await owner`
      SELECT count(*)::int AS all, count(*) FILTER (WHERE grant_id = ANY (${BATCH.map((i) => `grant_${i}`)}))::int AS ours
      FROM oauth.connections WHERE last_used_at > now() - interval '30 seconds'`;
  return { all, ours };
};

test("only refreshed connections get a new time of last use", async () => {
  await setDue();
  await batch(BATCH);
  expect(await written()).toEqual({ all: 100, ours: 100 });
});

test("an update of last_used_at that waits for a lock doesn't delay other refreshes", async () => {
  await setDue();
  const { held, free } = await transaction(owner, async (tx) => {
    await tx`SELECT FROM oauth.connections WHERE grant_id = 'grant_0' FOR UPDATE`;
    const [held, free] = [refresh(refreshOf(0, true)), refresh(refreshOf(4, true))];
    return { held, free: await free };
  });
  expect([free, await held]).toMatchObject(Array(2).fill({ outcome: "refreshed" }));
});

test("replicas that update last_used_at in opposite orders don't deadlock", async () => {
  for (let round = 0; round < 5; round++) {
    await setDue();
    const replicas = [0, 1, 2, 3].map((replica) => batch(replica % 2 ? BATCH.toReversed() : BATCH));
    const outcomes = (await Promise.all(replicas)).flat();
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(["refreshed"]));
    expect((await written()).ours).toBe(100);
  }
});
