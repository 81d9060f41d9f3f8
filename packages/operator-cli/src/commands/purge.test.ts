import { approve, exchange, refreshBatch } from "@partner-connect/connections";
import { beforeAll, describe, expect, test } from "vitest";
import { operatorOnOwnDatabase } from "../testing/own-database.ts";
import { misused } from "../testing.ts";

const { sql, cli } = await operatorOnOwnDatabase({ PARTNER_CONNECT_OPERATOR: "otto" });
let shop: string;

/** In days ago: how old everything of a connection is, and how old the last record of it. */
const CONNECTIONS: readonly [
  client: string,
  status: string,
  days: number,
  options?: { held?: true; recorded?: number; unfinished?: true },
][] = [
  ["unfinished", "approved", 31],
  ["unfinished-young", "approved", 29],
  ["unfinished-held", "approved", 500, { held: true }],
  ["unfinished-ended", "revoked", 31, { recorded: 31, unfinished: true }],
  ["revoked", "revoked", 401, { recorded: 401 }],
  ["revoked-lately", "revoked", 500, { recorded: 100 }],
  ["expired", "connected", 401],
  ["expired-held", "connected", 401, { held: true }],
  ["expired-lately", "connected", 399],
  ["live", "connected", 0],
];

beforeAll(async () => {
  await cli.json("merchant", "create", "--email", "anna@shop.example", "--password", "correct horse", "--name", "Anna");
  shop = (await cli.json("shop", "create", "--name", "Hats", "--owner", "anna@shop.example")).id;
  for (const [
    client,
    status,
    days,
    { held = false, recorded, unfinished = status === "approved" } = {},
  ] of CONNECTIONS) {
    await sql`
      INSERT INTO directory.clients (client_id, name, redirect_uris, scope, grant_types)
      VALUES (${client}, ${client}, '{https://c.example/}', '{responses:read}', '{authorization_code,refresh_token}')`;
    await sql`
      INSERT INTO oauth.connections (shop_id, client_id, id, status, disabled, grant_id, scope, merchant_id, approved_at, connected_at, last_used_at)
      SELECT ${shop}, ${client}, 'con_' || ${client}::text, ${status}, ${held}, 'g', '{}', m.id, at,
        CASE WHEN NOT ${unfinished}::boolean THEN at END, CASE WHEN NOT ${unfinished}::boolean THEN at END
      FROM directory.merchants m, (SELECT now() - make_interval(days => ${days}) AS at)`;
    if (recorded) {
      await sql`
        INSERT INTO oauth.audit_log (shop_id, client_id, connection_id, event, actor, at)
        VALUES (${shop}, ${client}, 'con_' || ${client}::text, 'revoke', 'system', now() - make_interval(days => ${recorded}))`;
    }
  }
  await sql`
    INSERT INTO oauth.changes (client_id, connection_id, kind, shop_id, number, at, gone)
    SELECT 'live', 'con_' || days, 'connection', ${shop}, days, now() - make_interval(days => days), days > 398
    FROM unnest(ARRAY[398, 399, 401]) AS days`;
  await sql`
    INSERT INTO survey.idempotency_keys (shop_id, caller_id, key_hash, body_hash, created_at)
    SELECT ${shop}, 'c', sha256(hours::text::bytea), '', now() - make_interval(hours => hours)
    FROM unnest(ARRAY[1, 47, 49, 1000]) AS hours`;
  await sql`
    INSERT INTO directory.merchant_links (token_hash, email, expires_at, used_at)
    SELECT sha256(days::text::bytea), 'a@b.example', now() - make_interval(days => days),
      CASE WHEN days < 0 THEN now() - interval '31 days' END
    FROM unnest(ARRAY[-1, 1, 29, 31]) AS days`;
  await sql`
    INSERT INTO oauth.client_refusals (client_id, what, reason, at, request_id, call, status)
    SELECT 'live', 'refused', 'not_found', now() - make_interval(hours => hours), 'id', 'GET /', 404
    FROM unnest(ARRAY[1, 167, 169]) AS hours`;
  await sql`
    INSERT INTO survey.deleted_responses (shop_id, id, inserted_at, updated_at, deleted_at, imported_again)
    SELECT ${shop}, 'r' || days, now(), now(), now() - make_interval(days => days), days = 401
    FROM unnest(ARRAY[390, 401, 402, 403]) AS days`; // r402 is the newest that the list has from before 400 days
  await sql`
    INSERT INTO oauth.api_usage (shop_id, caller_id, hour, calls, records, refused, failed)
    VALUES ('s', 'c', '2020-02-29T23:00:00Z', 1, 1, 1, 1)`;
});

const clientsLeft = async (): Promise<string[]> =>
  (await sql<{ client: string }[]>`SELECT client_id AS client FROM oauth.connections`).map(({ client }) => client);

const keysAndLinks = async () => [
  (await sql`SELECT FROM survey.idempotency_keys`).length,
  (await sql`SELECT FROM directory.merchant_links`).length,
];

describe("purge", () => {
  test("says what would go, and asks on a terminal", async () => {
    const { effects } = await cli.json("purge", "--dry-run");
    expect(effects).toEqual([
      expect.stringMatching(/^Deletes 2 × approval whose code was never exchanged, from before \d{4}-\d\d-\d\d\.$/),
      expect.stringMatching(/^Deletes 2 × connection that ended/),
      expect.stringMatching(/^Deletes 1 × entry of a feed for a connection that is forgotten/),
      expect.stringMatching(/^Deletes 2 × expired idempotency key/),
      expect.stringMatching(/^Deletes 2 × link that was used or has ended/),
      expect.stringMatching(/^Deletes 1 × example of what a client was refused/),
      expect.stringMatching(/^Deletes 1 × deletion of a response/),
      expect.stringMatching(/^Drops 1 record of the audit log and of the API's usage, .*oauth\.api_usage_default\.$/),
    ]);
    expect((await cli.atTerminal(200).typing("n\n")("purge")).code).toBe(1);
    expect(await clientsLeft()).toHaveLength(CONNECTIONS.length);
    expect(await cli("purge", "--keep", "0")).toEqual(misused(/whole number from 1/));
  });

  test("takes exactly that, leaves a record of each, and of its end", async () => {
    const { purged } = await cli.json("purge", "--yes");
    expect(purged.map(({ what, rows }: { what: string; rows: number }) => [what, rows])).toEqual([
      ["unfinished_approvals", 2],
      ["ended_connections", 2],
      ["gone_changes", 1],
      ["idempotency_keys", 2],
      ["merchant_links", 2],
      ["client_refusals", 1],
      ["deletions", 1],
      ["months", 1],
    ]);
    const gone = ["unfinished", "unfinished-ended", "revoked", "expired"];
    const kept = CONNECTIONS.map(([client]) => client).filter((client) => !gone.includes(client));
    expect((await clientsLeft()).toSorted()).toEqual(kept.toSorted());
    expect(await keysAndLinks()).toEqual([2, 2]);
    expect(await sql`SELECT FROM oauth.api_usage`).toHaveLength(0);
    expect(await sql`SELECT id FROM survey.deleted_responses ORDER BY id`).toEqual(
      ["r390", "r401", "r402"].map((id) => ({ id })),
    );
    const records = await cli.json("audit", "list", "--actor", "operator:otto", "--since", "1h");
    expect(records[0]).toMatchObject({ action: "purge", detail: { completed: true, rows: 12 } });
    const forgotten = records.filter(({ action }: { action: string }) => action === "forget");
    expect(forgotten.map((record: Record<string, unknown>) => [record["shop_id"], record["connection_id"]])).toEqual(
      expect.arrayContaining([
        [shop, "con_revoked"],
        [shop, "con_expired"],
      ]),
    );
  });

  test("again it has nothing to do, and records that it ran", async () => {
    expect(await cli.json("purge", "--dry-run")).toEqual({ dry_run: true, effects: [] });
    expect((await cli("purge", "--yes")).stdout).toBe("Nothing was old enough.\n");
    const [last] = await cli.json("audit", "list", "--limit", "1");
    expect(last).toMatchObject({ action: "purge", detail: { completed: true, rows: 0 } });
  });
});

describe("ended connections beside the services", () => {
  const SHOPS = 100;
  const actor = { name: "merchant:mer" };

  beforeAll(async () => {
    await sql`INSERT INTO directory.merchants (id, email, name, password_hash) VALUES ('mer', 'a@b.example', 'A', '-')`;
    await sql`
      INSERT INTO directory.shops (id, name, plan) SELECT 'shop_' || i, 'S', 'standard' FROM generate_series(1, ${SHOPS}) i`;
  });

  const endedLongAgo = async (clientId: string) => {
    await sql`
      INSERT INTO directory.clients (client_id, name, redirect_uris, scope, grant_types)
      VALUES (${clientId}, 'C', '{https://c.example/}', '{responses:read}', '{authorization_code,refresh_token}')`;
    await sql`
      INSERT INTO oauth.connections (shop_id, client_id, grant_id, scope, merchant_id, status, generation, approved_at, connected_at, last_used_at)
      SELECT 'shop_' || i, ${clientId}, 'old', '{responses:read}', 'mer', 'revoked', 7, at, at, at
      FROM generate_series(1, ${SHOPS}) AS i, (SELECT now() - interval '401 days' AS at)`;
  };

  test.each([1, 2, 3])("a connection that is made again while the former one is purged lives (%d)", async (round) => {
    const clientId = `again_${round}`;
    await endedLongAgo(clientId);
    const hashOf = (shop: number) => Buffer.from(String(round * SHOPS + shop).padStart(64, "0"), "hex");
    const shops = Array.from({ length: SHOPS }, (_, index) => index + 1);
    const connecting = shops.map(async (shop) => {
      const key = { shopId: `shop_${shop}`, clientId, grantId: `grant_${round}_${shop}` };
      await approve(sql, { ...key, merchantId: "mer", scope: ["responses:read"] }, actor);
      return await exchange(sql, { ...key, refreshTokenHash: hashOf(shop) }, actor);
    });
    const purging = cli.json("purge", "--yes");
    const outcomes = (await Promise.all(connecting)).map(({ outcome }) => outcome);
    await purging;
    expect(new Set(outcomes)).toEqual(new Set(["exchanged"]));
    const known = Promise.resolve(false);
    const asked = shops.map((shop) => ({ shopId: `shop_${shop}`, clientId, refreshTokenHash: hashOf(shop), known }));
    expect(await refreshBatch(sql, clientId, asked, 7200)).toMatchObject(Array(SHOPS).fill({ outcome: "refreshed" }));
    expect(await cli.json("purge", "--yes")).toEqual({ purged: [] });
  });

  test("a batch with a row that somebody holds is left to the next run", async () => {
    await endedLongAgo("held");
    await sql.begin(async (tx) => {
      await tx`SELECT FROM oauth.connections WHERE shop_id = 'shop_1' AND client_id = 'held' FOR UPDATE`;
      expect((await cli.json("purge", "--yes")).purged).toMatchObject([{ what: "ended_connections", rows: 0 }]);
    });
    expect((await cli.json("purge", "--yes")).purged).toMatchObject([{ what: "ended_connections", rows: SHOPS }]);
  });
});
