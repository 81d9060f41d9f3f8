import { createApiKey } from "@partner-connect/directory";
import { TEST_OPERATOR } from "@partner-connect/directory/testing";
import { ownRedis } from "@partner-connect/service-runtime/testing";
import { shopKeeper } from "@partner-connect/survey-data/testing";
import { afterAll, beforeEach, expect, onTestFinished, test } from "vitest";
import {
  suiteServer,
  type TestResourceServer,
  type TestShop,
  testResourceServer,
} from "../testing.ts";
import type { SortName } from "./list-parameters.ts";
import { insertRows, type ListBody, rowsFrom, touchRows } from "./testing.ts";

const ids = Array.from({ length: 9 }, (_, i) => `r${i}`);

const redis = await ownRedis();
afterAll(() => redis.stop());
const server = await suiteServer({ redisUrl: redis.url });
const replica = await suiteServer({ redisUrl: redis.url, sharedWith: server });
let shop: TestShop;
let start: number;

beforeEach(async () => {
  await redis.call("FLUSHALL");
  start = Date.now() - 60_000;
  shop = await server.newShop();
  await insertRows(server.owner, shop.id, rowsFrom(start, ids.length));
});

const ask = (query: string, { by = server, as = shop.apiKey } = {}) =>
  by.get(`/api/responses?${query}${query.includes("limit=") ? "" : "&limit=3"}`, as);

async function page(query: string, options: Parameters<typeof ask>[1] = {}): Promise<string> {
  const response = await ask(query, options);
  expect([query, response.status]).toEqual([query, 200]);
  return ((await response.json()) as ListBody).data.map(({ id }) => id).join(" ");
}

const move = (id: string, milliseconds: number) =>
  touchRows(server.owner, shop.id, [id], start + milliseconds);
const UP = "sort=updated_at_asc";
const DOWN = "sort=updated_at_desc";

const time = (milliseconds: number): string =>
  `cursor_time=${new Date(start + milliseconds).toISOString()}`;
const keys = async () => (await redis.call("KEYS", "cursor:*")) as string[];

test.each([
  [UP, "", "starting_after=r2", "r3 r4 r5"],
  [UP, "&ending_before=r6", "ending_before=r3", "r0 r1 r2"],
  [DOWN, "", "starting_after=r6", "r5 r4 r3"],
  [DOWN, "&ending_before=r2", "ending_before=r5", "r8 r7 r6"],
])(
  "after the page ?%s%s, the cursor %s without cursor_time continues where the caller saw the record, even after the record moved",
  async (sort, first, cursor, expected) => {
    await page(sort + first);
    await move(cursor.slice(-2), 100);
    expect(await page(`${sort}&${cursor}`, { by: replica })).toBe(expected);
  },
);

test("under updated_at_*, a cursor without cursor_time continues at the position that the same caller saw in the same sort", async () => {
  const { key } = await createApiKey(server.owner, shop.id, TEST_OPERATOR);
  await page(UP);
  await move("r2", 100);
  for (const as of [key, `Bearer ${shop.token}`]) {
    expect(await page(`${UP}&starting_after=r8`, { as })).toBe("r2");
    expect(await page(`${UP}&starting_after=r2`, { as })).toBe("");
  }
  expect(await page(`${DOWN}`)).toBe("r2 r8 r7");
  expect(await page(`${UP}&starting_after=r2`)).toBe("r3 r4 r5");
});

test("a day after the page, a cursor without cursor_time under updated_at_* continues at the record's current position", async () => {
  await page(UP);
  await move("r2", 7);
  const kept = await keys();
  expect(kept.length).toBe(2);
  for (const key of kept) {
    const ttl = (await redis.call("TTL", key)) as number;
    expect(ttl).toBeLessThanOrEqual(86_400);
    expect(ttl).toBeGreaterThan(86_400 - 300);
    await redis.call("EXPIRE", key, "0");
  }
  expect(await page(`${UP}&starting_after=r2`)).toBe("r7 r8");
});

async function expectUnavailable(query: string, by: TestResourceServer): Promise<void> {
  const response = await ask(query, { by });
  const answer = [response.status, await response.text(), response.headers.get("retry-after")];
  expect([query, ...answer]).toEqual([query, 503, '{"error":"unavailable"}', "1"]);
}

test("while Redis is down, only a cursor without cursor_time under updated_at_* gets 503", async () => {
  const away = await testResourceServer({ sharedWith: server, redisAway: true });
  onTestFinished(() => away.close());
  for (const sort of [UP, DOWN]) {
    for (const cursor of ["starting_after=r5", "ending_before=r5"])
      await expectUnavailable(`${sort}&${cursor}`, away);
  }
  expect(await page(UP, { by: away })).toBe("r0 r1 r2");
  expect(await page(`${UP}&starting_after=r2&${time(2)}`, { by: away })).toBe("r3 r4 r5");
  expect(await page("sort=inserted_at_asc&starting_after=r2", { by: away })).toBe("r3 r4 r5");
});

test.each([
  ["to read positions", ["~*", "-get"]],
  ["to store positions", ["~rate-limit:*", "%R~cursor:*"]],
])(
  "while Redis refuses %s, only a cursor without cursor_time under updated_at_* gets 503",
  async (_, rules) => {
    await redis.call(
      "ACL",
      "SETUSER",
      "limited",
      "reset",
      "on",
      ">secret",
      "&*",
      "+@all",
      ...rules,
    );
    const redisUrl = Object.assign(new URL(redis.url), {
      username: "limited",
      password: "secret",
    }).href;
    const refusing = await testResourceServer({ sharedWith: server, redisUrl });
    onTestFinished(() => refusing.close());
    await expectUnavailable(`${UP}&starting_after=r2`, refusing);
    expect(await page(UP, { by: refusing })).toBe("r0 r1 r2");
    expect(await page(`${UP}&starting_after=r2&${time(2)}`, { by: refusing })).toBe("r3 r4 r5");
  },
);

const keeper = shopKeeper(server.owner);
const remove = () => keeper.remove(shop.id, ["r5"]);
const others = (from: number, to: number): string[] =>
  ids.slice(from, to).filter((id) => id !== "r5");
const bring = (times = {}) =>
  keeper.importInto(shop.id, { id: "r5", question: "Who?", response: "TV", ...times });
const pageAfter = async (sort: SortName) => {
  await redis.call("FLUSHALL");
  return (await page(`limit=9&sort=${sort}&starting_after=r5`))
    .split(" ")
    .filter((id) => id !== "");
};

test.each<[SortName, string[]]>([
  ["updated_at_asc", []],
  ["inserted_at_asc", others(6, 9)],
  ["inserted_at_desc", others(0, 9).toReversed()],
  ["updated_at_desc", others(0, 9).toReversed()],
])(
  "if Redis lost the position of a record that was deleted twice, the list in %s misses no record",
  async (sort, expected) => {
    await remove();
    await bring();
    await remove();
    expect(await pageAfter(sort)).toEqual(expected);
  },
);

test("if Redis lost a position, the list in updated_at_desc continues at the record's latest time, even after an import with an older time", async () => {
  const time = new Date(start + 5).toISOString();
  await remove();
  await bring();
  await keeper.recategorize(shop.id, ["r5"], "Radio");
  await remove();
  await bring({ inserted_at: time, updated_at: time });
  await remove();
  expect(await pageAfter("updated_at_desc")).toEqual(others(0, 9).toReversed());
});
