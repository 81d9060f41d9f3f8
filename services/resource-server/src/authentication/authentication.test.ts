import { generateKeyPair, SignJWT, UnsecuredJWT } from "jose";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { ISSUER, suiteServer, type TestShop } from "../testing.ts";
import { Authenticator } from "./authenticate.ts";

const server = await suiteServer();
let shop: TestShop;

beforeAll(async () => {
  shop = await server.newShop();
});

afterEach(() => void vi.useRealTimers());

const METADATA = `, resource_metadata="${ISSUER}/.well-known/oauth-protected-resource/api"`;
const CHALLENGE = 'Bearer realm="partner-connect"';
/** RFC 6750 §3.1: the error is named where a credential of ours was presented, and refused. */
const INVALID_TOKEN = `${CHALLENGE}, error="invalid_token"`;

async function expectUnauthorized(response: Response, challenge = INVALID_TOKEN): Promise<void> {
  expect(response.status).toBe(401);
  expect(await response.text()).toBe('{"error":"unauthorized"}');
  expect(response.headers.get("www-authenticate")).toBe(challenge + METADATA);
  expect(response.headers.get("x-request-id")).toMatch(/./);
}

const list = (authorization: string | null): Promise<Response> => server.get("/api/responses", authorization);
const signed = (claims: object, header?: Record<string, unknown>): Promise<string> =>
  server.issuer.sign(server.claims(shop, claims), header);
const seconds = (): number => Math.floor(Date.now() / 1000);

describe("the Authorization header", () => {
  test("an access token with 'Bearer' and an API key without a prefix are let in", async () => {
    expect((await list(`Bearer ${shop.token}`)).status).toBe(200);
    expect((await list(`bearer ${shop.token}`)).status).toBe(200);
    expect((await list(shop.apiKey)).status).toBe(200);
  });

  test("no header, another form, or a changed credential is 401", async () => {
    const swapped = shop.apiKey.replace(/[a-z](?=[^a-z]*$)/, (letter) => letter.toUpperCase());
    const refused = [
      "Bearer",
      "Bearer ",
      `Bearer ${shop.token} x`,
      shop.apiKey.slice(0, -1),
      `${shop.apiKey}x`,
      swapped,
      shop.apiKey.toUpperCase(),
      "pck_",
    ];
    for (const authorization of refused) await expectUnauthorized(await list(authorization));
    const others = [null, "", `Token ${shop.token}`, `Basic ${btoa(`x:${shop.apiKey}`)}`, `Key ${shop.apiKey}`, "null"];
    for (const authorization of others) await expectUnauthorized(await list(authorization), CHALLENGE);
  });

  test("the right credential in the other's form is told so", async () => {
    const described = (description: string) => `${INVALID_TOKEN}, error_description="${description}"`;
    const key = described("an API key is sent as it is, without Bearer before it");
    for (const prefix of ["Bearer ", "bearer  "]) await expectUnauthorized(await list(prefix + shop.apiKey), key);
    await expectUnauthorized(await list(shop.token), described("an access token is sent with Bearer before it"));
  });

  test("two Authorization headers are 401, equal ones too", async () => {
    const { request } = await import("node:http");
    const answer = await new Promise((resolve, reject) => {
      const outgoing = request(`${server.url}/api/responses`, (response) => {
        const { statusCode, headers } = response.resume();
        resolve([statusCode, headers["www-authenticate"]]);
      });
      outgoing.on("error", reject).setHeader("authorization", [`Bearer ${shop.token}`, `Bearer ${shop.token}`]);
      outgoing.end();
    });
    expect(answer).toEqual([401, INVALID_TOKEN + METADATA]);
  });
});

describe("an access token", () => {
  // The times are read when the test runs, and then its clock stands still: those of a file that waits for its turn would have passed.
  test.each<[string, () => object]>([
    ["another issuer", () => ({ iss: "https://elsewhere.example" })],
    ["another audience", () => ({ aud: "https://connect.example" })],
    ["several audiences", () => ({ aud: ["https://connect.example/api", "x"] })],
    ["no subject", () => ({ sub: undefined })],
    ["a subject that isn't text", () => ({ sub: 7 })],
    ["a subject with a NUL", () => ({ sub: "a\0" })],
    ["no client", () => ({ client_id: undefined })],
    ["no jti", () => ({ jti: "" })],
    ["no scope", () => ({ scope: undefined })],
    ["a scope list", () => ({ scope: ["responses:read"] })],
    ["no connection", () => ({ connection_id: undefined })],
    ["no grant", () => ({ grant_id: undefined })],
    ["no generation", () => ({ generation: undefined })],
    ["a generation as text", () => ({ generation: "1" })],
    ["no exp", () => ({ exp: undefined })],
    ["exp as text", () => ({ exp: String(seconds() + 900) })],
    ["exp now", () => ({ exp: seconds() })],
    ["exp a second ago", () => ({ exp: seconds() - 1 })],
    ["no iat", () => ({ iat: undefined })],
    ["iat beyond a minute ahead", () => ({ iat: seconds() + 61 })],
  ])("with %s is 401", async (_, claims) => {
    vi.useFakeTimers({ toFake: ["Date"] });
    await expectUnauthorized(await list(`Bearer ${await signed(claims())}`));
  });

  test("issued by a clock that is up to a minute ahead is let in", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    expect((await list(`Bearer ${await signed({ iat: seconds() + 60 })}`)).status).toBe(200);
  });

  test("is refused from its exp on, also when it was let in before", async () => {
    const exp = seconds() + 900;
    const token = await signed({ exp });
    expect((await list(`Bearer ${token}`)).status).toBe(200);
    vi.useFakeTimers({ toFake: ["Date"], now: exp * 1000 - 1 });
    expect((await list(`Bearer ${token}`)).status).toBe(200);
    vi.setSystemTime(exp * 1000);
    expect((await list(`Bearer ${token}`)).status).toBe(401);
  });

  test.each([
    ["another typ", { typ: "JWT" }],
    ["no typ", { typ: undefined }],
    ["a jku", { jku: "https://elsewhere.example/keys" }],
    ["an x5u", { x5u: "https://elsewhere.example/keys" }],
    ["a jwk", { jwk: { kty: "OKP", crv: "Ed25519", x: "AA" } }],
    ["no kid", { kid: undefined }],
    ["a kid that isn't text", { kid: 1 }],
    ["a huge kid", { kid: "k".repeat(1000) }],
  ])("with %s in its header is 401", async (_, header) => {
    await expectUnauthorized(await list(`Bearer ${await signed({}, header as Record<string, unknown>)}`));
  });

  test("unsigned, signed with a shared secret, or signed by somebody else is 401", async () => {
    const claims = server.claims(shop);
    const { privateKey } = await generateKeyPair("EdDSA");
    const [head, body, signature] = shop.token.split(".");
    const edited = Buffer.from(JSON.stringify({ ...claims, sub: "shop_other" })).toString("base64url");
    const tokens = [
      new UnsecuredJWT(claims).encode(),
      await new SignJWT(claims)
        .setProtectedHeader({ alg: "HS256", typ: "at+jwt", kid: "key-1" })
        .sign(new TextEncoder().encode("key-1")),
      await new SignJWT(claims).setProtectedHeader({ alg: "EdDSA", typ: "at+jwt", kid: "key-1" }).sign(privateKey),
      `${head}.${edited}.${signature}`,
      `${head}.${body}.`,
      `${head}.${body}.${"A".repeat(86)}`,
      `${head}..${signature}`,
      "a.b.c",
      `${shop.token}.x`,
      `${head}.${body}.${signature}${"A".repeat(5000)}`,
    ];
    for (const token of tokens) await expectUnauthorized(await list(`Bearer ${token}`));
  });
});

describe("an API key", () => {
  test("is looked up once by calls that come at the same time, which leaves lookups to other keys", async () => {
    const [many, one] = [await server.newShop(), await server.newShop()];
    const tokens = { issuer: ISSUER, audience: ISSUER, jwksUrl: server.issuer.url, jwksRefreshSeconds: 60 };
    const authenticator = new Authenticator({ ...tokens, sql: server.sql });
    const call = ({ apiKey }: TestShop) => authenticator.authenticate(["authorization", apiKey]);
    const calls = await server.owner.begin(async (transaction) => {
      await transaction`LOCK TABLE directory.api_keys IN ACCESS EXCLUSIVE MODE`;
      const waiting = Promise.allSettled([...Array.from({ length: 6 }, () => call(many)), call(one)]);
      const lookups = () => server.owner<{ pid: number }[]>`
        SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await expect.poll(lookups).toHaveLength(2);
      for (const { pid } of await lookups()) await server.owner`SELECT pg_cancel_backend(${pid}::int)`;
      return { waiting };
    });
    expect((await calls.waiting).filter(({ status }) => status === "rejected")).toHaveLength(7);
    expect(await call(many)).toMatchObject({ kind: "api_key", shopId: many.id });
  });

  test("revoked is 401 at once, on every endpoint, whatever else is wrong", async () => {
    const other = await server.newShop();
    expect((await list(other.apiKey)).status).toBe(200);
    await server.owner`UPDATE directory.api_keys SET revoked_at = now() WHERE id = ${other.apiKeyId}`;
    await expectUnauthorized(await list(other.apiKey));
    for (const path of ["/api/questions", "/api/connection", "/api/deleted-responses"])
      await expectUnauthorized(await server.get(path, other.apiKey));
    await expectUnauthorized(await server.get("/api/responses?limit=x", other.apiKey));
  });
});
