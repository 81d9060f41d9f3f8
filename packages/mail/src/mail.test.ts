import { transaction } from "@partner-connect/database";
import { suiteDatabase } from "@partner-connect/database/testing/suite";
import { beforeEach, expect, test } from "vitest";
import { eraseMails, mailMembers, queueMail } from "./mail.ts";

const { sql: owner, authorizationServer: server } = await suiteDatabase();

await owner`
  INSERT INTO directory.merchants (id, email, name, password_hash)
  SELECT 'mer_' || i, 'm' || i || '@shop.example', 'M', '-' FROM generate_series(1, 3) AS i`;
await owner`INSERT INTO directory.shops (id, name, plan) SELECT 'shop_' || i, 'S', 'standard' FROM generate_series(1, 2) AS i`;
await owner`
  INSERT INTO directory.memberships (merchant_id, shop_id) VALUES ('mer_1', 'shop_1'), ('mer_2', 'shop_1'), ('mer_3', 'shop_2')`;
beforeEach(() => owner`DELETE FROM worker_jobs.job`);

const queued = async () =>
  (await owner`SELECT data FROM worker_jobs.job ORDER BY data ->> 'merchant_id'`).map(
    ({ data }) => data,
  );

const mail = { shop_id: null, about: {}, link: null };
const ADDED = { of: "shop_1", about: { member_id: "mer_1" } };

test("a mail's job is committed together with the change that it reports", async () => {
  const change = transaction(server, async (tx) => {
    await queueMail(tx, { kind: "password_changed", merchantId: "mer_1" });
    throw new Error("taken back");
  });
  await expect(change).rejects.toThrow("taken back");
  expect(await queued()).toEqual([]);
  await transaction(server, (tx) =>
    queueMail(tx, { kind: "password_changed", merchantId: "mer_1" }),
  );
  expect(await queued()).toEqual([{ ...mail, kind: "password_changed", merchant_id: "mer_1" }]);
});

test("each member of the shop gets a mail about the shop's change", async () => {
  await mailMembers(server, "member_added", [ADDED]);
  expect(await queued()).toEqual(
    ["mer_1", "mer_2"].map((merchant_id) => ({
      ...mail,
      kind: "member_added",
      merchant_id,
      shop_id: "shop_1",
      about: ADDED.about,
    })),
  );
});

test("a mail without a recipient is queued like any other mail", async () => {
  await queueMail(server, { kind: "none", link: "id" });
  expect(await queued()).toEqual([{ ...mail, kind: "none", merchant_id: null, link: "id" }]);
});

test("queued mails to an erased merchant or about an erased shop are deleted", async () => {
  await queueMail(server, { kind: "password_changed", merchantId: "mer_3" });
  await queueMail(server, { kind: "password_changed", merchantId: "mer_2" });
  await mailMembers(server, "member_added", [ADDED]);
  await eraseMails(owner, { merchantId: "mer_3" });
  await eraseMails(owner, { shopId: "shop_1" });
  expect(await queued()).toMatchObject([{ merchant_id: "mer_2", kind: "password_changed" }]);
});
