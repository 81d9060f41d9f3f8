import type { Scope } from "@partner-connect/contract";
import { suiteDatabase } from "@partner-connect/database/testing/suite";
import { beforeEach, expect, test } from "vitest";
import { connect } from "../testing.ts";
import { approve } from "./approve.ts";
import { exchange } from "./exchange.ts";
import { revoke, revokeAll, revokeByToken } from "./revoke.ts";

const MERCHANT = { name: "merchant:mer_1" };
const CLIENT = { name: "client:lookout" };
const OPERATOR = { name: "operator:test" };
const KEY = { shopId: "shop_1", clientId: "lookout" };

const { sql: owner, authorizationServer: server } = await suiteDatabase();
let grants = 0;

await owner`
  INSERT INTO directory.merchants (id, email, name, password_hash)
  SELECT 'mer_' || i, 'm' || i || '@shop.example', 'M', '-' FROM generate_series(1, 3) AS i`;
await owner`
  INSERT INTO directory.clients (client_id, name, redirect_uris, scope, grant_types, contact)
  VALUES ('lookout', 'L', '{}', '{responses:read,sources:write}', '{}', 'privacy@lookout.example')`;
await owner`INSERT INTO directory.shops (id, name, plan) SELECT 'shop_' || i, 'S', 'standard' FROM generate_series(1, 3) AS i`;
await owner`
  INSERT INTO directory.memberships (merchant_id, shop_id)
  VALUES ('mer_1', 'shop_1'), ('mer_2', 'shop_1'), ('mer_1', 'shop_2'), ('mer_3', 'shop_3')`;
beforeEach(async () => {
  await owner`DELETE FROM oauth.connections`;
  await owner`DELETE FROM worker_jobs.job`;
});

async function approved(scope: readonly Scope[]): Promise<string> {
  grants += 1;
  const grantId = `grant_${grants}`;
  const made = await approve(server, { ...KEY, merchantId: "mer_1", grantId, scope }, MERCHANT);
  expect(made).not.toBeNull();
  return grantId;
}

const connected = (shopId = "shop_1") => connect(server, { ...KEY, shopId, merchantId: "mer_1" });

/** Returns the queued mails, and deletes them. */
async function told() {
  const rows = await owner`
    DELETE FROM worker_jobs.job RETURNING data ->> 'kind' AS kind, data ->> 'shop_id' AS shop, data ->> 'merchant_id' AS to, data -> 'about' AS about`;
  return [...rows].sort((a, b) => `${a["shop"]}${a["to"]}`.localeCompare(`${b["shop"]}${b["to"]}`));
}
const toMembers = (kind: string, about: object) =>
  ["mer_1", "mer_2"].map((to) => ({
    kind,
    shop: "shop_1",
    to,
    about: expect.objectContaining(about),
  }));

test("members get a mail about a new connection when the app gets its token, not at the approval", async () => {
  const grantId = await approved(["responses:read", "sources:write"]);
  expect(await told()).toEqual([]);
  const tokens = { ...KEY, grantId, refreshTokenHash: Buffer.from("token") };
  const done = await exchange(server, tokens, CLIENT);
  const connectionId = done.outcome === "exchanged" ? done.subject.connectionId : expect.fail();
  const about = {
    client_id: "lookout",
    connection_id: connectionId,
    by: "mer_1",
    scope: ["responses:read", "sources:write"],
  };
  expect(await told()).toEqual(toMembers("app_connected", about));
  expect((await exchange(server, tokens, CLIENT)).outcome).toBe("replayed");
  expect(await told()).toEqual([]);
});

test("a repeated approval sends a mail only about added scopes", async () => {
  const { connectionId } = await connected();
  await told();
  await approved(["responses:read"]);
  expect(await told()).toEqual([]);
  await approved(["responses:read", "sources:write"]);
  const about = {
    client_id: "lookout",
    connection_id: connectionId,
    by: "mer_1",
    scope: ["sources:write"],
  };
  expect(await told()).toEqual(toMembers("app_widened", about));
  await approved(["sources:write"]);
  expect(await told()).toEqual([]);
});

test("an approval after a revocation sends no mail about wider access", async () => {
  const { connectionId } = await connected();
  await revoke(server, { shopId: "shop_1", id: connectionId }, MERCHANT);
  await told();
  await approved(["responses:read", "sources:write"]);
  expect(await told()).toEqual([]);
});

test("members get a mail with the app's contact if the app or an operator ended a connection, but not if a member did", async () => {
  const { connectionId, refreshTokenHash } = await connected();
  const contact = "privacy@lookout.example";
  const about = { client_id: "lookout", connection_id: connectionId, contact };
  await told();
  await revokeByToken(server, { ...KEY, refreshTokenHash }, CLIENT, "revoked");
  expect(await told()).toEqual(toMembers("app_disconnected", { ...about, by: "client" }));
  expect(await revoke(owner, { shopId: "shop_1", id: connectionId }, OPERATOR)).toBe(false);
  expect(await told()).toEqual([]);

  for (const [actor, mails] of [
    [OPERATOR, toMembers("app_disconnected", { ...about, by: "operator" })],
    [MERCHANT, []],
  ] as const) {
    await connected();
    await told();
    await revoke(owner, { shopId: "shop_1", id: connectionId }, actor);
    expect(await told()).toEqual(mails);
  }
});

test("when an operator ends all connections of an app, members get a mail about each of their shops", async () => {
  for (const shopId of ["shop_1", "shop_2", "shop_3"]) await connected(shopId);
  await told();
  const reason = "The app was sold.";
  expect(await revokeAll(owner, { clientId: "lookout" }, OPERATOR, { batch: 2, reason })).toBe(3);
  const mails = await told();
  for (const { about } of mails) expect(about).toMatchObject({ by: "operator", reason });
  expect(mails.map(({ kind, shop, to }) => [kind, shop, to])).toEqual([
    ["app_disconnected", "shop_1", "mer_1"],
    ["app_disconnected", "shop_1", "mer_2"],
    ["app_disconnected", "shop_2", "mer_1"],
    ["app_disconnected", "shop_3", "mer_3"],
  ]);
});
