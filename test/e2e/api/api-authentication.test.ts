import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { type Answer, send } from "../../harness/actors/http.ts";
import { merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { onboard, onboardApiKey } from "../../harness/actors/onboarding.ts";
import { operator } from "../../harness/actors/operator.ts";
import { partner } from "../../harness/actors/partner.ts";
import { mainStack } from "../../harness/stack/stacks.ts";

const stack = mainStack();
const endpoint = `${stack.base_url}/api/responses`;
let apiKey: { id: string; key: string };
let otherKey: string;
let accessToken: string;
let refreshToken: string;

beforeAll(async () => {
  const { client, merchant, shop, advancedShop } = await onboard(stack);
  const [first, second, tokens] = await Promise.all([
    onboardApiKey(stack, shop),
    onboardApiKey(stack, advancedShop),
    partner(stack, client).connect(merchantBrowser(merchant), shop),
  ]);
  [apiKey, otherKey] = [first, second.key];
  ({ accessToken, refreshToken } = tokens);
});

const call = (authorization: string | string[]): Promise<Answer> => send(endpoint, { headers: { authorization } });

function expectUnauthorized({ status, headers, text }: Answer): void {
  expect([status, text]).toEqual([401, '{"error":"unauthorized"}']);
  expect(headers["www-authenticate"]).toMatch(/^Bearer/);
  expect(headers["content-type"]).toMatch(/^application\/json/);
}

describe("API key", () => {
  test("is sent raw, without a prefix", async () => {
    expect((await call(apiKey.key)).status).toBe(200);
  });

  test.each([
    ["after Bearer", (key: string) => `Bearer ${key}`],
    ["after Basic", (key: string) => `Basic ${key}`],
    ["as a Basic user", (key: string) => `Basic ${btoa(`${key}:`)}`],
    ["cut off", (key: string) => key.slice(0, -1)],
    ["with one letter more", (key: string) => `${key}x`],
    ["in small letters", (key: string) => key.toLowerCase()],
    ["in quotes", (key: string) => `"${key}"`],
    ["after another one", (key: string) => `${key}, ${key}`],
    ["unknown", () => `pck_${"a".repeat(43)}`],
    ["empty", () => ""],
  ])("%s: 401", async (_, change) => expectUnauthorized(await call(change(apiKey.key))));

  test("in the query, the body or another header it does not count", async () => {
    const { key } = apiKey;
    expectUnauthorized(await send(`${endpoint}?access_token=${key}&api_key=${key}`));
    expectUnauthorized(await send(endpoint, { headers: { "x-api-key": key } }));
  });

  test("two Authorization headers are 401, even if both are right", async () => {
    expectUnauthorized(await call([apiKey.key, apiKey.key]));
    expectUnauthorized(await call([`Bearer ${accessToken}`, apiKey.key]));
  });

  test("revoked, it is 401 from the next request on", async () => {
    expect((await call(otherKey)).status).toBe(200);
    const { id, key } = apiKey;
    await operator(stack, ["api-key", "revoke", id]);
    for (let repeat = 0; repeat < 4; repeat++) expectUnauthorized(await call(key));
    expect((await call(otherKey)).status).toBe(200);
  });
});

describe("access token", () => {
  const parts = () => accessToken.split(".") as [string, string, string];
  const decode = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString());
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

  test("is sent with the Bearer prefix, in any case", async () => {
    for (const scheme of ["Bearer", "bearer", "BEARER"]) {
      expect((await call(`${scheme} ${accessToken}`)).status).toBe(200);
    }
  });

  test("has the type, algorithm and claims of the contract", () => {
    const [header, payload] = parts();
    expect(decode(header)).toEqual({ alg: "EdDSA", typ: "at+jwt", kid: expect.any(String) });
    const claims = decode(payload);
    expect(claims).toMatchObject({
      iss: stack.base_url,
      aud: `${stack.base_url}/api`,
      sub: expect.stringMatching(/^shop_/),
      client_id: expect.stringMatching(/^client_/),
      scope: "responses:read",
      jti: expect.any(String),
    });
    expect(claims.exp - claims.iat).toBe(900);
  });

  test.each<[string, () => string]>([
    ["without the prefix", () => accessToken],
    ["after Basic", () => `Basic ${accessToken}`],
    ["after another word", () => `Token ${accessToken}`],
    ["a prefix and nothing", () => "Bearer"],
    ["a refresh token", () => `Bearer ${refreshToken}`],
    ["cut off", () => `Bearer ${accessToken.slice(0, -2)}`],
    ["with another signature", () => `Bearer ${parts()[0]}.${parts()[1]}.${"A".repeat(86)}`],
    ["with no signature", () => `Bearer ${parts()[0]}.${parts()[1]}.`],
    ["in two parts", () => `Bearer ${parts()[0]}.${parts()[1]}`],
    [
      "with edited claims",
      () => `Bearer ${parts()[0]}.${encode({ ...decode(parts()[1]), sub: "shop_other" })}.${parts()[2]}`,
    ],
    ["with alg none", () => `Bearer ${encode({ ...decode(parts()[0]), alg: "none" })}.${parts()[1]}.`],
    ["signed with the public key as a secret", () => forgedByHmac()],
    ["signed by another key under the same kid", () => forgedByOtherKey({})],
    ["signed by a key that it carries itself", () => forgedByOtherKey({ jwk: true })],
    ["signed by a key at an address that it names", () => forgedByOtherKey({ jku: `${stack.base_url}/keys` })],
    ["with an unknown kid", () => forgedByOtherKey({ kid: "unknown" })],
    ["enormous", () => `Bearer ${accessToken}${"A".repeat(10_000)}`],
    ["junk", () => "Bearer a.b.c"],
  ])("%s: 401", async (_, authorization) => expectUnauthorized(await call(authorization())));

  function forgedByHmac(): string {
    const [header, payload] = parts();
    const signed = `${encode({ ...decode(header), alg: "HS256" })}.${payload}`;
    return `Bearer ${signed}.${createHmac("sha256", decode(header).kid).update(signed).digest("base64url")}`;
  }

  function forgedByOtherKey(change: { jwk?: boolean; jku?: string; kid?: string }): string {
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    const [header, payload] = parts();
    const forged = { ...decode(header), ...change, ...(change.jwk && { jwk: publicKey.export({ format: "jwk" }) }) };
    const signed = `${encode(forged)}.${payload}`;
    return `Bearer ${signed}.${sign(null, Buffer.from(signed), privateKey).toString("base64url")}`;
  }
});

describe("the API as a whole", () => {
  test("without credentials every endpoint is 401", async () => {
    expectUnauthorized(await send(endpoint));
    expectUnauthorized(await send(`${stack.base_url}/api/questions`));
    expectUnauthorized(await send(`${stack.base_url}/api/sources`, { method: "POST", body: "{}" }));
    expectUnauthorized(await send(`${endpoint}?limit=nonsense`));
  });

  test("a shop parameter changes nothing: the token says which shop", async () => {
    const authorization = `Bearer ${accessToken}`;
    const own = await call(authorization);
    for (const query of ["shop=other", "shop_id=other", "sub=other"]) {
      expect((await send(`${endpoint}?${query}`, { headers: { authorization } })).text).toBe(own.text);
    }
  });

  test("another method is 405 with allow, an unknown path 404", async () => {
    const headers = { authorization: `Bearer ${accessToken}` };
    const posted = await send(endpoint, { method: "POST", headers });
    expect([posted.status, posted.headers.allow]).toEqual([405, expect.stringContaining("GET")]);
    const got = await send(`${stack.base_url}/api/sources`, { headers });
    expect([got.status, got.headers.allow]).toEqual([405, "POST"]);
    for (const path of ["/api/nothing", "/api/responses/", "/api/Responses", "/api//responses", "/api/responses/x"]) {
      const answer = await send(`${stack.base_url}${path}`, { headers });
      expect([path, answer.status, answer.json()]).toEqual([path, 404, { error: "not_found" }]);
    }
  });

  test("every answer has a request id, and none allows other origins", async () => {
    const headers = { authorization: `Bearer ${accessToken}`, origin: "https://evil.example" };
    for (const answer of [
      await send(endpoint, { headers }),
      await send(endpoint),
      await send(`${stack.base_url}/api/x`),
    ]) {
      expect(answer.headers["x-request-id"]).toMatch(/^[\w-]{8,}$/);
      expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
    }
  });
});
