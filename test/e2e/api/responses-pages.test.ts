import { beforeAll, describe, expect, test } from "vitest";
import { merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { onboard, onboardApiKey } from "../../harness/actors/onboarding.ts";
import { operator } from "../../harness/actors/operator.ts";
import { partner } from "../../harness/actors/partner.ts";
import { generateResponses, importRecords, type SurveyRecord } from "../../harness/actors/survey.ts";
import { getPage, idsOf, walkPages } from "../../harness/actors/walk.ts";
import { mainStack } from "../../harness/stack/stacks.ts";

const SORTS = ["inserted_at_desc", "inserted_at_asc", "updated_at_desc", "updated_at_asc"] as const;

const stack = mainStack();
const list = `${stack.base_url}/api/responses`;
let bearer: string;
let records: SurveyRecord[];

beforeAll(async () => {
  const { client, merchant, shop } = await onboard(stack);
  const app = partner(stack, client);
  records = await generateResponses(5000, "pages");
  const [{ accessToken }] = await Promise.all([
    app.connect(merchantBrowser(merchant), shop),
    importRecords(stack, "response", shop, records),
  ]);
  bearer = `Bearer ${accessToken}`;
});

/** The order that the spec describes, worked out from what was imported and nothing else. */
function inOrder(sort: (typeof SORTS)[number], of: readonly SurveyRecord[] = records): string[] {
  const column = sort.startsWith("inserted_at") ? "inserted_at" : "updated_at";
  const sign = sort.endsWith("_asc") ? 1 : -1;
  const key = (record: SurveyRecord) => `${record[column]} ${record.id}`;
  return of.toSorted((a, b) => (key(a) < key(b) ? -sign : sign)).map(({ id }) => id);
}

describe("the list of responses", () => {
  test.each(SORTS)("by next in %s: each of 5,000 responses once, in order", async (sort) => {
    const pages = await walkPages(`${list}?sort=${sort}&limit=700`, bearer);
    expect(idsOf(pages)).toEqual(inOrder(sort));
    expect(pages.map(({ data }) => data.length)).toEqual([700, 700, 700, 700, 700, 700, 700, 100]);
  });

  test.each(SORTS)("by prev from the end in %s: the same pages' records, in the same order", async (sort) => {
    const order = inOrder(sort);
    const pages = await walkPages(`${list}?sort=${sort}&limit=900&ending_before=${order.at(-1)}`, bearer, "prev");
    expect(idsOf(pages.toReversed())).toEqual(order.slice(0, -1));
  });

  test("without parameters: the newest 100 by insertion", async () => {
    const page = await getPage(list, bearer);
    expect(page.data.map(({ id }) => id)).toEqual(inOrder("inserted_at_desc").slice(0, 100));
    expect(page.prev).toBeNull();
  });

  test("a record comes back as it was imported", async () => {
    const { data } = await getPage(`${list}?sort=inserted_at_asc&limit=50`, bearer);
    const imported = new Map(records.map((record) => [record.id, record]));
    for (const record of data) expect(record).toMatchObject(imported.get(record.id) ?? {});
  });

  test("starting_after the last id is the next page, ending_before the first id the previous, nearest rows first", async () => {
    const order = inOrder("inserted_at_desc");
    const next = await getPage(`${list}?limit=10&starting_after=${order[99]}`, bearer);
    expect(next.data.map(({ id }) => id)).toEqual(order.slice(100, 110));
    const previous = await getPage(`${list}?limit=10&ending_before=${order[100]}`, bearer);
    expect(previous.data.map(({ id }) => id)).toEqual(order.slice(90, 100));
  });

  test("next is null exactly where no row follows, and prev where none precedes", async () => {
    const order = inOrder("inserted_at_asc");
    const at = async (query: string) => {
      const { prev, next } = await getPage(`${list}?sort=inserted_at_asc&${query}`, bearer);
      return [prev !== null, next !== null];
    };
    expect(await at("limit=1")).toEqual([false, true]);
    expect(await at(`limit=1&starting_after=${order[0]}`)).toEqual([true, true]);
    expect(await at(`limit=1&starting_after=${order.at(-2)}`)).toEqual([true, false]);
    expect(await at(`limit=1&ending_before=${order[1]}`)).toEqual([false, true]);
    expect(await at(`limit=2&ending_before=${order[2]}`)).toEqual([false, true]);
    expect(await at("limit=10&inserted_at_min=9000-01-01T00:00:00Z")).toEqual([false, false]);
  });

  test("prev and next keep every filter, the sort and the limit, under canonical names", async () => {
    const query = { limit: "5", sort: "updated_at_asc", inserted_at_min: "2024-01-01T00:00:00Z" };
    const bounds = { updated_at_max: "2030-01-01T00:00:00.000Z", inserted_at_max: "2029-12-31T23:00:00+01:00" };
    const first = await getPage(`${list}?${new URLSearchParams({ ...query, ...bounds, unknown: "x" })}`, bearer);
    const { next } = await getPage(first.next ?? "", bearer);
    const { prev } = await getPage(next ?? "", bearer);
    for (const [link, cursor] of [
      [next, "starting_after"],
      [prev, "ending_before"],
    ] as const) {
      const { [cursor]: id, cursor_time, ...rest } = Object.fromEntries(new URL(link ?? "").searchParams);
      expect(id).toBeTypeOf("string");
      expect(records.find((record) => record.id === id)?.updated_at).toBe(cursor_time);
      expect(rest).toEqual({ ...query, ...bounds });
    }
  });

  test("a filtered walk shows exactly the records within inclusive bounds", async () => {
    const times = records.map((record) => record.inserted_at).sort();
    const [min = "", max = ""] = [times[1000], times[3000]];
    const within = records.filter(({ inserted_at }) => inserted_at >= min && inserted_at <= max);
    const query = new URLSearchParams({
      inserted_at_min: min,
      inserted_at_max: max,
      sort: "updated_at_desc",
      limit: "333",
    });
    expect(idsOf(await walkPages(`${list}?${query}`, bearer))).toEqual(inOrder("updated_at_desc", within));
    const updated = records.filter(({ updated_at }) => updated_at >= min && updated_at <= max);
    const other = new URLSearchParams({
      updated_at_min: min,
      updated_at_max: max,
      sort: "inserted_at_asc",
      limit: "333",
    });
    expect(idsOf(await walkPages(`${list}?${other}`, bearer))).toEqual(inOrder("inserted_at_asc", updated));
  });

  test("a cursor and a time filter together: the page after the id, of what is within the bounds", async () => {
    const order = inOrder("inserted_at_desc");
    const bound = records.find(({ id }) => id === order[220])?.inserted_at ?? "";
    const query = new URLSearchParams({ starting_after: order[199] ?? "", inserted_at_min: bound, limit: "1000" });
    const page = await getPage(`${list}?${query}`, bearer);
    expect(page.data.map(({ id }) => id)).toEqual(order.slice(200, 200 + page.data.length));
    expect(page.data.at(-1)?.inserted_at).toBe(bound);
    expect(page.next).toBeNull();
  });

  test("the API host serves the same, and links lead to the configured base whatever the host", async () => {
    const order = inOrder("inserted_at_asc");
    const url = (base: string) => `${base}/api/responses?sort=inserted_at_asc&limit=3`;
    const [base, api] = [await getPage(url(stack.base_url), bearer), await getPage(url(stack.api_url), bearer)];
    expect(api).toEqual(base);
    const { origin, pathname, searchParams } = new URL(api.next ?? "");
    expect([origin, pathname]).toEqual([stack.base_url, "/api/responses"]);
    expect(Object.fromEntries(searchParams)).toEqual({
      sort: "inserted_at_asc",
      limit: "3",
      starting_after: order[2],
      cursor_time: api.data[2]?.inserted_at,
    });
  });
});

describe("recategorizing", () => {
  test("changes updated_at and response, keeps inserted_at and what was answered first, and heads updated_at_desc", async () => {
    const { merchant, client, shop } = await onboard(stack);
    const own = await generateResponses(20, "recategorize");
    await importRecords(stack, "response", shop, own);
    const { accessToken } = await partner(stack, client).connect(merchantBrowser(merchant), shop);
    const bearer = `Bearer ${accessToken}`;
    const chosen = own[7];
    if (!chosen) expect.fail("nothing generated");
    await operator(stack, ["response", "recategorize", "--shop", shop.id, "--id", chosen.id, "--response", "Radio"]);
    const [head] = (await getPage(`${list}?sort=updated_at_desc&limit=1`, bearer)).data;
    expect(head).toMatchObject({ id: chosen.id, inserted_at: chosen.inserted_at, response: "Radio" });
    expect(head?.["original_response"]).toBe(chosen["original_response"] ?? chosen["response"]);
    expect(head && head.updated_at > chosen.updated_at).toBe(true);
    const { data } = await getPage(`${list}?updated_at_min=${head?.updated_at}`, bearer);
    expect(data.map(({ id }) => id)).toEqual([chosen.id]);
  });

  test("a cursor row that was deleted or moved does not break the walk", async () => {
    const { shop } = await onboard(stack);
    const own = await generateResponses(30, "deleted");
    await importRecords(stack, "response", shop, own);
    const { key } = await onboardApiKey(stack, shop);
    const order = inOrder("updated_at_desc", own);
    const first = await getPage(`${list}?sort=updated_at_desc&limit=10`, key);
    await operator(stack, ["response", "recategorize", "--shop", shop.id, "--id", order[9] ?? "", "--response", "TV"]);
    const second = await getPage(first.next ?? "", key);
    expect(second.data.map(({ id }) => id)).toEqual(order.slice(10, 20));
    await operator(stack, ["response", "delete", "--shop", shop.id, "--id", order[19] ?? ""]);
    const third = await getPage(second.next ?? "", key);
    expect(third.data.map(({ id }) => id)).toEqual(order.slice(20, 30));
    expect(third.next).toBeNull();
  });
});
