import { connectDatabase, type Sql, transaction } from "@partner-connect/database";
import { freshDatabase, type TestDatabase } from "@partner-connect/database/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { eraseMails, queueMail } from "./queue-mail.ts";

let database: TestDatabase;
let owner: Sql;
/** As the pages write. */
let server: Sql;

beforeAll(async () => {
  database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  owner = connectDatabase(database.url, { name: "mail test" });
  server = connectDatabase(database.authorizationServerUrl, { name: "mail test" });
  await owner`
    INSERT INTO directory.merchants (id, email, name, password_hash)
    SELECT 'mer_' || i, 'm' || i || '@shop.example', 'M', '-' FROM generate_series(1, 4) AS i`;
  await owner`INSERT INTO directory.clients (client_id, name, redirect_uris, scope, grant_types) VALUES ('client', 'C', '{}', '{}', '{}')`;
  await owner`INSERT INTO directory.shops (id, name, plan) SELECT 'shop_' || i, 'S', 'standard' FROM generate_series(1, 3) AS i`;
  await owner`
    INSERT INTO directory.memberships (merchant_id, shop_id) VALUES ('mer_1', 'shop_1'), ('mer_2', 'shop_1'), ('mer_4', 'shop_2'), ('mer_1', 'shop_3')`;
  await owner`
    INSERT INTO oauth.connections (shop_id, client_id, id, status, grant_id, scope, merchant_id)
    SELECT 'shop_' || i, 'client', 'con_' || i, 'connected', 'grant', '{responses:read}', 'mer_1' FROM generate_series(1, 3) AS i`;
});
beforeEach(() => owner`DELETE FROM oauth.mails`);
afterAll(async () => {
  await Promise.all([owner?.end(), server?.end()]);
  await database?.drop();
});

const queued = async () => [
  ...(await owner`SELECT shop_id AS shop, kind, merchant_id AS to, about FROM oauth.mails ORDER BY shop_id, merchant_id`),
];

const ADDED = { kind: "member_added", shopId: "shop_1", merchantId: "mer_2", about: { member_id: "mer_1" } } as const;

test("a mail is there with the change that it tells of, or neither is", async () => {
  const change = transaction(server, async (tx) => {
    await queueMail(tx, { kind: "password_changed", merchantId: "mer_1" });
    throw new Error("taken back");
  });
  await expect(change).rejects.toThrow("taken back");
  expect(await queued()).toEqual([]);
  await transaction(server, (tx) => queueMail(tx, { kind: "password_changed", merchantId: "mer_1" }));
  await transaction(server, (tx) => queueMail(tx, ADDED));
  expect(await queued()).toEqual([
    { shop: "mer_1", kind: "password_changed", to: "mer_1", about: {} },
    { shop: "shop_1", kind: "member_added", to: "mer_2", about: ADDED.about },
  ]);
});

test("a mail for nobody costs the same row", async () => {
  await queueMail(server, { kind: "none" });
  expect(await queued()).toEqual([{ shop: expect.any(String), kind: "none", to: null, about: {} }]);
});

test("who is erased, and what is of an erased shop, waits no longer", async () => {
  await queueMail(server, { kind: "password_changed", merchantId: "mer_1" });
  await queueMail(server, { kind: "password_changed", merchantId: "mer_2" });
  await queueMail(server, { ...ADDED, merchantId: "mer_3" });
  await transaction(owner, (tx) => eraseMails(tx, { merchantId: "mer_1" }));
  await transaction(owner, (tx) => eraseMails(tx, { shopId: "shop_1" }));
  expect(await queued()).toMatchObject([{ to: "mer_2" }]);
});
