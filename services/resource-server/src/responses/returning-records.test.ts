import { TEST_OPERATOR } from "@partner-connect/directory/testing";
import { emptyRedis } from "@partner-connect/service-runtime/testing";
import { deleteResponses, importResponses, recategorizeResponses } from "@partner-connect/survey-data";
import { beforeEach, describe, expect, test } from "vitest";
import { ISSUER, suiteServer, type TestShop } from "../testing.ts";
import type { SortName } from "./list-parameters.ts";
import type { ListBody } from "./testing.ts";

const START = Date.parse("2025-01-01T00:00:00.000Z");
const ids = Array.from({ length: 10 }, (_, i) => `r${i}`);
const at = (day: number): string => new Date(START + day * 86_400_000).toISOString();

const server = await suiteServer();
let shop: TestShop;

beforeEach(async () => {
  shop = await server.newShop();
  await bring(...ids.map((id, day) => ({ id, inserted_at: at(day), updated_at: at(day) })));
});

async function bring(...records: readonly object[]): Promise<void> {
  const lines = records.map((record) => `${JSON.stringify({ question: "Who?", response: "TV", ...record })}\n`);
  await importResponses(server.owner, { shopId: shop.id, lines }, TEST_OPERATOR);
}

const remove = (id: string) => deleteResponses(server.owner, { shopId: shop.id, ids: [id] }, TEST_OPERATOR);

async function page(path: string): Promise<ListBody> {
  const response = await server.get(path, shop.apiKey);
  expect([path, response.status]).toEqual([path, 200]);
  return (await response.json()) as ListBody;
}

/** The ids to the end of the list, by links. */
async function walk(query: string): Promise<string[]> {
  const shown: string[] = [];
  for (let path: string | undefined = `/api/responses?${query}`; path; ) {
    if (shown.length > 100) throw new Error("the walk does not end");
    const { data, next }: ListBody = await page(path);
    shown.push(...data.map(({ id }) => id));
    path = next?.slice(ISSUER.length);
  }
  return shown;
}

describe("while a record is there again that was deleted", () => {
  test.each([
    ["later", {}],
    ["earlier", { inserted_at: at(-1), updated_at: at(3) }],
  ])("walks by inserted_at end and show it once, where it was inserted %s", async (_, times) => {
    await remove("r5");
    await bring({ id: "r5", ...times });
    await bring({ id: "a", inserted_at: at(-2), updated_at: at(-2) }, { id: "z" });
    for (const limit of [1, 2, 3]) {
      for (const sort of ["inserted_at_asc", "inserted_at_desc"]) {
        const shown = await walk(`sort=${sort}&limit=${limit}`);
        expect([sort, limit, shown.length, shown.toSorted()]).toEqual([sort, limit, 12, ["a", ...ids, "z"]]);
      }
    }
  });
});

describe("once a record that had come again is deleted again, and Redis has forgotten", () => {
  const others = (from: number, to: number): string[] => ids.slice(from, to).filter((id) => id !== "r5");

  test.each<[SortName, string[]]>([
    ["updated_at_asc", []],
    ["inserted_at_asc", others(6, 10)],
    ["inserted_at_desc", others(0, 10).toReversed()],
    ["updated_at_desc", others(0, 10).toReversed()],
  ])(
    "an id alone leads on in %s from where it stood last; by inserted_at from where nothing is lost",
    async (sort, expected) => {
      await remove("r5");
      await bring({ id: "r5" });
      await remove("r5");
      await emptyRedis(server.redis);
      expect((await page(`/api/responses?sort=${sort}&starting_after=r5`)).data.map(({ id }) => id)).toEqual(expected);
    },
  );

  test("an id alone leads on in updated_at_desc from where it stood last, though it came again with an older time", async () => {
    await recategorizeResponses(server.owner, { shopId: shop.id, ids: ["r5"], response: "Radio" }, TEST_OPERATOR);
    await remove("r5");
    await bring({ id: "r5", inserted_at: at(5), updated_at: at(5) });
    await remove("r5");
    await emptyRedis(server.redis);
    const { data } = await page("/api/responses?sort=updated_at_desc&starting_after=r5");
    expect(data.map(({ id }) => id)).toEqual(others(0, 10).toReversed());
  });
});
