import { TEST_OPERATOR } from "@partner-connect/directory/testing";
import { deleteResponses } from "@partner-connect/survey-data";
import { beforeAll, describe, expect, test } from "vitest";
import { ISSUER, suiteServer, type TestShop } from "../testing.ts";
import { insertRows, type ListBody, type ListedRecord, touchRows } from "./testing.ts";

const START = Date.parse("2025-01-01T00:00:00.000Z");
const COUNT = 100;
const LATER = START + 86_400_000;
const ids = Array.from({ length: COUNT }, (_, i) => `r${String(i).padStart(3, "0")}`);
const at = (time: number): string => new Date(time).toISOString();

const server = await suiteServer();
let _shop: TestShop;

beforeAll(async () => {
  _shop = await newShop();
});

async function newShop(): Promise<TestShop> {
  const created = await server.newShop();
  const rows = ids.map((id, i) => ({ id, inserted_at: START + i, updated_at: START + i }));
  await insertRows(server.owner, created.id, rows);
  return created;
}

async function page(path: string, of: TestShop): Promise<ListBody> {
  const response = await server.get(path.replace(ISSUER, ""), of.apiKey);
  expect([path, response.status]).toEqual([path, 200]);
  return (await response.json()) as ListBody;
}

const list = (query: string) => `/api/responses?${query}`;

describe("a link", () => {
  test("carries where its record stood, beside the cursor: the time by which the list is sorted", async () => {
    const own = await server.newShop();
    const rows = ids.map((id, i) => ({ id, inserted_at: START + i, updated_at: START + COUNT + 2 * i }));
    await insertRows(server.owner, own.id, rows);
    for (const [sort, time] of [
      ["sort=updated_at_asc&", "updated_at"],
      ["sort=updated_at_desc&", "updated_at"],
      ["sort=inserted_at_asc&", "inserted_at"],
      ["sort=inserted_at_desc&", "inserted_at"],
      ["", "inserted_at"],
    ] as const) {
      for (const name of ["starting_after", "after"]) {
        const middle = await page(list(`limit=3&${sort}${name}=r050`), own);
        const link = (cursor: string, record: ListedRecord | undefined): string =>
          `${ISSUER}${list(`limit=3&${sort}${cursor}=${record?.id}`)}&cursor_time=${encodeURIComponent(record?.[time] ?? "")}`;
        expect(middle.prev).toBe(link("ending_before", middle.data[0]));
        expect(middle.next).toBe(link("starting_after", middle.data[2]));
        expect((await page(middle.next ?? "", own)).next?.match(/cursor_time/g) ?? []).toHaveLength(1);
        expect((await page(middle.prev ?? "", own)).data).toHaveLength(3);
      }
    }
  });
});

describe("cursor_time", () => {
  test.each(["r010", "r099"])(
    "leads on from where %s stood, in both directions, also once it is deleted",
    async (id) => {
      const own = await newShop();
      await touchRows(server.owner, own.id, [id], LATER);
      const index = Number(id.slice(1));
      const place = `cursor_time=${at(START + index)}&limit=1000`;
      const check = async (last: readonly string[]): Promise<void> => {
        const go = async (query: string) =>
          (await page(list(`${query}&${place}`), own)).data.map((record) => record.id);
        const before = ids.slice(0, index);
        const after = [...ids.slice(index + 1), ...last];
        expect(await go(`sort=updated_at_asc&starting_after=${id}`)).toEqual(after);
        expect(await go(`sort=updated_at_asc&ending_before=${id}`)).toEqual(before);
        expect(await go(`sort=updated_at_desc&starting_after=${id}`)).toEqual(before.toReversed());
        expect(await go(`sort=updated_at_desc&ending_before=${id}`)).toEqual(after.toReversed());
      };
      await check([id]);
      await deleteResponses(server.owner, { shopId: own.id, ids: [id] }, TEST_OPERATOR);
      await check([]);
    },
  );

  test.each(["r010", "r099"])(
    "leads on from where %s stood by inserted_at, in both directions and by both names, whatever was corrected",
    async (id) => {
      const own = await newShop();
      const index = Number(id.slice(1));
      const corrected = new Date(START + index - 86_400_000);
      await server.owner`UPDATE survey.responses SET inserted_at = ${corrected} WHERE shop_id = ${own.id} AND id = ${id}`;
      const go = async (query: string) =>
        (await page(list(`${query}&cursor_time=${at(START + index)}&limit=1000`), own)).data.map((record) => record.id);
      const before = [id, ...ids.slice(0, index)];
      const after = ids.slice(index + 1);
      for (const [forward, backward] of [
        ["starting_after", "ending_before"],
        ["after", "before"],
      ]) {
        expect(await go(`sort=inserted_at_asc&${forward}=${id}`)).toEqual(after);
        expect(await go(`sort=inserted_at_asc&${backward}=${id}`)).toEqual(before);
        expect(await go(`${forward}=${id}`)).toEqual(before.toReversed());
        expect(await go(`${backward}=${id}`)).toEqual(after.toReversed());
      }
    },
  );
});
