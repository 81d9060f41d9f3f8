import { plansOf } from "@partner-connect/database/testing";
import { suiteDatabase } from "@partner-connect/database/testing/suite";
import { expect, test } from "vitest";
import { type AuditFilter, listAudit, makeMonths, recordAudit } from "./index.ts";

const { sql } = await suiteDatabase();

const CONNECTED = { shopId: "shop_1", clientId: "client_1", connectionId: "con_1" };
const MERCHANT = { name: "merchant:mer_1", ip: "2001:db8::1", requestId: "req-1" };
const RECORDS: [event: Parameters<typeof recordAudit>[1], actor: string | typeof MERCHANT][] = [
  [{ action: "merchant_create", merchantId: "mer_1" }, "operator:ada"],
  [{ action: "client_create", clientId: "client_1", detail: { name: "Lookout" } }, "operator:bob"],
  [{ action: "approve", ...CONNECTED }, MERCHANT],
  [{ action: "exchange", ...CONNECTED }, "client:client_1"],
  [
    { action: "approve", shopId: "shop_2", clientId: "client_2", connectionId: "con_2" },
    "merchant:gone",
  ],
  [{ action: "sign_in_throttled" }, "system"],
];
await sql`INSERT INTO directory.merchants (id, email, name, password_hash) VALUES ('mer_1', 'ada@shop.example', 'Ada', '-')`;
await sql`INSERT INTO directory.shops (id, name, plan) VALUES ('shop_1', 'Hats', 'standard')`;
await sql`
  INSERT INTO directory.clients (client_id, name, redirect_uris, scope, grant_types) VALUES ('client_1', 'Lookout', '{}', '{}', '{}')`;
for (const [event, actor] of RECORDS)
  await recordAudit(sql, event, typeof actor === "string" ? { name: actor } : actor);

const actions = async (filter: Partial<AuditFilter>) =>
  (await listAudit(sql, { limit: 100, ...filter })).map(
    ({ action, actor }) => `${actor} ${action}`,
  );

test("audit records, with or without a shop, are listed newest first with the names of their actors, clients and shops", async () => {
  const all = await listAudit(sql, { limit: 100 });
  expect(all.map(({ action }) => action)).toEqual(
    RECORDS.map(([{ action }]) => action).toReversed(),
  );
  expect(all[3]).toEqual({
    id: expect.stringMatching(/^aud_/),
    at: expect.any(Date),
    ...{
      action: "approve",
      ...CONNECTED,
      clientName: "Lookout",
      shopName: "Hats",
      merchantId: null,
      detail: {},
    },
    ...{
      actor: MERCHANT.name,
      actorName: "ada@shop.example",
      requestId: MERCHANT.requestId,
      ip: MERCHANT.ip,
    },
  });
  expect(all[2]).toMatchObject({ actorName: "Lookout" });
  expect(all[1]).toMatchObject({ actorName: null, clientName: null, shopName: null });
  expect(all[4]).toMatchObject({
    clientName: "Lookout",
    shopId: null,
    detail: { name: "Lookout" },
  });
});

test.each<[Partial<AuditFilter>, string[]]>([
  [{ shopId: "shop_1" }, ["client:client_1 exchange", "merchant:mer_1 approve"]],
  [
    { clientId: "client_1" },
    ["client:client_1 exchange", "merchant:mer_1 approve", "operator:bob client_create"],
  ],
  [{ merchantId: "mer_1" }, ["merchant:mer_1 approve", "operator:ada merchant_create"]],
  [{ actor: "operator:bob" }, ["operator:bob client_create"]],
  [{ actor: "system" }, ["system sign_in_throttled"]],
  [{ connectionId: "con_2" }, ["merchant:gone approve"]],
  [{ clientId: "client_1", shopId: "shop_2" }, []],
  [{ clientId: "client_1", actor: "merchant:mer_1" }, ["merchant:mer_1 approve"]],
  [{ limit: 2 }, ["system sign_in_throttled", "merchant:gone approve"]],
  [{ since: new Date(Date.now() + 60_000) }, []],
])("the filter %j of the audit log finds only matching records", async (filter, expected) => {
  expect(await actions(filter)).toEqual(expected);
});

test("listing the audit log, unfiltered or by shop, client, merchant or actor, uses an index in each month", async () => {
  await makeMonths(sql);
  await sql`
    INSERT INTO oauth.audit_log (shop_id, client_id, event, actor, at)
    SELECT 'shop_' || n % 500, 'client_' || n % 50, 'exchange', 'client:client_' || n % 50, now() + n * interval '1 minute'
    FROM generate_series(1, 20000) AS n`;
  await sql`ANALYZE`;
  const filters = [
    { shopId: "shop_7" },
    { clientId: "client_7" },
    { merchantId: "mer_1" },
    { actor: "system" },
    {},
  ];
  for (const filter of filters) {
    const [plan = ""] = await plansOf(sql, /WITH of_shops/, (explaining) =>
      listAudit(explaining, { ...filter, limit: 50 }),
    );
    expect(plan).toMatch(/Index (Only )?Scan/);
    const read = [...plan.matchAll(/Seq Scan on (?:audit_log\S*).*rows=(\d+)/g)].map(([, rows]) =>
      Number(rows),
    );
    expect(Math.max(0, ...read)).toBeLessThan(1000);
  }
});
