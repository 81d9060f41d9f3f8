import { transaction } from "@partner-connect/database";
import { waitingSessions } from "@partner-connect/database/testing";
import { expect, test } from "vitest";
import { REQUEST_PERMITS } from "../http/permits.ts";
import { suiteServer, type TestResourceServer, type TestShop } from "../testing.ts";

/** Longer than any test, so that what is locked stays locked until the test releases it. */
const STATEMENT_TIMEOUT_MS = 120_000;

const patient = await suiteServer({ statementTimeout: STATEMENT_TIMEOUT_MS });
const hasty = await suiteServer({ statementTimeout: 900, sharedWith: patient });

type Posting = { key?: string | undefined; authorization?: string; name?: string };

function post(
  server: TestResourceServer,
  shop: TestShop,
  externalId: string,
  posting: Posting = {},
) {
  const { key, authorization = shop.apiKey, name = "A" } = posting;
  return fetch(`${server.url}/api/sources`, {
    method: "POST",
    headers: {
      authorization,
      "content-type": "application/json",
      ...(key !== undefined && { "idempotency-key": key }),
    },
    body: JSON.stringify({ name, type: "tv", external_id: externalId }),
  });
}

/** Runs `work` while another session holds the shop's source rows, or its idempotency keys. */
async function whileLocked(
  shop: TestShop,
  table: "sources" | "idempotency_keys",
  work: () => Promise<void>,
) {
  await transaction(patient.owner, async (session) => {
    const locked =
      await session`SELECT FROM survey.${session(table)} WHERE shop_id = ${shop.id} FOR UPDATE`;
    expect(locked.count).toBe(1);
    await work();
  });
}

const REVOKE = "oauth.connections SET status = 'revoked', generation = generation + 1";
test.each([
  ["the connection is revoked", undefined, 403, "connectionId", REVOKE],
  ["the connection is revoked", "k2", 403, "connectionId", REVOKE],
  ["the plan loses the scope", undefined, 403, "id", "directory.shops SET plan = 'standard'"],
  ["the API key is revoked", "k2", 401, "apiKeyId", "directory.api_keys SET revoked_at = now()"],
] as const)(
  "a write that waits for a lock is rolled back if %s (Idempotency-Key: %s)",
  async (_, key, status, id, end) => {
    const shop = await patient.newShop();
    const authorization = id === "apiKeyId" ? shop.apiKey : `Bearer ${shop.token}`;
    expect((await post(patient, shop, "e", { authorization })).status).toBe(201);
    let answer: Promise<Response> | undefined;
    await whileLocked(shop, "sources", async () => {
      answer = post(patient, shop, "e", { key, authorization, name: "B" });
      await expect.poll(() => waitingSessions(patient.owner)).toBeGreaterThan(0);
      await patient.owner.unsafe(`UPDATE ${end} WHERE id = $1`, [shop[id]]);
    });
    expect((await answer)?.status).toBe(status);
    const rows = await patient.owner`SELECT name FROM survey.sources WHERE shop_id = ${shop.id}`;
    expect(rows).toMatchObject([{ name: "A" }]);
    const kept =
      await patient.owner`SELECT FROM survey.idempotency_keys WHERE shop_id = ${shop.id}`;
    expect(kept.count).toBe(0);
  },
);

test.each([
  ["a connection", 403],
  ["an API key", 401],
])(
  "if a shop's erasure begins while a write by %s waits, the write is rolled back and gets %i",
  async (by, status) => {
    const shop = await patient.newShop();
    const authorization = by === "a connection" ? `Bearer ${shop.token}` : shop.apiKey;
    let answer: Promise<Response> | undefined;
    await transaction(patient.owner, async (erasing) => {
      await erasing`UPDATE directory.shops SET erase_requested_at = now() WHERE id = ${shop.id}`;
      answer = post(patient, shop, "e", { authorization });
      await expect.poll(() => waitingSessions(patient.owner)).toBeGreaterThan(0);
    });
    expect((await answer)?.status).toBe(status);
    const rows = await patient.owner`SELECT FROM survey.sources WHERE shop_id = ${shop.id}`;
    expect(rows.count).toBe(0);
  },
);

test.each([
  ["sources", undefined, 200],
  ["idempotency_keys", "k", 201],
] as const)("a locked row of %s delays no other shop's writes", async (table, key, status) => {
  const [locked, ...others] = await Promise.all(Array.from({ length: 5 }, () => patient.newShop()));
  if (!locked) throw new Error("no shop");
  expect((await post(patient, locked, "e", { key: "k" })).status).toBe(201);
  const waiting: Promise<number>[] = [];
  await whileLocked(locked, table, async () => {
    let answered = 0;
    // As many calls as a shop has permits, because more would be refused after 5 s.
    for (let i = 0; i < REQUEST_PERMITS.ofShop; i++) {
      const answer = post(patient, locked, "e", { key }).then((response) => response.status);
      waiting.push(answer);
      answer.then(() => answered++);
    }
    const posts = others.map((shop) => post(patient, shop, "e", { key: "k" }));
    const statuses = (await Promise.all(posts)).map((response) => response.status);
    expect(statuses).toEqual(Array(4).fill(201));
    expect(answered).toBe(0);
  });
  expect(await Promise.all(waiting)).toEqual(Array(REQUEST_PERMITS.ofShop).fill(status));
});

test("a write that waits too long for a locked source row gets 503 with retry-after", async () => {
  const shop = await hasty.newShop();
  expect((await post(patient, shop, "e")).status).toBe(201);
  await whileLocked(shop, "sources", async () => {
    const answers = await Promise.all(Array.from({ length: 3 }, () => post(hasty, shop, "e")));
    for (const answer of answers) {
      expect([answer.status, await answer.text()]).toEqual([503, '{"error":"unavailable"}']);
      expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    }
  });
  await expect.poll(async () => (await post(hasty, shop, "e")).status).toBe(200);
});
