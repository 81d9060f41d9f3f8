import { suiteDatabase } from "@partner-connect/database/testing/suite";
import { expect, test } from "vitest";
import {
  createApiKey,
  createClient,
  createMerchant,
  createShop,
  revokeApiKey,
  rotateClientSecret,
  setClientStatus,
  setShopPlan,
  updateClient,
} from "./index.ts";
import { onboardClient, onboardMerchant, onboardShop } from "./testing.ts";

const { sql } = await suiteDatabase();

const actor = { name: "operator:ada", ip: "192.0.2.1", requestId: "req-1" };
/** An actor whose audit records can't be written. */
const unrecordable = { name: "operator:eve", ip: "nowhere" };

/** The records that `work` leaves in both tables, by event, because two may share a millisecond. */
async function recordsOf(work: () => Promise<unknown>): Promise<unknown[]> {
  const all = () => sql<{ key: string; event: string }[]>`
    SELECT * FROM (
      SELECT 'shop-' || id AS key, at, event, actor, host(ip) AS ip, request_id, shop_id, client_id, merchant_id, details
      FROM oauth.audit_log
      UNION ALL
      SELECT 'none-' || id, at, event, actor, host(ip), request_id, NULL, client_id, merchant_id, details
      FROM directory.audit_log
    ) AS log ORDER BY event`;
  const before = new Set((await all()).map(({ key }) => key));
  await work();
  return (await all()).filter(({ key }) => !before.has(key));
}

const who = { actor: "operator:ada", ip: "192.0.2.1", request_id: "req-1" };
const newMerchant = (email: string) => ({ email, password: "correct horse battery", name: "Ada" });
const newClient = {
  name: "App",
  redirectUris: ["https://app.example/cb"],
  scope: ["responses:read"],
};
const update = { name: "Renamed", logo: Buffer.from("a logo") };

/** The record of an event by this actor. */
const record = (event: string, more: object) => expect.objectContaining({ ...who, event, ...more });

test("each creation of a merchant or shop and each change of plan leaves one audit record with the actor", async () => {
  let shop_id: string | undefined;
  const records = await recordsOf(async () => {
    await createMerchant(sql, newMerchant("ada@shop.example"), actor);
    const shop = await createShop(
      sql,
      { name: "Hats", ownerEmail: "ada@shop.example", plan: "standard" },
      actor,
    );
    shop_id = shop.id;
    for (const plan of ["advanced_attribution", "advanced_attribution"])
      await setShopPlan(sql, shop.id, plan, actor);
  });
  const [merchant] =
    await sql`SELECT id AS merchant_id FROM directory.merchants WHERE email = 'ada@shop.example'`;
  expect(records).toEqual([
    record("merchant_create", { ...merchant, shop_id: null }),
    record("shop_create", { ...merchant, shop_id, details: { name: "Hats", plan: "standard" } }),
    record("shop_set_plan", {
      shop_id,
      details: { from: "standard", to: "advanced_attribution" },
    }),
  ]);
});

test("each change of a client or its secrets leaves one audit record with the actor, without the secrets", async () => {
  const secrets: string[] = [];
  const records = await recordsOf(async () => {
    const { client, secret } = await createClient(sql, newClient, actor);
    const rotation = await rotateClientSecret(sql, client.clientId, 60, actor);
    secrets.push(secret, rotation.secret);
    for (const again of [update, update]) await updateClient(sql, client.clientId, again, actor);
    for (const status of ["disabled", "disabled", "active", "active"] as const) {
      await setClientStatus(sql, client.clientId, status, actor);
    }
  });
  const client_id = expect.stringMatching(/^client_/);
  const logo = { from: null, to: expect.stringMatching(/^\/oauth\/logos\/client_.*webp$/) };
  const [redirect_uris, former_secret_expires_at] = [
    newClient.redirectUris,
    expect.stringMatching(/^20.*Z$/),
  ];
  expect(records).toEqual([
    record("client_create", { client_id, details: expect.objectContaining({ redirect_uris }) }),
    record("client_disable", { client_id }),
    record("client_enable", { client_id }),
    record("client_rotate_secret", { client_id, details: { former_secret_expires_at } }),
    record("client_update", {
      client_id,
      details: { name: { from: "App", to: "Renamed" }, logo },
    }),
  ]);
  for (const secret of secrets) expect(JSON.stringify(records)).not.toContain(secret);
});

test("each creation or revocation of an API key leaves one audit record with the actor, without the key", async () => {
  const shop_id = await onboardShop(sql);
  let secret = "";
  const records = await recordsOf(async () => {
    const { id, key } = await createApiKey(sql, shop_id, actor);
    secret = key;
    for (const again of [id, id]) await revokeApiKey(sql, again, actor);
  });
  const concerned = { shop_id, details: { api_key_id: expect.stringMatching(/^key_/) } };
  expect(records).toEqual([
    record("api_key_create", concerned),
    record("api_key_revoke", concerned),
  ]);
  expect(JSON.stringify(records)).not.toContain(secret);
});

test("a change that can't be recorded in the audit log is rolled back", async () => {
  const merchant = await onboardMerchant(sql);
  const shopId = await onboardShop(sql);
  const { clientId } = await onboardClient(sql);
  const { id: keyId } = await createApiKey(sql, shopId, actor);
  const state = () => sql`
    SELECT (SELECT jsonb_agg(m) FROM directory.merchants m) AS merchants, (SELECT jsonb_agg(s) FROM directory.shops s) AS shops,
      (SELECT jsonb_agg(c) FROM directory.clients c) AS clients, (SELECT jsonb_agg(s) FROM directory.client_secrets s) AS secrets,
      (SELECT jsonb_agg(k) FROM directory.api_keys k) AS keys, (SELECT count(*) FROM oauth.audit_log) AS records,
      (SELECT count(*) FROM directory.audit_log) AS others`;
  const before = await state();
  const changes = [
    () => createMerchant(sql, newMerchant("eve@shop.example"), unrecordable),
    () =>
      createShop(
        sql,
        { name: "Eve's", ownerEmail: merchant.email, plan: "standard" },
        unrecordable,
      ),
    () => setShopPlan(sql, shopId, "standard", unrecordable),
    () => createClient(sql, { ...newClient, logo: Buffer.from("hers") }, unrecordable),
    () => rotateClientSecret(sql, clientId, 0, unrecordable),
    () => setClientStatus(sql, clientId, "disabled", unrecordable),
    () => updateClient(sql, clientId, { name: "Eve's", logo: Buffer.from("hers") }, unrecordable),
    () => createApiKey(sql, shopId, unrecordable),
    () => revokeApiKey(sql, keyId, unrecordable),
  ];
  for (const change of changes)
    await expect(change()).rejects.toThrow(/invalid input syntax for type inet/);
  expect(await state()).toEqual(before);
});
