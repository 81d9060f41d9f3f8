import { asApiError } from "@partner-connect/service-runtime";
import type { JWK } from "jose";
import { afterEach, beforeEach, expect, test } from "vitest";
import { malformedBody } from "../errors/api-error.ts";
import { type TestIssuer, testIssuer } from "../testing/test-issuer.ts";
import { claimsOf, ISSUER } from "../testing/test-shop.ts";
import { Authenticator } from "./authenticate.ts";

const SHOP = { id: "shop_1", connectionId: "con_1", clientId: "client_1" };

let issuer: TestIssuer;
let authenticator: Authenticator;

beforeEach(async () => {
  issuer = await testIssuer();
  const options = {
    issuer: ISSUER,
    audience: `${ISSUER}/api`,
    jwksUrl: issuer.url,
    jwksRefreshSeconds: 60,
  };
  // only API keys need Postgres
  authenticator = new Authenticator({ ...options, sql: undefined as never });
});
afterEach(() => issuer.close());

/** 200, or the status of the refusal. */
const status = (token: string): Promise<number> =>
  authenticator.authenticate(["authorization", `Bearer ${token}`]).then(
    () => 200,
    (error: unknown) => asApiError(error, malformedBody).status,
  );
const signed = (header = {}, claims = {}): Promise<string> =>
  issuer.sign(claimsOf(SHOP, claims), header);
const unknown = (): Promise<string> => signed({ kid: "unknown" });

test("an access token gets 503 while no signing keys are loaded, and 200 afterwards", async () => {
  issuer.away(true);
  const token = await signed();
  expect(await status(token)).toBe(503);
  issuer.away(false);
  expect(await status(token)).toBe(200);
});

test.each<[string, () => void]>([
  ["closes its connections", () => issuer.away(true)],
  ["does not respond", () => issuer.away("silent")],
  ["sends truncated keys", () => issuer.spoil((key) => ({ ...key, x: "AAAA" }))],
  ["sends keys of another algorithm", () => issuer.spoil((key) => ({ ...key, alg: "ES256" }))],
  ["sends null for each key", () => issuer.spoil(() => null)],
])(
  "while the authorization server %s, tokens of loaded keys stay valid, and a token with an unknown kid gets 503",
  async (_, fail) => {
    const token = await signed();
    expect(await status(token)).toBe(200);
    fail();
    expect(await status(await unknown())).toBe(503);
    expect([await status(token), await status(await signed({}, { jti: "another" }))]).toEqual([
      200, 200,
    ]);
  },
);

test("tokens of an unusable key get 503, not 401, and tokens of other keys stay valid", async () => {
  const first = await signed();
  await issuer.rotate("key-2", { keep: true });
  issuer.spoil((key: JWK) => (key.kid === "key-2" ? { ...key, x: "AAAA" } : key));
  const second = await signed();
  expect([await status(second), await status(first), await status(await unknown())]).toEqual([
    503, 200, 401,
  ]);
  issuer.spoil((key) => key);
  expect(await status(second)).toBe(200);
});

test("the first token of a new key reloads the keys, after which cached tokens of withdrawn keys are refused", async () => {
  const first = await signed();
  for (const alg of ["ES256", "EdDSA"] as const) {
    await issuer.rotate(`key-${alg}`, { alg, keep: true });
    expect([await status(await signed()), await status(first)]).toEqual([200, 200]);
  }
  await issuer.rotate("key-2");
  expect([await status(await signed()), await status(first)]).toEqual([200, 401]);
});

test("a token of a key that is published during a key fetch is accepted", async () => {
  await issuer.rotate("key-2", { keep: true });
  const [token, seen] = [await signed(), [] as Promise<number>[]];
  issuer.spoil((key: JWK) => (key.kid === "key-2" && !seen[0] ? seen.push(status(token)) : key));
  expect([await status(await unknown()), await seen[0]]).toEqual([401, 200]);
});

test("tokens with an unknown kid cause at most one key fetch a second, and none if their claims are wrong", async () => {
  expect(await status(await signed())).toBe(200);
  const [before, begun] = [issuer.fetches, performance.now()];
  for (const claims of [{ exp: 1 }, { aud: "x" }, { iss: "x" }])
    expect(await status(await signed({ kid: "unknown" }, claims))).toBe(401);
  expect(issuer.fetches).toBe(before);
  const tokens = await Promise.all(
    Array.from({ length: 40 }, (_, i) => signed({ kid: `random-${i}` })),
  );
  expect(new Set(await Promise.all(tokens.map(status)))).toEqual(new Set([401]));
  // One fetch at once, and one after each second. (A timer may be a millisecond early.)
  expect(issuer.fetches - before).toBeLessThanOrEqual(
    1 + Math.floor((performance.now() - begun) / 999),
  );
});
