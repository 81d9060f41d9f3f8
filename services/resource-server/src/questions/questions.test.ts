import { beforeAll, describe, expect, test } from "vitest";
import { ISSUER, suiteServer, type TestShop } from "../testing.ts";

const server = await suiteServer();
let shop: TestShop;

const IDS = [-3, 1, 2, 10, 11, 9_007_199_254_740_991];

beforeAll(async () => {
  shop = await server.newShop();
  await server.owner`
    INSERT INTO survey.questions (shop_id, id, inserted_at, updated_at, doc)
    SELECT ${shop.id}, id, now(), now(), '{"id":' || id || ',"inserted_at":"t","updated_at":"t"}'
    FROM unnest(${IDS}::bigint[]) AS id`;
});

interface QuestionList {
  readonly data: readonly { readonly id: number }[];
  readonly prev: string | null;
  readonly next: string | null;
}

async function page(path: string): Promise<QuestionList> {
  const response = await server.get(path, `Bearer ${shop.token}`);
  expect(response.status).toBe(200);
  return (await response.json()) as QuestionList;
}

describe("GET /api/questions", () => {
  test("walks by id in both directions", async () => {
    const forth: number[] = [];
    let url: string | null = `${ISSUER}/api/questions?limit=2`;
    let last = url;
    while (url) {
      const body: QuestionList = await page(url.slice(ISSUER.length));
      expect(body.prev === null).toBe(forth.length === 0);
      forth.push(...body.data.map(({ id }) => id));
      last = url;
      url = body.next;
    }
    expect(forth).toEqual(IDS);
    const back: number[] = [];
    for (url = last; url; ) {
      const body: QuestionList = await page(url.slice(ISSUER.length));
      back.unshift(...body.data.map(({ id }) => id));
      url = body.prev;
    }
    expect(back).toEqual(IDS);
  });

  test("keeps to the caller's shop", async () => {
    const other = await server.newShop();
    const response = await server.get("/api/questions", other.apiKey);
    expect(await response.json()).toEqual({ data: [], prev: null, next: null });
  });

  test.each([
    ["limit=0", "limit"],
    ["starting_after=3", "starting_after"],
    ["starting_after=x", "starting_after"],
    ["starting_after=01", "starting_after"],
    ["starting_after=1.0", "starting_after"],
    ["starting_after=9223372036854775808", "starting_after"],
    ["ending_before=", "ending_before"],
  ])("refuses %s, naming %s", async (query, param) => {
    const response = await server.get(`/api/questions?${query}`, shop.apiKey);
    expect([response.status, await response.json()]).toMatchObject([400, { error: "invalid_request", param }]);
  });
});
