import { expect, onTestFinished, test } from "vitest";
import { testResourceServer } from "../testing.ts";

async function start(options: Parameters<typeof testResourceServer>[0]) {
  const server = await testResourceServer(options);
  onTestFinished(() => server.close());
  return server;
}

const limits = (response: Response) =>
  ["limit", "remaining", "reset"].map((name) =>
    Number(response.headers.get(`x-ratelimit-${name}`)),
  );

test("the rate limit counts the calls of each connection and each API key separately, over all paths", async () => {
  const server = await start({ apiRateLimit: 4 });
  const shop = await server.newShop();
  const bearer = `Bearer ${shop.token}`;
  const another = `Bearer ${await server.issuer.sign(server.claims(shop, { jti: "another" }))}`;
  const answers = [
    await server.get("/api/responses", bearer),
    await server.get("/api/questions?limit=x", another),
    await server.get("/api/responses?starting_after=x", bearer, {
      "x-forwarded-for": "10.0.0.1",
    }),
    await fetch(`${server.url}/api/sources`, {
      method: "POST",
      headers: { authorization: bearer },
    }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 400, 400, 400]);
  expect(answers.map((answer) => limits(answer).slice(0, 2))).toEqual([
    [4, 3],
    [4, 2],
    [4, 1],
    [4, 0],
  ]);
  for (const answer of answers)
    expect(limits(answer)[2]).toSatisfy((reset: number) => reset >= 1 && reset <= 60);

  for (const refused of [
    await server.get("/api/responses", bearer),
    await server.get("/api/questions", another),
  ]) {
    expect([refused.status, await refused.text()]).toEqual([429, '{"error":"too_many_requests"}']);
    expect(limits(refused).slice(0, 2)).toEqual([4, 0]);
    expect(refused.headers.get("retry-after")).toMatch(/^[1-9]\d?$/);
    expect(refused.headers.get("x-ratelimit-reset")).toBe(refused.headers.get("retry-after"));
  }
  expect((await server.get("/api/responses", shop.apiKey)).status).toBe(200);
  expect(
    (await server.get("/api/responses", `Bearer ${(await server.newShop()).token}`)).status,
  ).toBe(200);
});

test.each([
  ["unauthenticated requests", "/api/responses", 401],
  ["readers of openapi.json", "/api/openapi.json", 200],
])("the rate limit does not apply to %s", async (_, path, status) => {
  const server = await start({ apiRateLimit: 1 });
  for (let i = 0; i < 3; i++) {
    const response = await server.get(path, "Bearer x");
    expect([response.status, response.headers.get("x-ratelimit-limit")]).toEqual([status, null]);
  }
});

test("while Redis is down, a process enforces the rate limit itself, even on parallel calls, without waiting for Redis", async () => {
  // Waiting for Redis would exceed the time limit of the test.
  const server = await start({ apiRateLimit: 5, redisAway: true, redisSilence: 120_000 });
  const shop = await server.newShop();
  const ask = () => server.get("/api/responses?sort=updated_at_desc", `Bearer ${shop.token}`);
  expect(limits(await ask())[1]).toBe(4);
  const answers = await Promise.all(Array.from({ length: 20 }, ask));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(4);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(16);
});
