import { TEST_OPERATOR } from "@partner-connect/directory/testing";
import { deleteResponses, importResponses } from "@partner-connect/survey-data";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ISSUER, type TestResourceServer, type TestShop, testResourceServer } from "../testing.ts";

let server: TestResourceServer;
let shop: TestShop;

interface Count {
  readonly id: string;
  readonly period: string;
  readonly question_id: number | null;
  readonly response: string | null;
  readonly count: number;
}
interface Page {
  readonly data: readonly Count[];
  readonly prev: string | null;
  readonly next: string | null;
}

beforeAll(async () => {
  server = await testResourceServer();
  shop = await filledShop();
});
afterAll(() => server.close());

/** On three days, three answers to each of two questions: 18 counts by day, 12 by month. Each number of responses is its own. */
const DAYS = ["2026-01-31", "2026-02-01", "2026-02-28"];
const RECORDS = DAYS.flatMap((day, index) =>
  [1, 2].flatMap((question_id) =>
    ["TV", 'A "friend"', null].flatMap((response) =>
      Array.from({ length: index + question_id }, (_, copy) => ({
        id: `${day} ${question_id} ${response} ${copy}`,
        inserted_at: copy === 0 ? `${day}T00:00:00Z` : `${day}T23:59:59.999Z`,
        ...{ question_id, question: `Question ${question_id}`, response, other_response: "own words" },
      })),
    ),
  ),
);

async function filledShop(): Promise<TestShop> {
  const filled = await server.newShop();
  const lines = RECORDS.map((record) => `${JSON.stringify(record)}\n`);
  await importResponses(server.owner, { shopId: filled.id, lines }, TEST_OPERATOR);
  return filled;
}

async function page(query: string, authorization = `Bearer ${shop.token}`): Promise<Page> {
  const response = await server.get(`/api/response-counts${query}`, authorization);
  expect([query, response.status]).toEqual([query, 200]);
  return (await response.json()) as Page;
}

/** All counts of a walk from the first page to the end, and the same from there back. */
async function walk(query: string): Promise<Count[]> {
  const forth: Count[] = [];
  let last = "";
  for (let url: string | null = `${ISSUER}/${query}`; url; ) {
    last = new URL(url).search;
    const { data, prev, next }: Page = await page(last);
    expect(prev === null).toBe(forth.length === 0);
    forth.push(...data);
    url = next;
  }
  const back: Count[] = [];
  for (let url: string | null = `${ISSUER}/${last}`; url; ) {
    const { data, prev }: Page = await page(new URL(url).search);
    back.unshift(...data);
    url = prev;
  }
  expect(back).toEqual(forth);
  return forth;
}

/** What a count is of, and how many. */
const said = ({ period, question_id, response, count }: Count) => `${period} ${question_id} ${response}: ${count}`;

function expected(isIn: (day: string, questionId: number) => boolean, month = false): string[] {
  const counts = new Map<string, number>();
  for (const { inserted_at, question_id, response } of RECORDS) {
    const day = inserted_at.slice(0, 10);
    const period = month ? `${day.slice(0, 7)}-01` : day;
    if (!isIn(period, question_id)) continue;
    const key = `${period} ${question_id} ${response}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].map(([key, count]) => `${key}: ${count}`).toSorted();
}

describe("GET /api/response-counts", () => {
  test.each([1, 5, 17, 18, 100])("walks by period in both directions, %i at a time", async (limit) => {
    const found = await walk(`?limit=${limit}`);
    expect(found.map(said).toSorted()).toEqual(expected(() => true));
    const periods = found.map(({ period }) => period);
    expect(periods).toEqual(periods.toSorted());
    expect(new Set(found.map(({ id }) => id)).size).toBe(18);
    expect(found.every(({ id }) => /^[\w-]{1,64}$/.test(id))).toBe(true);
  });

  test("has bounds, which include their period, and one question", async () => {
    const walked = async (query: string) => (await walk(query)).map(said).toSorted();
    expect(await walked("?limit=2&period_min=2026-02-01")).toEqual(expected((day) => day >= "2026-02-01"));
    expect(await walked("?limit=2&period_max=2026-02-01")).toEqual(expected((day) => day <= "2026-02-01"));
    const both = "?limit=4&period_min=2026-01-31&period_max=2026-01-31&question_id=2";
    expect(await walked(both)).toEqual(expected((day, id) => day === "2026-01-31" && id === 2));
    const months = expected((day, id) => day >= "2026-02-01" && id === 1, true);
    expect(await walked("?unit=month&limit=2&period_min=2026-02-01&question_id=1")).toEqual(months);
    expect(await walked("?unit=month")).toEqual(expected(() => true, true));
    expect(await page("?period_min=2026-02-01&period_max=2026-01-01")).toEqual({ data: [], prev: null, next: null });
  });

  test("goes on from a count that is gone, and from one outside of the bounds", async () => {
    shop = await filledShop();
    const all = (await page("")).data;
    const last = all.at(-1)?.id;
    const gone = all[6];
    const ids = RECORDS.map(({ id }) => id).filter((id) =>
      id.startsWith(`${gone?.period} ${gone?.question_id} ${gone?.response} `),
    );
    await deleteResponses(server.owner, { shopId: shop.id, ids }, TEST_OPERATOR);
    expect((await page(`?starting_after=${gone?.id}`)).data).toEqual(all.slice(7));
    expect((await page(`?ending_before=${gone?.id}`)).data).toEqual(all.slice(0, 6));
    const max = "period_max=2026-01-31";
    const before = await page(`?${max}&ending_before=${last}`);
    expect([before.data, before.prev, before.next]).toEqual([all.slice(0, 6), null, null]);
    const after = await page(`?${max}&starting_after=${last}`);
    expect([after.data, after.prev, after.next]).toEqual([[], null, null]);
    const min = "period_min=2026-02-28";
    expect((await page(`?${min}&starting_after=${all[0]?.id}`)).data).toEqual(all.slice(12));
    expect((await page(`?${min}&period_max=2026-01-01&starting_after=${all[8]?.id}`)).data).toEqual([]);
  });

  test("keeps to the caller's shop, takes its API key, names what it doesn't know, and says 304", async () => {
    const other = await server.newShop();
    expect(await page("", other.apiKey)).toEqual({ data: [], prev: null, next: null });
    const first = await server.get("/api/response-counts?units=month", shop.apiKey);
    expect(first.headers.get("x-ignored-parameters")).toBe("units");
    const headers = { "if-none-match": first.headers.get("etag") ?? "" };
    expect((await server.get("/api/response-counts?units=month", shop.apiKey, headers)).status).toBe(304);
  });

  test("says 503 while its counts are not right, and never a wrong number", async () => {
    shop = await filledShop();
    const last = (await page("")).data.at(-1);
    await server.owner`DELETE FROM survey.responses WHERE shop_id = ${shop.id} AND id = ${`${DAYS[2]} 1 TV 0`}`; // not by our commands
    const answer = await server.get("/api/response-counts", shop.apiKey);
    expect([answer.status, answer.headers.get("retry-after"), await answer.json()]).toEqual([
      ...[503, "60", { error: "unavailable" }],
    ]);
    expect((await server.get("/api/responses", shop.apiKey)).status).toBe(200);
    await deleteResponses(server.owner, { shopId: shop.id, ids: [`${DAYS[2]} 1 TV 1`] }, TEST_OPERATOR);
    const { data } = await page("");
    expect(
      data.find(({ period, question_id, response }) => period === DAYS[2] && question_id === 1 && response === "TV")
        ?.count,
    ).toBe(1);
    expect(last?.count).toBeGreaterThan(1);
  });

  test.each([
    ["limit=0", "limit"],
    ["limit=5&limit=5", "limit"],
    ["unit=week", "unit"],
    ["unit=", "unit"],
    ["unit=day&unit=day", "unit"],
    ["period_min=2026-2-1", "period_min"],
    ["period_min=2026-02-30", "period_min"],
    ["period_min=0000-01-01", "period_min"],
    ["period_max=2026-02-01T00:00:00Z", "period_max"],
    ["period_max=2026-11", "period_max"],
    ["unit=month&period_min=2026-02-02", "period_min"],
    ["unit=month&period_max=2026-11", "period_max"],
    ["question_id=one", "question_id"],
    ["question_id=9007199254740993", "question_id"],
    ["starting_after=x", "starting_after"],
    [`starting_after=d20260230${"A".repeat(43)}`, "starting_after"],
    [`starting_after=d20260228${"A".repeat(42)}B`, "starting_after"],
    [`unit=month&starting_after=d20260201${"A".repeat(43)}`, "starting_after"],
    [`unit=month&ending_before=m20260202${"A".repeat(43)}`, "ending_before"],
    [`starting_after=d20260228${"A".repeat(43)}&ending_before=d20260228${"A".repeat(43)}`, "ending_before"],
  ])("refuses %s, naming %s", async (query, param) => {
    const response = await server.get(`/api/response-counts?${query}`, shop.apiKey);
    expect([response.status, await response.json()]).toMatchObject([400, { error: "invalid_request", param }]);
  });
});
