import type { Redis } from "@partner-connect/service-runtime";
import { doorTo, ownRedis } from "@partner-connect/service-runtime/testing";
import { afterEach, expect, type Mock, onTestFinished, test, vi } from "vitest";
import { insertRows, type ListBody, rowsFrom } from "./responses/testing.ts";
import { ISSUER, type TestResourceServer, type TestShop, testResourceServer } from "./testing.ts";

let server: TestResourceServer;

afterEach(() => server.close());

async function start(options: Parameters<typeof testResourceServer>[0] = {}): Promise<TestShop> {
  server = await testResourceServer(options);
  const shop = await server.newShop();
  await insertRows(server.owner, shop.id, rowsFrom(1e12, 20));
  return shop;
}

/** Counts the rate limit's commands from here on. */
function countCounts(redis: Redis): Mock {
  const { rlflxIncr } = redis as Redis & { rlflxIncr: (...values: unknown[]) => unknown };
  const counting = vi.fn(rlflxIncr.bind(redis));
  Object.assign(redis, { rlflxIncr: counting });
  return counting;
}

test("while Redis hangs, paging completes, because at most one read a second waits for Redis", async () => {
  const redis = await ownRedis();
  onTestFinished(() => redis.stop());
  const door = await doorTo(redis.url);
  onTestFinished(() => door.close());
  const shop = await start({ redisUrl: door.url, redisSilence: 500 });
  const list = (query = "") => server.get(`/api/responses${query}`, shop.apiKey);
  expect((await list()).status).toBe(200);
  const { mock } = countCounts(server.redis);
  // After a silence of Redis, which a busy machine may cause, requests skip it for a second.
  const answer = async () => {
    await list();
    return mock.settledResults.at(-1)?.type;
  };
  await expect.poll(answer).toBe("fulfilled");
  const before = mock.calls.length;
  const asked = () => mock.calls.length - before;
  door.freeze("all");
  const begin = performance.now();
  expect((await list("?sort=updated_at_desc")).status).toBe(200);
  expect(asked()).toBe(1);
  for (let i = 0; i < 10; i++) {
    const place = `starting_after=r5&cursor_time=${new Date(1e12 + 5).toISOString()}`;
    expect((await list(`?sort=updated_at_asc&${place}`)).status).toBe(200);
  }
  expect(asked()).toBeLessThanOrEqual(1 + Math.floor((performance.now() - begin) / 1000));
  const walked: string[] = [];
  for (let path: string | null = "/api/responses?sort=updated_at_asc&limit=6"; path; ) {
    const body = (await (await server.get(path, shop.apiKey)).json()) as ListBody;
    walked.push(...body.data.map(({ id }) => id));
    path = body.next?.slice(ISSUER.length) ?? null;
  }
  expect(walked).toHaveLength(20);
});

test("while Postgres can't check the caller, an invalid call gets 503, not 400", async () => {
  const shop = await start();
  const ask = async () =>
    (await server.get("/api/responses?limit=x", `Bearer ${shop.token}`)).status;
  expect(await ask()).toBe(400);
  await server.owner`ALTER TABLE oauth.connections RENAME TO moved`;
  expect(await ask()).toBe(503);
  await server.owner`ALTER TABLE oauth.moved RENAME TO connections`;
  await expect.poll(ask).toBe(400);
});

test("while Postgres can't answer within the statement timeout, a call gets 503 with retry-after", async () => {
  const shop = await start({ statementTimeout: 300 });
  const list = () => server.get("/api/responses", shop.apiKey);
  await expect.poll(async () => (await list()).status).toBe(200);
  await server.owner.begin(async (transaction) => {
    await transaction`LOCK TABLE survey.responses IN ACCESS EXCLUSIVE MODE`;
    // The table is locked until all calls are answered.
    const answers = await Promise.all(Array.from({ length: 20 }, list));
    for (const answer of answers) {
      expect([answer.status, await answer.text()]).toEqual([503, '{"error":"unavailable"}']);
      expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    }
  });
  await expect.poll(async () => (await list()).status).toBe(200);
});
