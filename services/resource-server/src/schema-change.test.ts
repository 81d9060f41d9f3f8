import { newCredential } from "@partner-connect/directory";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { insertRows, type ListBody } from "./responses/testing.ts";
import { type TestResourceServer, type TestShop, testResourceServer } from "./testing.ts";

const RECORDS = 5;
const CHANGES = 12;
/** How many calls are answered between one change and the next. */
const BETWEEN = 150;

let server: TestResourceServer;
let shops: TestShop[];

beforeAll(async () => {
  server = await testResourceServer();
  shops = await Promise.all(Array.from({ length: 4 }, () => server.newShop()));
  for (const { id } of shops) {
    const rows = Array.from({ length: RECORDS }, (_, i) => ({
      id: `${id}-${i}`,
      inserted_at: 1e12 + i,
      updated_at: 1e12 + i,
    }));
    await insertRows(server.owner, id, rows);
  }
});

afterAll(() => server.close());

/** Null when the answer is right for this caller: a refusal is '503' with retry-after. Otherwise what it was. */
async function wrong(response: Response, shopId: string | null): Promise<string | null> {
  const text = await response.text();
  if (response.status === 503) return response.headers.has("retry-after") ? null : "503 without retry-after";
  if (shopId === null) return response.status === 401 ? null : `unknown key: ${response.status} ${text}`;
  const ids = response.status === 200 ? (JSON.parse(text) as ListBody).data.map(({ id }) => id) : [];
  const isOwn = ids.length === RECORDS && ids.every((id) => id.startsWith(`${shopId}-`));
  return isOwn ? null : `${shopId}: ${response.status} ${text}`;
}

test("while a column's type changes, every page is the caller's own, and every refusal is 503", async () => {
  const tally = { pages: 0, unknown: 0, refused: 0 };
  const wrongs: string[] = [];
  let isOver = false;
  const call = async (caller: number): Promise<void> => {
    for (let turn = caller; !isOver; turn++) {
      const shop = turn % 5 === 0 ? null : (shops[turn % shops.length] as TestShop);
      const key = shop === null ? newCredential("pck") : turn % 2 === 0 ? shop.apiKey : `Bearer ${shop.token}`;
      const sort = turn % 3 === 0 ? "updated_at_asc" : "inserted_at_desc";
      const response = await server.get(`/api/responses?sort=${sort}`, key);
      const found = await wrong(response, shop?.id ?? null);
      if (found) wrongs.push(found);
      tally[response.status === 503 ? "refused" : shop ? "pages" : "unknown"]++;
    }
  };
  const calls = Promise.all(Array.from({ length: 20 }, (_, caller) => call(caller)));
  const answered = (): number => tally.pages + tally.unknown;
  try {
    for (let change = 0; change < CHANGES; change++) {
      const type = change % 2 === 0 ? "varchar" : "text";
      await server.owner.unsafe(`ALTER TABLE directory.api_keys ALTER COLUMN id TYPE ${type}`);
      const before = answered();
      await vi.waitUntil(() => wrongs.length > 0 || answered() >= before + BETWEEN, { timeout: 60_000 });
    }
  } finally {
    isOver = true;
  }
  await calls;
  console.info("the API while a column's type changes:", tally, `${wrongs.length} wrong`);
  expect(wrongs).toEqual([]);
}, 240_000);
