import { doorTo, ownRedis } from "@partner-connect/service-runtime/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { insertRows, type ListBody } from "./responses/testing.ts";
import { ISSUER, testResourceServer } from "./testing.ts";

async function start(options: Parameters<typeof testResourceServer>[0] = {}) {
  const server = await testResourceServer(options);
  onTestFinished(() => server.close());
  const shop = await server.newShop();
  const rows = Array.from({ length: 20 }, (_, i) => ({ id: `r${i}`, inserted_at: 1e12 + i, updated_at: 1e12 + i }));
  await insertRows(server.owner, shop.id, rows);
  return { ...server, ask: (path: string, by = shop.apiKey) => server.get(path, by), shop };
}

test("while Redis hangs reads go on: one a second waits for it, the others not at all, and walks end", async () => {
  const redis = await ownRedis();
  onTestFinished(() => redis.stop());
  const door = await doorTo(redis.url);
  onTestFinished(() => door.close());
  const server = await start({ redisUrl: door.url, redisSilence: 500 });
  const list = (query = "") => server.ask(`/api/responses${query}`);
  /** The rate limit's commands. */
  const { mock } = vi.spyOn(server.redis as unknown as { rlflxIncr(): Promise<unknown> }, "rlflxIncr");
  // On a busy machine Redis may have been silent for so long already: then it is not asked for a second.
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
  const walked: string[] = [];
  for (let path: string | null = "/api/responses?sort=updated_at_asc&limit=2"; path; ) {
    const body = (await (await server.ask(path)).json()) as ListBody;
    walked.push(...body.data.map(({ id }) => id));
    path = body.next?.slice(ISSUER.length) ?? null;
  }
  expect(walked).toHaveLength(20);
  expect(asked()).toBeLessThanOrEqual(1 + Math.floor((performance.now() - begin) / 1000));
});

test("while Postgres can't say whether a caller may call, an invalid call is 503 too, not 400", async () => {
  const { owner, ask, shop } = await start();
  const status = async () => (await ask("/api/responses?limit=x", `Bearer ${shop.token}`)).status;
  expect(await status()).toBe(400);
  await owner`ALTER TABLE oauth.connections RENAME TO moved`;
  expect(await status()).toBe(503);
  await owner`ALTER TABLE oauth.moved RENAME TO connections`;
  await expect.poll(status).toBe(400);
});

test("while Postgres can't answer in time, it is 503 with retry-after, and over when it can again", async () => {
  const { owner, ask } = await start({ statementTimeout: 300 });
  const list = () => ask("/api/responses");
  await expect.poll(async () => (await list()).status).toBe(200);
  await owner.begin(async (transaction) => {
    await transaction`LOCK TABLE survey.responses IN ACCESS EXCLUSIVE MODE`;
    // The table is locked until they are all answered.
    const answers = await Promise.all(Array.from({ length: 20 }, list));
    for (const answer of answers) {
      expect([answer.status, await answer.text()]).toEqual([503, '{"error":"unavailable"}']);
      expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    }
  });
  await expect.poll(async () => (await list()).status).toBe(200);
});
