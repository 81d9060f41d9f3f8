import { nodeOf, whileAway, whileSilent } from "@partner-connect/database/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { insertRows } from "./responses/testing.ts";
import { type TestResourceServer, type TestShop, testResourceServer } from "./testing.ts";

const onCitus = process.env["CITUS_URL"] !== undefined;
let server: TestResourceServer;
/** Waits for half a second for a node that says nothing. */
let hasty: TestResourceServer;
/** Two shops on different nodes. */
let near: TestShop;
let far: TestShop;
let farNode: number;

beforeAll(async () => {
  if (!onCitus) return;
  server = await testResourceServer();
  hasty = await testResourceServer({ statementTimeout: 500, sharedWith: server });
  near = await server.newShop();
  const nearNode = await nodeOf(server.owner, near.id);
  do {
    far = await server.newShop();
    farNode = await nodeOf(server.owner, far.id);
  } while (farNode === nearNode);
  const rows = Array.from({ length: 5 }, (_, i) => ({ id: `r${i}`, inserted_at: 1e12 + i, updated_at: 1e12 + i }));
  for (const { id } of [near, far]) await insertRows(server.owner, id, rows);
});
afterAll(async () => {
  await hasty?.close();
  await server?.close();
});

const READS = [
  "/api/responses",
  "/api/responses?sort=updated_at_asc&starting_after=r1&cursor_time=2001-09-09T01:46:40.001Z",
  "/api/responses?inserted_at_min=2001-01-01T00:00:00Z&sort=updated_at_desc",
  "/api/questions",
  "/api/deleted-responses",
  "/api/connection",
];

interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
}

async function read(shop: TestShop, path: string, by: TestResourceServer): Promise<Answer> {
  const answer = await by.get(path, `Bearer ${shop.token}`);
  await answer.text();
  return { status: answer.status, retryAfter: answer.headers.get("retry-after") };
}

async function write(shop: TestShop, by: TestResourceServer, key?: string): Promise<Answer> {
  const answer = await fetch(`${by.url}/api/sources`, {
    method: "POST",
    headers: {
      authorization: shop.apiKey,
      "content-type": "application/json",
      ...(key !== undefined && { "idempotency-key": key }),
    },
    body: JSON.stringify({ name: "A", type: "tv" }),
  });
  await answer.text();
  return { status: answer.status, retryAfter: answer.headers.get("retry-after") };
}

/** Every kind of call of a shop. */
const everything = (shop: TestShop, by = server): Promise<Answer>[] => [
  ...READS.map((path) => read(shop, path, by)),
  write(shop, by),
  write(shop, by, "key"),
];
const statuses = async (calls: readonly Promise<Answer>[]): Promise<number[]> =>
  (await Promise.all(calls)).map(({ status }) => status);
const FINE = [...READS.map(() => 200), 201, 201];

async function calls(shop: TestShop): Promise<number> {
  await server.usage.flush();
  const [row] = await server.owner<{ calls: number }[]>`
    SELECT coalesce(sum(calls), 0)::int AS calls FROM oauth.api_usage WHERE shop_id = ${shop.id}`;
  return row?.calls ?? 0;
}

describe("on Citus (CITUS_URL), a node", { skip: !onCitus }, () => {
  test("that is away is 503 with retry-after for its shops, and nothing for others; all is well once it is back", async () => {
    expect(await statuses([...everything(near), ...everything(far)])).toEqual([...FINE, ...FINE]);
    await whileAway(server.owner, farNode, async () => {
      for (let round = 0; round < 5; round++) {
        const [there, here] = [everything(far), everything(near)];
        for (const answer of await Promise.all(there)) expect(answer).toEqual({ status: 503, retryAfter: "1" });
        expect(await statuses(here)).toEqual(FINE);
      }
    });
    expect(await statuses([...everything(near), ...everything(far)])).toEqual([...FINE, ...FINE]);
  });

  test("that is away delays what is counted of its shops, and loses nothing of it", async () => {
    const before = [await calls(near), await calls(far)] as const;
    await whileAway(server.owner, farNode, async () => {
      await statuses([...everything(near), ...everything(far)]);
      await server.usage.flush();
    });
    await expect.poll(() => calls(near)).toBe(before[0] + FINE.length);
    await expect.poll(() => calls(far)).toBe(before[1] + FINE.length);
  });

  test("that says nothing is 503 for its shops in time; others are answered as ever or 503; all is well once it is back", async () => {
    await whileSilent(server.owner, farNode, async () => {
      const [there, here] = [everything(far, hasty), everything(near, hasty)];
      for (const answer of await Promise.all(there)) expect(answer).toEqual({ status: 503, retryAfter: "1" });
      for (const [index, status] of (await statuses(here)).entries()) expect([FINE[index], 503]).toContain(status);
    });
    await expect
      .poll(() => statuses([...everything(near, hasty), ...everything(far, hasty)]), { timeout: 30_000 })
      .toEqual([...FINE, ...FINE]);
  });
});
