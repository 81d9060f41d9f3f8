import { type OwnRedis, ownRedis } from "@partner-connect/service-runtime/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { insertRows, type ListBody, touchRows } from "../responses/testing.ts";
import { ISSUER, type TestResourceServer, type TestShop, testResourceServer } from "../testing.ts";
import { LEFT_MS, SHOWN_MS } from "./shown-positions.ts";

const ids = Array.from({ length: 12 }, (_, i) => `r${String(i).padStart(2, "0")}`);

let now: number;
let start: number;
let redis: OwnRedis;
let server: TestResourceServer;
let replica: TestResourceServer;
/** Waits for a silent Redis for half a second; a busy machine may take longer, so it is asked nothing that depends on the answer. */
let hasty: TestResourceServer;
let shop: TestShop;

beforeAll(async () => {
  redis = await ownRedis();
  const options = { redisUrl: redis.url, now: () => now };
  now = Date.now();
  server = await testResourceServer(options);
  replica = await testResourceServer({ ...options, sharedWith: server });
  hasty = await testResourceServer({ ...options, redisSilence: 500, sharedWith: server });
});
afterAll(async () => {
  await hasty.close();
  await replica.close();
  await server.close();
  await redis.stop();
});

beforeEach(async () => {
  now = Date.now();
  start = now - 1000;
  shop = await server.newShop();
  await insertRows(
    server.owner,
    shop.id,
    ids.map((id, i) => ({ id, inserted_at: start, updated_at: start + i })),
  );
});
afterEach(() => redis.resume());

const ask = (query: string, by = server) => by.get(`/api/responses?sort=updated_at_asc&limit=3${query}`, shop.apiKey);

/** The ids of a page. */
async function page(query: string, by = server): Promise<string[]> {
  const response = await ask(query, by);
  expect([query, response.status]).toEqual([query, 200]);
  return ((await response.json()) as ListBody).data.map(({ id }) => id);
}

const after = (id: string, by = server) => page(`&starting_after=${id}`, by);

/** To the end, from the first page or another, by links. */
async function walkByLinks(query = ""): Promise<void> {
  for (let path: string | null = `/api/responses?sort=updated_at_asc&limit=3${query}`; path; ) {
    const response = await replica.get(path, shop.apiKey);
    expect([path, response.status]).toEqual([path, 200]);
    path = ((await response.json()) as ListBody).next?.slice(ISSUER.length) ?? null;
  }
}

const at = (milliseconds: number): string => `&cursor_time=${new Date(start + milliseconds).toISOString()}`;

const move = (id: string, milliseconds: number) => touchRows(server.owner, shop.id, [id], start + milliseconds);

async function expectUnavailable(query: string, by = server): Promise<void> {
  const response = await ask(query, by);
  expect([response.status, await response.text(), response.headers.get("retry-after")]).toEqual([
    503,
    '{"error":"unavailable"}',
    "1",
  ]);
}

/** Until this replica asks Redis again. */
const recovered = (by: TestResourceServer) =>
  expect.poll(async () => (await ask("&starting_after=r00", by)).status, { timeout: 10_000 }).toBe(200);

describe("who passes ids alone", () => {
  test("loses nothing when another walk of the same key meets the record at a later place", async () => {
    expect(await page("")).toEqual(["r00", "r01", "r02"]);
    await move("r02", 100);
    await walkByLinks();
    expect(await after("r02")).toEqual(["r03", "r04", "r05"]);
  });

  test("going down goes on from the newest place", async () => {
    expect(await page(`&ending_before=r05${at(5)}`)).toEqual(["r02", "r03", "r04"]);
    await move("r02", 100);
    await walkByLinks();
    expect(await page("&ending_before=r02")).toEqual(["r09", "r10", "r11"]);
  });

  test("is told 503 with retry-after while Redis can't be asked, and goes on exactly afterwards", async () => {
    expect(await page("")).toEqual(["r00", "r01", "r02"]);
    await move("r02", 100);
    redis.pause();
    await expectUnavailable("&starting_after=r02", hasty);
    await expectUnavailable("&starting_after=r02", hasty);
    expect(await page(`&starting_after=r02${at(2)}`, hasty)).toEqual(["r03", "r04", "r05"]);
    redis.resume();
    await recovered(hasty);
    expect(await after("r02")).toEqual(["r03", "r04", "r05"]);
  });

  test("is told 503 too when Redis refuses the question, or only what is to be kept", async () => {
    const limited = async (rule: string): Promise<TestResourceServer> => {
      await redis.command("ACL", "SETUSER", "limited", "reset", "on", ">secret", "~*", "&*", "+@all", rule);
      const url = Object.assign(new URL(redis.url), { username: "limited", password: "secret" }).href;
      return await testResourceServer({ sharedWith: server, redisUrl: url });
    };
    expect(await page("")).toEqual(["r00", "r01", "r02"]);
    await move("r02", 100);
    for (const rule of ["-zrange", "-zadd", "-evalsha"]) {
      const refusing = await limited(rule);
      try {
        expect(await page("", refusing)).toEqual(["r00", "r01", "r03"]);
        await expectUnavailable("&starting_after=r02", refusing);
        expect(await page(`&starting_after=r02${at(2)}`, refusing)).toEqual(["r03", "r04", "r05"]);
      } finally {
        await refusing.close();
      }
    }
    // Nobody who was refused has gone on.
    now += LEFT_MS + 1;
    expect(await after("r02")).toEqual(["r03", "r04", "r05"]);
  });

  test("goes on from where the record stands now once Redis is emptied", async () => {
    expect(await page("")).toEqual(["r00", "r01", "r02"]);
    await redis.command("FLUSHALL");
    expect(await after("r02")).toEqual(["r03", "r04", "r05"]);
    await redis.command("FLUSHALL");
    await move("r02", 8);
    expect(await after("r02")).toEqual(["r08", "r09", "r10"]);
  });

  test("goes on from where they were shown the record for a day, and for half a minute once they have gone on", async () => {
    expect(await page("")).toEqual(["r00", "r01", "r02"]);
    await move("r02", 100);
    now += SHOWN_MS / 2;
    expect(await after("r02")).toEqual(["r03", "r04", "r05"]);
    await move("r05", 101);
    now += LEFT_MS - 1;
    expect(await after("r02")).toEqual(["r03", "r04", "r06"]);
    now += 2;
    expect(await after("r02")).toEqual(["r05"]);
    now += SHOWN_MS - LEFT_MS - 2;
    expect(await after("r05")).toEqual(["r06", "r07", "r08"]);
    await move("r08", 102);
    now += SHOWN_MS;
    expect(await after("r08")).toEqual([]);
  });

  test("is where they were after an empty page, however long they wait", async () => {
    expect(await page(`&starting_after=r10${at(10)}`)).toEqual(["r11"]);
    for (let asked = 0; asked < 4; asked++) {
      now += SHOWN_MS - 1;
      expect(await after("r11")).toEqual([]);
    }
    await move("r03", 100);
    await move("r11", 101);
    await move("r04", 102);
    expect(await after("r11")).toEqual(["r03", "r11", "r04"]);
  });

  test("has gone on from a place by a link too", async () => {
    await walkByLinks();
    await move("r02", 100);
    await walkByLinks(`&starting_after=r05${at(5)}`);
    now += LEFT_MS + 1;
    expect(await after("r02")).toEqual([]);
  });
});

test("everything that is remembered has an end, a day after it was shown", async () => {
  await redis.command("FLUSHALL");
  let last: string | undefined;
  for (let i = 0; i < 8; i++) {
    last = (last === undefined ? await page("") : await after(last)).at(-1) ?? "";
    await move(last, 100 + i);
  }
  const keys = ((await redis.command("KEYS", "cursor:*")) as string[]).sort();
  const lives = await Promise.all(keys.map(async (key) => (await redis.command("PTTL", key)) as number));
  expect(keys.length).toBeGreaterThanOrEqual(4);
  expect(lives.filter((life) => life <= 0 || life > SHOWN_MS)).toEqual([]);
  // A position that no longer counts goes when the record is shown again.
  await redis.command("FLUSHALL");
  for (let i = 0; i < 3; i++) {
    await move("r00", 200 + i);
    expect((await server.get("/api/responses?sort=updated_at_desc&limit=1", shop.apiKey)).status).toBe(200);
    now += SHOWN_MS + 1;
  }
  const kept = (await redis.command("KEYS", "cursor:*")) as string[];
  expect(await Promise.all(kept.map((key) => redis.command("ZCARD", key)))).toEqual([1]);
});

describe("walks by ids alone end", () => {
  test("where the record at the edge moves ahead of each page, alone", async () => {
    const shown: string[] = [];
    for (let last: string | undefined, i = 0; i < 100; i++) {
      const data: string[] = last === undefined ? await page("") : await after(last);
      shown.push(...data);
      last = data.at(-1);
      if (last === undefined) break;
      if (i < 10) await move(last, 100 + i);
    }
    expect(new Set(shown).size).toBe(12);
    expect(shown.length).toBeLessThanOrEqual(12 + 10);
  });

  test("where two have a place in common: the later one counts once the earlier one was left for long enough", async () => {
    expect([await page(""), await page("", replica)]).toEqual([ids.slice(0, 3), ids.slice(0, 3)]);
    await move("r02", 100);
    let last = "r02";
    do last = (await after(last)).at(-1) ?? "";
    while (last !== "r02");
    // Who asks may be the one or the other.
    expect(await after("r02")).toEqual(["r03", "r04", "r05"]);
    now += LEFT_MS + 1;
    expect(await after("r02")).toEqual([]);
  });
});
