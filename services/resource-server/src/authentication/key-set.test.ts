import type { JWK } from "jose";
import { afterEach, describe, expect, test } from "vitest";
import { type TestResourceServer, testResourceServer } from "../testing.ts";

let server: TestResourceServer;

afterEach(() => server.close());

const list = (token: string): Promise<Response> => server.get("/api/responses", `Bearer ${token}`);

describe("the authorization server's keys", () => {
  test("that can't be had yet are 503 with retry-after, and the next one is let in once they can", async () => {
    server = await testResourceServer({ issuerAway: true });
    const shop = await server.newShop();
    const response = await list(shop.token);
    expect([response.status, await response.text()]).toEqual([503, '{"error":"unavailable"}']);
    expect(response.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    expect((await server.get("/api/responses", shop.apiKey)).status).toBe(200);
    server.issuer.away(false);
    await expect.poll(async () => (await list(shop.token)).status, { interval: 100 }).toBe(200);
  });

  test.each([
    ["closes its connections", true],
    ["does not answer", "silent"],
  ] as const)("serve on while that server %s; a token of an unknown key is then 503, not 401", async (_, away) => {
    server = await testResourceServer();
    const shop = await server.newShop();
    expect((await list(shop.token)).status).toBe(200);
    server.issuer.away(away);
    const another = await server.issuer.sign(server.claims(shop, { jti: "another" }));
    expect((await list(shop.token)).status).toBe(200);
    expect((await list(another)).status).toBe(200);
    expect((await list(await server.issuer.sign(server.claims(shop), { kid: "unknown" }))).status).toBe(503);
  });

  test.each([
    ["is cut off", (key: JWK) => ({ ...key, x: "AAAA" })],
    ["has another algorithm", (key: JWK) => ({ ...key, alg: "ES256" })],
    ["is nothing", () => null],
  ])("of which none can be used, as each %s, are a fault: the former ones serve on", async (_, change) => {
    server = await testResourceServer();
    const shop = await server.newShop();
    expect((await list(shop.token)).status).toBe(200);
    server.issuer.spoil(change);
    expect((await list(await server.issuer.sign(server.claims(shop), { kid: "unknown" }))).status).toBe(503);
    const another = await server.issuer.sign(server.claims(shop, { jti: "another" }));
    expect((await list(another)).status).toBe(200);
    expect((await list(shop.token)).status).toBe(200);
  });

  test("of which one can't be used are the others; a token of that one is 503, not 401", async () => {
    server = await testResourceServer();
    const shop = await server.newShop();
    await server.issuer.rotate("key-2", { keep: true });
    server.issuer.spoil((key) => (key.kid === "key-2" ? { ...key, x: "AAAA" } : key));
    const second = await server.issuer.sign(server.claims(shop));
    expect((await list(second)).status).toBe(503);
    expect((await list(shop.token)).status).toBe(200);
    expect((await list(await server.issuer.sign(server.claims(shop), { kid: "unknown" }))).status).toBe(401);
    server.issuer.spoil((key) => key);
    expect((await list(second)).status).toBe(200);
  });

  test("that were rotated are found at the first token they sign, of either algorithm", async () => {
    server = await testResourceServer();
    const shop = await server.newShop();
    for (const alg of ["ES256", "EdDSA"] as const) {
      await server.issuer.rotate(`key-${alg}`, { alg, keep: true });
      expect((await list(await server.issuer.sign(server.claims(shop)))).status).toBe(200);
      expect((await list(shop.token)).status).toBe(200);
    }
  });

  test("that were withdrawn let nobody in any more, remembered tokens included", async () => {
    server = await testResourceServer();
    const shop = await server.newShop();
    expect((await list(shop.token)).status).toBe(200);
    await server.issuer.rotate("key-2");
    expect((await list(await server.issuer.sign(server.claims(shop)))).status).toBe(200);
    expect((await list(shop.token)).status).toBe(401);
  });

  test("are asked for once a second at most, however many unknown ones are named", async () => {
    server = await testResourceServer();
    const shop = await server.newShop();
    expect((await list(shop.token)).status).toBe(200);
    const [before, begun] = [server.issuer.fetches, performance.now()];
    const tokens = await Promise.all(
      Array.from({ length: 40 }, (_, i) => server.issuer.sign(server.claims(shop), { kid: `random-${i}` })),
    );
    const statuses = await Promise.all(tokens.map(async (token) => (await list(token)).status));
    expect(new Set(statuses)).toEqual(new Set([401]));
    // One at the end of each second. (A timer may be a millisecond early.)
    expect(server.issuer.fetches - before).toBeLessThanOrEqual(1 + Math.floor((performance.now() - begun) / 999));
  });

  test("are not asked for on behalf of a token that would be refused anyway", async () => {
    server = await testResourceServer();
    const shop = await server.newShop();
    expect((await list(shop.token)).status).toBe(200);
    const before = server.issuer.fetches;
    for (const claims of [{ exp: 1 }, { aud: "x" }, { iss: "x" }]) {
      expect((await list(await server.issuer.sign(server.claims(shop, claims), { kid: "unknown" }))).status).toBe(401);
    }
    expect(server.issuer.fetches).toBe(before);
  });
});
