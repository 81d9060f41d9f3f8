import { listAudit, monthSpans } from "@partner-connect/audit";
import { refresher } from "@partner-connect/connections";
import { connect } from "@partner-connect/connections/testing";
import { suiteDatabase } from "@partner-connect/database/testing/suite";
import { onboardMerchant, onboardShop } from "@partner-connect/directory/testing";
import { deleteResponses } from "@partner-connect/survey-data";
import { beforeAll, describe, expect, test } from "vitest";
import { purgeKind } from "./purge.ts";

const { sql, backOffice } = await suiteDatabase();

/** So many months are always more than 401 days. */
const KEEP_MONTHS = 14;
const purge = () =>
  purgeKind(backOffice, KEEP_MONTHS).run({ id: "", data: {}, createdAt: new Date() });

/** Audit records of purges, latest first: what was deleted, and how many rows. */
async function purged() {
  const records = await listAudit(sql, { action: "purge", limit: 50 });
  return records.map(({ detail }) => [detail["what"] ?? "completed", detail["rows"]]);
}

/** All times of a connection are `days` ago, except its last audit record and its last use. */
const CONNECTIONS: readonly [
  client: string,
  status: string,
  days: number,
  options?: { held?: true; recorded?: number; unfinished?: true; used?: number },
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
  ["used-lately", "connected", 500, { used: 1 }],
  ["live", "connected", 0],
];

const merchant = await onboardMerchant(sql);
const shop = await onboardShop(sql, { merchants: [merchant.id] });
for (const [
  client,
  status,
  days,
  { held = false, recorded, unfinished = status === "approved", used = days } = {},
] of CONNECTIONS) {
  await sql`
    INSERT INTO directory.clients (client_id, name, redirect_uris, scope, grant_types)
    VALUES (${client}, ${client}, '{https://c.example/}', '{responses:read}', '{authorization_code,refresh_token}')`;
  await sql`
    INSERT INTO oauth.connections (shop_id, client_id, id, status, disabled, grant_id, scope, merchant_id, approved_at, connected_at, last_used_at)
    SELECT ${shop}, ${client}, 'con_' || ${client}::text, ${status}, ${held}, 'g', '{}', m.id, at,
      CASE WHEN NOT ${unfinished}::boolean THEN at END,
      CASE WHEN NOT ${unfinished}::boolean THEN now() - make_interval(days => ${used}) END
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
  INSERT INTO oauth.ended_connections (shop_id, client_id, id, ended_at)
  SELECT 'erased', 'live', 'con_' || days, now() - make_interval(days => days) FROM unnest(ARRAY[399, 401]) AS days`;
await sql`
  INSERT INTO oauth.decisions (authorization_hash, choice_hash, decided_at)
  SELECT sha256(hours::text::bytea), '', now() - make_interval(hours => hours) FROM unnest(ARRAY[2, 25]) AS hours`;
await sql`
  INSERT INTO survey.idempotency_keys (shop_id, caller_id, key_hash, body_hash, created_at)
  SELECT ${shop}, 'c', sha256(hours::text::bytea), '', now() - make_interval(hours => hours)
  FROM unnest(ARRAY[1, 47, 49, 1000]) AS hours`;
await sql`
  INSERT INTO directory.merchant_links (token_hash, merchant_id, email, expires_at, used_at)
  SELECT sha256(days::text::bytea), 'mer', 'a@b.example', now() - make_interval(days => days),
    CASE WHEN days < 0 THEN now() - interval '31 days' END
  FROM unnest(ARRAY[-1, 1, 29, 31]) AS days`;
await sql`
  INSERT INTO oauth.client_refusals (client_id, what, reason, at, request_id, call, status)
  SELECT 'live', 'refused', 'not_found', now() - make_interval(hours => hours), 'id', 'GET /', 404
  FROM unnest(ARRAY[1, 167, 169]) AS hours`;
await sql`
  INSERT INTO survey.deleted_responses (shop_id, id, inserted_at, updated_at, deleted_at, is_hidden)
  SELECT ${shop}, 'r' || days, now(), now(), now() - make_interval(days => days), days = 401
  FROM unnest(ARRAY[390, 401, 402, 403]) AS days`; // the newest listed one of over 400 days is r402
await deleteResponses(sql, { shopId: shop, ids: ["unstored"], version: 1 }, null);
await sql`
  UPDATE survey.deleted_responses SET inserted_at = ago, updated_at = ago, deleted_at = ago
  FROM (SELECT now() - interval '401 days' AS ago) AS past WHERE id = 'unstored'`;
await sql`
  INSERT INTO oauth.api_usage (shop_id, caller_id, hour, calls, records, refused, failed)
  VALUES ('s', 'c', '2020-02-29T23:00:00Z', 1, 1, 1, 1)`;

test("the purge deletes only expired rows, and records the number of deleted rows of each kind", async () => {
  await purge();
  expect(await purged()).toEqual([
    ["completed", 15],
    ["unlisted_deletions", 1],
    ["deletions", 1],
    ["client_refusals", 1],
    ["merchant_links", 2],
    ["idempotency_keys", 2],
    ["decisions", 1],
    ["gone_changes", 1],
    ["erased_connections", 1],
    ["ended_connections", 2],
    ["unfinished_approvals", 2],
  ]);
  const gone = ["unfinished", "unfinished-ended", "revoked", "expired"];
  const kept = CONNECTIONS.map(([client]) => client).filter((client) => !gone.includes(client));
  const left = await sql<{ client: string }[]>`SELECT client_id AS client FROM oauth.connections`;
  expect(left.map(({ client }) => client).toSorted()).toEqual(kept.toSorted());
  expect(await sql`SELECT FROM survey.idempotency_keys`).toHaveLength(2);
  expect(await sql`SELECT FROM directory.merchant_links`).toHaveLength(2);
  expect(await sql`SELECT FROM oauth.api_usage`).toHaveLength(0);
  expect((await monthSpans(sql)).map(({ monthsAhead }) => monthsAhead)).toEqual([13, 13, 13]);
  expect(await sql`SELECT id FROM survey.deleted_responses ORDER BY id`).toEqual(
    ["r390", "r401", "r402"].map((id) => ({ id })),
  );
  const forgotten = await listAudit(sql, { action: "forget" });
  expect(forgotten.map(({ shopId, connectionId }) => [shopId, connectionId]).toSorted()).toEqual([
    [shop, "con_expired"],
    [shop, "con_revoked"],
  ]);
  await purge();
  expect((await purged())[0], "again it has nothing to do").toEqual(["completed", 0]);
});

test("if one kind of row can't be deleted, the purge deletes the others before it fails", async () => {
  await sql`UPDATE directory.merchant_links SET expires_at = now() - interval '31 days'`;
  await sql`REVOKE DELETE ON oauth.decisions FROM back_office`;
  await expect(purge()).rejects.toMatchObject({ code: "42501" });
  await sql`GRANT DELETE ON oauth.decisions TO back_office`;
  expect(await sql`SELECT FROM directory.merchant_links`).toHaveLength(0);
});

describe("the purge of ended connections", () => {
  const SHOPS = 100;

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

  test("the purge doesn't delete a connection that is approved again during the purge", async () => {
    const clientId = "again";
    await endedLongAgo(clientId);
    const shops = Array.from({ length: SHOPS }, (_, index) => `shop_${index + 1}`);
    const connecting = shops.map(async (shopId) => {
      const { refreshTokenHash } = await connect(sql, { shopId, clientId, merchantId: "mer" });
      return { shopId, clientId, refreshTokenHash, isKnown: false };
    });
    const purging = purge();
    const asked = await Promise.all(connecting);
    await purging;
    expect(await Promise.all(asked.map(refresher(sql, 7200)))).toMatchObject(
      Array(SHOPS).fill({ outcome: "refreshed" }),
    );
    await purge();
    expect((await purged())[0]).toEqual(["completed", 0]);
  });

  test("if a row is locked, the purge leaves its batch of connections to the next run", async () => {
    await endedLongAgo("held");
    await sql.begin(async (tx) => {
      await tx`SELECT FROM oauth.connections WHERE shop_id = 'shop_1' AND client_id = 'held' FOR UPDATE`;
      await purge();
      expect((await purged())[0]).toEqual(["completed", 0]);
    });
    await purge();
    expect((await purged())[1]).toEqual(["ended_connections", SHOPS]);
  });
});
