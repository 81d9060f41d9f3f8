import { formerEmails } from "@partner-connect/audit";
import { noteRelay } from "@partner-connect/connections/changes";
import { connect } from "@partner-connect/connections/testing";
import { waitingSessions } from "@partner-connect/database/testing";
import { createShop } from "@partner-connect/directory";
import { onboardClient } from "@partner-connect/directory/testing";
import { freshRedis, ownRedis } from "@partner-connect/service-runtime/testing";
import { afterAll, beforeEach, expect, test } from "vitest";
import { operatorOnOwnDatabase, refused } from "../testing.ts";

const redis = await freshRedis(process.env["TEST_REDIS_URL"]);
const { sql, cli } = await operatorOnOwnDatabase({
  PARTNER_CONNECT_OPERATOR: "otto",
  REDIS_URL: redis.url,
});
afterAll(() => redis.drop());

let run = 0;
let email: string;
let other: string;
let shopId: string;
let clientId: string;

beforeEach(async () => {
  run += 1;
  [email, other] = [`anna-${run}@shop.example`, `ben-${run}@shop.example`];
  for (const each of [email, other])
    await sql`INSERT INTO directory.merchants (email, name, password_hash) VALUES (${each}, 'Anna', 'none')`;
  shopId = (await cli.json("shop create --name", `Hats ${run}`, "--owner", other)).id;
  ({ clientId } = await onboardClient(sql, { name: `Acme ${run}`, publisher: `Acme ${run} GmbH` }));
});

const merchantId = async (address: string) =>
  (await sql<{ id: string }[]>`SELECT id FROM directory.merchants WHERE email = ${address}`)[0]
    ?.id ?? "";

const connected = async (by = other) =>
  await connect(sql, { shopId, clientId, merchantId: await merchantId(by) });

test("merchant erase prints its effects, and requires the email address to be typed", async () => {
  await cli.json("shop add-member", shopId, email);
  const id = await merchantId(email);
  const asked = await cli.atTerminal().typing("y\n")("merchant erase", email);
  expect(asked.stderr).toMatch(
    /is erased for good.*1 shop[\s\S]*connections stay[\s\S]*removed from the audit log[\s\S]*backups.*\nType anna-\d+@shop.example to continue: [\s\S]*cancelled; nothing was changed\n$/,
  );
  expect((await cli.json("merchant erase", id, "--yes")).erased).toEqual({
    audit_records: 1,
    redis_keys: 0,
    memberships: 1,
  });
  expect(await cli("merchant erase", email, "--yes")).toEqual(refused(/no merchant/));
});

test("the erasure of a merchant deletes the reset links of former addresses that no other merchant has", async () => {
  const [second, third] = [`second-${run}@shop.example`, `third-${run}@shop.example`];
  const change = (from: string, to: string) => cli.json("merchant update", from, "--email", to);
  const linked = async () => {
    const rows =
      await sql`SELECT email FROM directory.merchant_links WHERE email = ANY (${[email, second, third]}) ORDER BY 1`;
    return rows.map((row) => row["email"]);
  };
  await cli.json("merchant reset-link", email);
  await change(email, second);
  await cli.json("merchant reset-link", second);
  await change(second, third);
  await change(other, second);
  await cli.json("merchant reset-link", second);
  expect(await formerEmails(sql, await merchantId(third)), "keys in Redis").toEqual([email]);
  await cli.json("merchant erase", third, "--yes");
  expect(await linked()).toEqual([second]);
});

test("merchant erase of a shop's only member is refused with the shop's id, and changes nothing", async () => {
  const failed = await cli("merchant erase", other, "--yes");
  expect(failed).toEqual(
    refused(
      new RegExp(`is the only member of ${shopId}: erase the shop, or add another member first`),
    ),
  );
  expect((await cli.json("merchant show", other)).status).toBe("active");
});

test("the audit records of an erased shop or client can still be listed by its id", async () => {
  await connected();
  const { erased } = await cli.json("shop erase", `Hats ${run}`, "--yes");
  expect(erased).toMatchObject({ connections: 1, audit_records: 1 });
  expect(await cli("shop erase", shopId, "--yes")).toEqual(refused(/no shop/));
  const actions = async (...of: string[]) =>
    (await cli.json("audit list", ...of)).map(({ action }: { action: string }) => action);
  expect((await actions("--shop", shopId)).slice(0, 2)).toEqual(["shop_erase", "forget"]);
  expect(await actions("--shop", shopId)).toContain("shop_erase_request");
  expect(await actions("--client", clientId, "--shop", shopId)).toEqual(
    "forget revoke exchange approve".split(" "),
  );
  await cli.json("client delete", clientId, "--yes");
  expect(await actions("--client", clientId, "--action", "client_delete")).toEqual([
    "client_delete",
  ]);
  expect(await cli("audit list --shop none")).toEqual(refused(/no shop "none"/));
});

test("if Redis fails midway, client delete prints the remedy in one line, and the same command then completes the deletion", async () => {
  await connected();
  const own = await ownRedis();
  try {
    const withOwn = cli.with({ REDIS_URL: own.url });
    let failing: ReturnType<typeof withOwn> | undefined;
    // The command waits for a locked row, between its first call to Redis and the next.
    await sql.begin(async (holder) => {
      await holder`SELECT FROM oauth.connections WHERE shop_id = ${shopId} FOR UPDATE`;
      failing = withOwn("client delete", clientId, "--yes");
      await expect.poll(() => waitingSessions(sql)).toBeGreaterThan(0);
      await own.kill();
    });
    expect(await failing).toEqual(
      refused(
        /Redis does not answer .*; 1 connection was done before that and not undone; run the same/,
        1,
        ["client_disable", "revoke"],
      ),
    );
    expect(await cli.json("client show", clientId)).toMatchObject({ status: "disabled" });
    await own.start();
    expect((await withOwn.json("client delete", clientId, "--yes")).erased).toMatchObject({
      connections: 1,
    });
    const events = await sql`
        SELECT event FROM oauth.audit_log WHERE client_id = ${clientId} ORDER BY event`;
    expect(events.map(({ event }) => event).join(" ")).toBe("approve exchange forget revoke");
  } finally {
    await own.stop();
  }
});

/** The tables of our schemas. `columns` are those that hold a subject's id or need a value. */
const tablesOf = () => sql<{ name: string; columns: string[]; types: string[] }[]>`
    SELECT c.oid::regclass::text AS name,
      coalesce(array_agg(attname::text) FILTER (WHERE needed), '{}') AS columns,
      coalesce(array_agg(atttypid::regtype::text) FILTER (WHERE needed), '{}') AS types
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND attnum > 0 AND NOT attisdropped,
      LATERAL (SELECT attnotnull AND NOT atthasdef OR attname = ANY ('{client_id,shop_id,merchant_id}') AS needed)
    WHERE relnamespace::regnamespace::text ~ '^(directory|oauth|survey|.*_jobs)$'
      AND relkind IN ('r', 'p') AND NOT relispartition
    GROUP BY 1 ORDER BY 1`;

test.each([
  ["client", "delete", []],
  ["shop", "erase", ["back_office_jobs.job", "oauth.changes", "oauth.ended_connections"]],
  ["merchant", "erase", ["directory.merchants", "oauth.connections", "worker_jobs.job"]],
])(
  "the erasure of a %s with rows in every table leaves the id only in the expected tables",
  async (subject, verb, kept) => {
    const shop = { name: "Try", plan: "standard", ownerEmail: other, testOf: clientId };
    ({ id: shopId } = await createShop(sql, shop, { name: `client:${clientId}` }));
    await cli.json("shop add-member", shopId, email);
    await connected(email);
    const round = noteRelay(sql);
    await round();
    const ids = { client: clientId, shop: shopId, merchant: await merchantId(email) };
    const id = ids[subject as keyof typeof ids];
    const values: Record<string, string> = {
      ...{
        client_id: clientId,
        shop_id: shopId,
        merchant_id: ids.merchant,
        type: "tv",
        jsonb: "{}",
      },
      ...{ "timestamp with time zone": "now", bigint: "1", smallint: "1", "text[]": "{}" },
    };
    const tables = await tablesOf();
    const naming = async () => {
      const found = await Promise.all(
        tables.map(({ name }) =>
          sql.unsafe(`SELECT FROM ${name} t WHERE strpos(t::text, $1) > 0`, [id]),
        ),
      );
      return tables.map(({ name }) => name).filter((_, n) => (found[n]?.length ?? 0) > 0);
    };
    const before = await naming();
    const column = `${subject}_id`;
    const inEach = tables.filter(({ columns }) => columns.includes(column));
    for (const { name, columns, types } of inEach) {
      if (before.includes(name)) continue;
      const row = columns.map(
        (each, n) => `'${values[each] ?? values[types[n] ?? ""] ?? `x${run}`}'`,
      );
      await sql.unsafe(`INSERT INTO ${name} (${columns}) VALUES (${row})`);
    }
    expect(await naming()).toEqual(expect.arrayContaining(inEach.map(({ name }) => name)));
    await cli.json(subject, verb, id, "--yes");
    while ((await round()).notes > 0);
    const left = (await naming()).filter((name) => !name.endsWith(".audit_log"));
    expect(left).toEqual(kept);
  },
);

test.each([
  ["merchant", "erase"],
  ["shop", "erase"],
  ["client", "delete"],
])("%s %s changes nothing if Redis does not answer", async (...words) => {
  const subject = { merchant: email, shop: shopId, client: clientId }[words[0] ?? ""] ?? "";
  const erase = (url?: string) => cli.with({ REDIS_URL: url })(...words, subject, "--yes");
  expect(await erase("redis://localhost:1")).toEqual(refused(/Redis does not answer/));
  expect(await erase()).toEqual(refused(/REDIS_URL is not set/));
  expect((await cli.json("merchant show", email)).status).toBe("active");
  expect((await cli.json("client show", clientId)).status).toBe("active");
});
