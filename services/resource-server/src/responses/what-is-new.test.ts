import { TEST_OPERATOR } from "@partner-connect/directory/testing";
import { deleteResponses, importResponses } from "@partner-connect/survey-data";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type TestResourceServer, type TestShop, testResourceServer } from "../testing.ts";
import { insertRows, type ListBody } from "./testing.ts";

const START = Date.parse("2025-01-01T00:00:00.000Z");
const at = (offset: number): string => new Date(START + offset).toISOString();

/** What has changed since the record was shown there. */
const since = (id: string, offset: number, more = ""): string =>
  `/api/responses?sort=updated_at_asc&starting_after=${id}&cursor_time=${at(offset)}${more}`;

let server: TestResourceServer;
let shop: TestShop;

beforeAll(async () => {
  // Its clock stands still: tags of two answers are compared, and that of a list whose records move has the hour in it.
  server = await testResourceServer({ now: () => START });
});
afterAll(() => server.close());
beforeEach(async () => {
  shop = await server.newShop();
  await insertRows(
    server.owner,
    shop.id,
    ["a", "b", "c"].map((id) => ({ id, inserted_at: START, updated_at: START + 1 })),
  );
});

/** A tag that is no page's has the page read. */
async function answers(path: string): Promise<readonly [early: unknown, read: unknown]> {
  const asked = [{}, { "if-none-match": '"x"' }].map(async (headers: Record<string, string>) => {
    const answer = await server.get(path, shop.apiKey, headers);
    return [answer.status, answer.headers.get("etag"), answer.headers.get("vary"), await answer.text()];
  });
  const [early, read] = await Promise.all(asked);
  return [early, read];
}

async function idsOf(path: string): Promise<string[]> {
  return ((await (await server.get(path, shop.apiKey)).json()) as ListBody).data.map(({ id }) => id);
}

describe("what is new since a position", () => {
  test.each([
    ["nothing follows", since("c", 1)],
    ["the record is later in the list by now", since("c", -5)],
    ["others have the same time and a later id", since("a", 1)],
    ["what follows is filtered out", since("a", 1, "&updated_at_max=2024-01-01T00:00:00Z")],
    ["nothing follows, with a filter", since("c", 1, "&inserted_at_min=2024-01-01T00:00:00Z&limit=1000")],
    ["this shop never had the record", since("x", 1)],
  ])("is answered as its page would be, where %s", async (_, path) => {
    const [early, read] = await answers(path);
    expect(early).toEqual(read);
  });

  test("is nothing, exactly until something changes", async () => {
    expect(await idsOf(since("c", 1))).toEqual([]);
    expect(await idsOf(since("b", 1))).toEqual(["c"]);
    const line = `${JSON.stringify({ id: "d", question: "How?", response: "TV" })}\n`;
    await importResponses(server.owner, { shopId: shop.id, lines: [line] }, TEST_OPERATOR);
    expect(await idsOf(since("c", 1))).toEqual(["d"]);
  });

  test("is told to a caller whose record was deleted meanwhile", async () => {
    await deleteResponses(server.owner, { shopId: shop.id, ids: ["c"] }, TEST_OPERATOR);
    expect(await idsOf(since("c", 1))).toEqual([]);
    expect(await idsOf(since("a", 1))).toEqual(["b"]);
  });

  test("is read without the page where it is nothing: a shop without memory for a page is told so too", async () => {
    const held = server.answers.hold(shop.id, server.answers.limit / 2);
    expect((await server.get(since("c", 1), shop.apiKey)).status).toBe(200);
    expect((await server.get(since("a", 1), shop.apiKey)).status).toBe(429);
    held.release();
  });
});

test("a caller who may not ask any more is refused, also where nothing is new", async () => {
  const bearer = `Bearer ${shop.token}`;
  expect((await server.get(since("c", 1), bearer)).status).toBe(200);
  await server.owner`UPDATE oauth.connections SET status = 'revoked' WHERE id = ${shop.connectionId}`;
  const refused = await Promise.all(["c", "x"].map((id) => server.get(since(id, 1), bearer)));
  expect(refused.map(({ status }) => status)).toEqual([403, 403]);
});
