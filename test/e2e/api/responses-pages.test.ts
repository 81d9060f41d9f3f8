import { beforeAll, describe, expect, test } from "vitest";
import { merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { onboard } from "../../harness/actors/onboarding.ts";
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
  records = await generateResponses(2500, "pages");
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
  test.each(SORTS)("by next in %s: each of 2,500 responses once, in order", async (sort) => {
    const pages = await walkPages(`${list}?sort=${sort}&limit=700`, bearer);
    expect(idsOf(pages)).toEqual(inOrder(sort));
    expect(pages.map(({ data }) => data.length)).toEqual([700, 700, 700, 400]);
  });

  test.each(SORTS)("by prev from the end in %s: the same pages' records, in the same order", async (sort) => {
    const order = inOrder(sort);
    const pages = await walkPages(`${list}?sort=${sort}&limit=900&ending_before=${order.at(-1)}`, bearer, "prev");
    expect(idsOf(pages.toReversed())).toEqual(order.slice(0, -1));
  });

  test("a record comes back as it was imported", async () => {
    const { data } = await getPage(`${list}?sort=inserted_at_asc&limit=50`, bearer);
    const imported = new Map(records.map((record) => [record.id, record]));
    for (const record of data) expect(record).toMatchObject(imported.get(record.id) ?? {});
  });

  test("legacy names mean the same, and links use the canonical ones", async () => {
    const order = inOrder("inserted_at_desc");
    const timeOf = (id = "") => records.find((record) => record.id === id)?.inserted_at ?? "";
    const legacy = new URLSearchParams({
      since: timeOf(order[40]),
      until: timeOf(order[10]),
      limit: "5",
      after: order[15] ?? "",
    });
    const page = await getPage(`${list}?${legacy}`, bearer);
    expect(page.data.map(({ id }) => id)).toEqual(order.slice(16, 21));
    for (const [link, cursor] of [
      [page.prev, "ending_before"],
      [page.next, "starting_after"],
    ] as const) {
      const names = [...new URL(link ?? "").searchParams.keys()];
      expect(names).toEqual(["limit", "inserted_at_min", "inserted_at_max", cursor, "cursor_time"]);
    }
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
});
