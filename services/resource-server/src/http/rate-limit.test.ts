import { afterEach, describe, expect, test } from "vitest";
import { type TestResourceServer, testResourceServer } from "../testing.ts";

const servers: TestResourceServer[] = [];

async function start(options: Parameters<typeof testResourceServer>[0]): Promise<TestResourceServer> {
  const server = await testResourceServer(options);
  servers.push(server);
  return server;
}

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const limits = (response: Response) =>
  ["limit", "remaining", "reset"].map((name) => Number(response.headers.get(`x-ratelimit-${name}`)));

describe("the rate limit", () => {
  test("counts each connection and each key by itself, whatever they ask for", async () => {
    const server = await start({ apiRateLimit: 4 });
    const shop = await server.newShop();
    const bearer = `Bearer ${shop.token}`;
    const another = `Bearer ${await server.issuer.sign(server.claims(shop, { jti: "another" }))}`;
    const answers = [
      await server.get("/api/responses", bearer),
      await server.get("/api/questions?limit=x", another),
      await server.get("/api/responses?starting_after=x", bearer, { "x-forwarded-for": "10.0.0.1" }),
      await fetch(`${server.url}/api/sources`, { method: "POST", headers: { authorization: bearer } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 400, 400]);
    expect(answers.map((answer) => limits(answer).slice(0, 2))).toEqual([
      [4, 3],
      [4, 2],
      [4, 1],
      [4, 0],
    ]);
    for (const answer of answers) expect(limits(answer)[2]).toSatisfy((reset: number) => reset >= 1 && reset <= 60);

    for (const refused of [await server.get("/api/responses", bearer), await server.get("/api/questions", another)]) {
      expect([refused.status, await refused.text()]).toEqual([429, '{"error":"too_many_requests"}']);
      expect(limits(refused).slice(0, 2)).toEqual([4, 0]);
      expect(refused.headers.get("retry-after")).toMatch(/^[1-9]\d?$/);
      expect(refused.headers.get("x-ratelimit-reset")).toBe(refused.headers.get("retry-after"));
    }
    expect((await server.get("/api/responses", shop.apiKey)).status).toBe(200);
    expect((await server.get("/api/responses", `Bearer ${(await server.newShop()).token}`)).status).toBe(200);
  });

  test("is one for all replicas", async () => {
    const first = await start({ apiRateLimit: 10 });
    const second = await start({ apiRateLimit: 10, sharedWith: first });
    const shop = await first.newShop();
    const statuses: number[] = [];
    for (let i = 0; i < 12; i++) {
      statuses.push((await (i % 2 ? first : second).get("/api/responses", shop.apiKey)).status);
    }
    expect(statuses).toEqual([...Array(10).fill(200), 429, 429]);
  });

  test("is as it was after a replica has ended", async () => {
    const first = await start({ apiRateLimit: 600 });
    const second = await start({ apiRateLimit: 600, sharedWith: first });
    const shop = await first.newShop();
    for (let i = 0; i < 60; i++) await second.get("/api/questions", shop.apiKey);
    servers.splice(servers.indexOf(second), 1);
    await second.close();
    expect(limits(await first.get("/api/questions", shop.apiKey))[1]).toBe(539);
  });

  test("doesn't exist for who isn't authenticated", async () => {
    const server = await start({ apiRateLimit: 1 });
    for (let i = 0; i < 3; i++) {
      const response = await server.get("/api/responses", "Bearer x");
      expect([response.status, response.headers.get("x-ratelimit-limit")]).toEqual([401, null]);
    }
  });

  test("is kept by the process alone while Redis is away, and reads go on without waiting", async () => {
    // To wait for Redis would take longer than the test may.
    const server = await start({ apiRateLimit: 5, redisAway: true, redisSilence: 120_000 });
    const shop = await server.newShop();
    const answers: Response[] = [];
    for (let i = 0; i < 6; i++) {
      answers.push(await server.get("/api/responses?sort=updated_at_desc", `Bearer ${shop.token}`));
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(answers.map((answer) => limits(answer)[1])).toEqual([4, 3, 2, 1, 0, 0]);
  });
});
