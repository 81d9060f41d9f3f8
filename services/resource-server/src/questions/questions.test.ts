import { expect, test } from "vitest";
import { type ListPage, walkBothWays } from "../responses/testing.ts";
import { ISSUER, suiteServer } from "../testing.ts";

const server = await suiteServer();
const shop = await server.newShop();

const IDS = [-3, 1, 2, 10, 11, 9_007_199_254_740_991];

await server.owner`
  INSERT INTO survey.questions (shop_id, id, inserted_at, updated_at, doc)
  SELECT ${shop.id}, id, now(), now(), '{"id":' || id || ',"inserted_at":"t","updated_at":"t"}'
  FROM unnest(${IDS}::bigint[]) AS id`;
const other = await server.newShop();
await server.owner`
  INSERT INTO survey.questions (shop_id, id, inserted_at, updated_at, doc)
  VALUES (${other.id}, 3, now(), now(), '{"id":3}')`;

async function page(url: string): Promise<ListPage<{ readonly id: number }>> {
  const response = await server.get(url.slice(ISSUER.length), `Bearer ${shop.token}`);
  expect(response.status).toBe(200);
  return (await response.json()) as ListPage<{ id: number }>;
}

test.each([1, 2, 6])(
  "GET /api/questions can be paged through by id in both directions, with %d per page",
  async (limit) => {
    const ways = await walkBothWays(`${ISSUER}/api/questions?limit=${limit}`, page);
    expect(ways.map((questions) => questions.map(({ id }) => id))).toEqual([IDS, IDS]);
  },
);

test("GET /api/questions returns only questions of the caller's shop", async () => {
  const response = await server.get("/api/questions", other.apiKey);
  expect(await response.json()).toEqual({ data: [{ id: 3 }], prev: null, next: null });
});

test("a question's id is a position, whether the shop has it (2), another shop (3) or none (4)", async () => {
  for (const id of [2, 3, 4])
    expect((await page(`${ISSUER}/api/questions?starting_after=${id}`)).data[0]?.id).toBe(10);
});

test("a list's links have the canonical path even if the request's path is encoded", async () => {
  const { next } = await page(`${ISSUER}/api/%71uestions?limit=1`);
  expect(next).toBe(`${ISSUER}/api/questions?limit=1&starting_after=-3`);
});

test.each([
  ["limit=0", "limit"],
  ["starting_after=9007199254740992", "starting_after"],
  ["starting_after=x", "starting_after"],
  ["starting_after=01", "starting_after"],
  ["starting_after=1.0", "starting_after"],
  ["starting_after=9223372036854775808", "starting_after"],
  ["ending_before=", "ending_before"],
])("GET /api/questions refuses %s with 400 (param %s)", async (query, param) => {
  const response = await server.get(`/api/questions?${query}`, shop.apiKey);
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { error: "invalid_request", param },
  ]);
});
