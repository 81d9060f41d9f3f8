import { request } from "node:http";
import { TEST_OPERATOR } from "@partner-connect/directory/testing";
import { eraseShop } from "@partner-connect/erasure";
import { generateKeyPair, SignJWT, UnsecuredJWT } from "jose";
import { expect, test, vi } from "vitest";
import { Authenticator } from "./authentication/authenticate.ts";
import { ISSUER, suiteServer, type TestShop, testResourceServer } from "./testing.ts";

const server = await suiteServer({ logLevel: "info" });
const shop = await server.newShop();

/** Waits for the only log record of this response's request; it may follow the response. */
async function recordOf(response: Response): Promise<Record<string, unknown>> {
  const id = response.headers.get("x-request-id");
  const find = () => server.records.filter(({ reqId, msg }) => reqId === id && msg === "request");
  await vi.waitUntil(() => find().length > 0, 10_000);
  expect(find()).toHaveLength(1);
  return find()[0] as Record<string, unknown>;
}

const METADATA = `, resource_metadata="${ISSUER}/.well-known/oauth-protected-resource/api"`;
const CHALLENGE = 'Bearer realm="partner-connect"';
/** RFC 6750 §3.1: an error only if a credential was presented. */
const INVALID_TOKEN = `${CHALLENGE}, error="invalid_token"`;

async function expectUnauthorized(response: Response, reason: string, challenge = INVALID_TOKEN) {
  expect([response.status, await response.text()]).toEqual([401, '{"error":"unauthorized"}']);
  expect(response.headers.get("www-authenticate")).toBe(challenge + METADATA);
  expect(await recordOf(response)).toMatchObject({ status: 401, reason, level: 30 });
}

const bearer = (token: string): string => `Bearer ${token}`;
const list = (authorization: string | null): Promise<Response> =>
  server.get("/api/responses", authorization);
const signed = (claims: object, header: object = {}): Promise<string> =>
  server.issuer.sign(server.claims(shop, claims), { ...header });
const seconds = (): number => Math.floor(Date.now() / 1000);

function post(authorization: string, body: string, headers: Record<string, string> = {}) {
  return fetch(`${server.url}/api/sources`, {
    method: "POST",
    headers: { authorization, "content-type": "application/json", ...headers },
    body,
  });
}

const SOURCE = JSON.stringify({ name: "A", type: "podcast" });

test("the Authorization header may have an access token with Bearer, or an API key without a scheme", async () => {
  for (const authorization of [bearer(shop.token), `bearer ${shop.token}`, shop.apiKey])
    expect((await list(authorization)).status).toBe(200);
});

const changed = () => shop.apiKey.replace(/[a-z](?=[^a-z]*$)/, (letter) => letter.toUpperCase());
test.each<[what: string, reason: string, value: () => string | null, challenge?: string]>([
  ["is missing", "no_credential", () => null, CHALLENGE],
  ["has another scheme", "no_credential", () => `Token ${shop.token}`, CHALLENGE],
  ["has the scheme Basic", "no_credential", () => `Basic ${btoa(`x:${shop.apiKey}`)}`, CHALLENGE],
  ["has only Bearer", "malformed_credential", () => "Bearer"],
  ["has a word after the token", "malformed_credential", () => `Bearer ${shop.token} x`],
  ["has a letter after the API key", "malformed_credential", () => `${shop.apiKey}x`],
  ["has only an API key's prefix", "malformed_credential", () => "pck_"],
  ["has an API key after Bearer", "malformed_token", () => bearer(shop.apiKey)],
  ["has a token without Bearer", "no_credential", () => shop.token, CHALLENGE],
  ["has an API key with a letter in capitals", "unknown_api_key", changed],
  ["has a text that is not a token", "malformed_token", () => bearer("secret")],
])("a call gets 401 if its Authorization header %s (%s)", async (_, reason, value, challenge) => {
  await expectUnauthorized(await list(value()), reason, challenge);
  expect(JSON.stringify(server.records)).not.toContain("secret");
});

test("a call gets 401 if it has two Authorization headers, even with the same value", async () => {
  const [status, challenge] = await new Promise<unknown[]>((resolve, reject) => {
    const outgoing = request(`${server.url}/api/responses`, (response) => {
      const { statusCode, headers } = response.resume();
      resolve([statusCode, headers["www-authenticate"]]);
    });
    outgoing
      .on("error", reject)
      .setHeader("authorization", [bearer(shop.token), bearer(shop.token)]);
    outgoing.end();
  });
  expect([status, challenge]).toEqual([401, INVALID_TOKEN + METADATA]);
});

// The clock is frozen, so that no time passes between signing and the request.
test.each<[string, () => object]>([
  ["wrong_issuer", () => ({ iss: "https://elsewhere.example" })],
  ["wrong_audience", () => ({ aud: "https://connect.example" })],
  ["wrong_audience", () => ({ aud: ["https://connect.example/api", "x"] })],
  ["malformed_token", () => ({ sub: undefined })],
  ["malformed_token", () => ({ sub: 7 })],
  ["malformed_token", () => ({ sub: "a\0" })],
  ["malformed_token", () => ({ client_id: undefined })],
  ["malformed_token", () => ({ jti: "" })],
  ["malformed_token", () => ({ scope: undefined })],
  ["malformed_token", () => ({ scope: ["responses:read"] })],
  ["malformed_token", () => ({ connection_id: undefined })],
  ["malformed_token", () => ({ grant_id: undefined })],
  ["malformed_token", () => ({ generation: undefined })],
  ["malformed_token", () => ({ generation: "1" })],
  ["malformed_token", () => ({ exp: undefined })],
  ["malformed_token", () => ({ exp: String(seconds() + 900) })],
  ["malformed_token", () => ({ iat: undefined })],
  ["token_expired", () => ({ exp: seconds() })],
  ["token_not_yet_valid", () => ({ iat: seconds() + 61 })],
])("an access token is refused as %s if its claims are changed by %s", async (reason, claims) => {
  vi.useFakeTimers({ toFake: ["Date"] });
  await expectUnauthorized(await list(bearer(await signed(claims()))), reason);
});

test.each([
  ["another typ", "malformed_token", { typ: "JWT" }],
  ["no typ", "malformed_token", { typ: undefined }],
  ["a jku", "malformed_token", { jku: "https://elsewhere.example/keys" }],
  ["an x5u", "malformed_token", { x5u: "https://elsewhere.example/keys" }],
  ["a jwk", "malformed_token", { jwk: { kty: "OKP", crv: "Ed25519", x: "AA" } }],
  ["no kid", "malformed_token", { kid: undefined }],
  ["a number as kid", "malformed_token", { kid: 1 }],
  ["a kid of 1,000 characters", "malformed_token", { kid: "k".repeat(1000) }],
  ["an unknown kid", "unknown_key", { kid: "another" }],
])("an access token with %s in its header is refused (%s)", async (_, reason, header) => {
  await expectUnauthorized(await list(bearer(await signed({}, header))), reason);
});

test("an access token is refused if it is unsigned, signed with a shared secret or a foreign key, or edited", async () => {
  const claims = server.claims(shop);
  const { privateKey } = await generateKeyPair("EdDSA");
  const [head, body, signature] = shop.token.split(".");
  const edited = Buffer.from(JSON.stringify({ ...claims, sub: "shop_other" })).toString(
    "base64url",
  );
  const by = (alg: string, key: Parameters<SignJWT["sign"]>[0]) =>
    new SignJWT(claims).setProtectedHeader({ alg, typ: "at+jwt", kid: "key-1" }).sign(key);
  for (const [reason, token] of [
    ["malformed_token", `${head}.${body}.`],
    ["malformed_token", new UnsecuredJWT(claims).encode()],
    ["malformed_token", await by("HS256", new TextEncoder().encode("key-1"))],
    ["malformed_token", `${head}..${signature}`],
    ["malformed_token", "a.b.c"],
    ["malformed_token", `${shop.token}.x`],
    ["malformed_token", `${shop.token}${"A".repeat(5000)}`],
    ["bad_signature", await by("EdDSA", privateKey)],
    ["bad_signature", `${head}.${edited}.${signature}`],
    ["bad_signature", `${head}.${body}.${"A".repeat(86)}`],
  ] as const)
    await expectUnauthorized(await list(bearer(token)), reason);
});

test("an access token is valid from a minute before its iat and nbf until its exp", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const exp = seconds() + 900;
  const token = await signed({ exp, iat: seconds() + 60, nbf: seconds() + 60 });
  expect((await list(bearer(token))).status).toBe(200);
  vi.setSystemTime(exp * 1000 - 1);
  expect((await list(bearer(token))).status).toBe(200);
  vi.setSystemTime(exp * 1000);
  await expectUnauthorized(await list(bearer(token)), "token_expired");
});

test("concurrent calls with the same API key share one lookup", async () => {
  const [many, one] = [await server.newShop(), await server.newShop()];
  const tokens = {
    issuer: ISSUER,
    audience: ISSUER,
    jwksUrl: server.issuer.url,
    jwksRefreshSeconds: 60,
  };
  const authenticator = new Authenticator({ ...tokens, sql: server.sql });
  const call = ({ apiKey }: TestShop) => authenticator.authenticate(["authorization", apiKey]);
  const calls = await server.owner.begin(async (transaction) => {
    await transaction`LOCK TABLE directory.api_keys IN ACCESS EXCLUSIVE MODE`;
    const waiting = Promise.allSettled([...Array.from({ length: 6 }, () => call(many)), call(one)]);
    const lookups = () => server.owner<{ pid: number }[]>`
        SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await expect.poll(lookups).toHaveLength(2);
    for (const { pid } of await lookups())
      await server.owner`SELECT pg_cancel_backend(${pid}::int)`;
    return { waiting };
  });
  expect((await calls.waiting).filter(({ status }) => status === "rejected")).toHaveLength(7);
  expect(await call(many)).toMatchObject({ kind: "api_key", shopId: many.id });
});

test("a revoked API key gets 401 on every endpoint, before any other error", async () => {
  const other = await server.newShop();
  expect((await list(other.apiKey)).status).toBe(200);
  await server.owner`UPDATE directory.api_keys SET revoked_at = now() WHERE id = ${other.apiKeyId}`;
  const paths = "responses questions connection deleted-responses responses?limit=x";
  for (const path of paths.split(" "))
    await expectUnauthorized(await server.get(`/api/${path}`, other.apiKey), "revoked_api_key");
  await expectUnauthorized(await post(other.apiKey, "{"), "revoked_api_key");
});

test("regression: the API key of an erased shop got 403 instead of 401 at GET /api/connection if it had been used before", async () => {
  const erased = await server.newShop();
  expect((await list(erased.apiKey)).status).toBe(200);
  await eraseShop(server.owner, erased.id, TEST_OPERATOR);
  await expectUnauthorized(await server.get("/api/connection", erased.apiKey), "unknown_api_key");
});

/** One request of each kind that an allowed caller could make, valid or not. */
function requestsOf({ token }: TestShop): Promise<Response>[] {
  const paths = ["responses", "questions", "connection", "deleted-responses", "responses?limit=x"];
  const cursors = ["responses", "questions", "deleted-responses"].map(
    (path) => `${path}?starting_after=unknown`,
  );
  return [
    ...[...paths, ...cursors].map((path) => server.get(`/api/${path}`, bearer(token))),
    ...[SOURCE, "{", JSON.stringify({ name: "x".repeat(40_000) })].map((body) =>
      post(bearer(token), body),
    ),
    post(bearer(token), "x", { "content-type": "text/plain" }),
  ];
}

async function expectForbidden(of: TestShop, reason: string): Promise<void> {
  for (const response of await Promise.all(requestsOf(of))) {
    const answer = [response.url, response.status, await response.text()];
    expect(answer).toEqual([response.url, 403, '{"error":"forbidden"}']);
    expect(await recordOf(response)).toMatchObject({ reason });
  }
}

test.each([
  ["connection_revoked", "oauth.connections", "status = 'revoked', generation = 2"],
  ["connection_disabled", "oauth.connections", "disabled = true, generation = 2"],
  ["token_superseded", "oauth.connections", "generation = 2"],
  ["token_superseded", "oauth.connections", "generation = 0"],
  ["connection_not_exchanged", "oauth.connections", "status = 'approved'"],
  ["client_disabled", "directory.clients", "status = 'disabled'"],
])(
  "a call gets 403 forbidden as %s if %s has %s, before its scope and input are checked",
  async (reason, table, change) => {
    const held = await server.newShop({ plan: "standard", scope: ["responses:read"] });
    const allowed = await list(bearer(held.token));
    expect(allowed.status).toBe(200);
    await server.owner.unsafe(`UPDATE ${table} SET ${change} WHERE client_id = '${held.clientId}'`);
    await expectForbidden(held, reason);
    const ids = { client_id: held.clientId, shop_id: held.id, connection_id: held.connectionId };
    expect(await recordOf(allowed)).toMatchObject(ids);
  },
);

test("a call whose connection was deleted or belongs to another shop or client gets 403 as unknown_connection", async () => {
  const [gone, theirs] = [await server.newShop(), await server.newShop()];
  await server.owner`DELETE FROM oauth.connections WHERE id = ${gone.connectionId}`;
  await expectForbidden(gone, "unknown_connection");
  const erased = await server.newShop();
  await eraseShop(server.owner, erased.id, TEST_OPERATOR);
  expect((await list(bearer(erased.token))).status).toBe(403);
  await server.owner`INSERT INTO directory.shops (id, name, plan) VALUES (${erased.id}, 'Hats', 'standard')`;
  await server.owner`
      INSERT INTO oauth.connections (shop_id, client_id, status, grant_id, scope, merchant_id, connected_at)
      SELECT ${erased.id}, ${erased.clientId}, 'connected', 'grant', '{responses:read,sources:write}', id, now()
      FROM directory.merchants LIMIT 1`;
  await expectForbidden(erased, "unknown_connection");
  for (const claims of [
    { sub: theirs.id },
    { connection_id: theirs.connectionId },
    { client_id: theirs.clientId },
    { sub: theirs.id, connection_id: theirs.connectionId },
  ])
    await expectForbidden({ ...shop, token: await signed(claims) }, "unknown_connection");
});

test("a call whose token, connection or plan lacks the scope gets 403 insufficient_scope before its input is checked", async () => {
  const narrow = bearer(await signed({ scope: "responses:read" }));
  const write = bearer(await signed({ scope: "sources:write" }));
  const [dropped, standard] = [await server.newShop(), await server.newShop({ plan: "standard" })];
  await server.owner`UPDATE oauth.connections SET scope = '{sources:write}' WHERE id = ${dropped.connectionId}`;
  const get = (path: string, authorization: string) => server.get(`/api/${path}`, authorization);
  const challenge = (scope: string) =>
    `${CHALLENGE}, error="insufficient_scope", scope="${scope}"${METADATA}`;
  const [writing, reading] = [challenge("sources:write"), challenge("responses:read")];
  for (const [reason, expected, asked] of [
    ["token_lacks_scope", writing, post(narrow, SOURCE)],
    ["token_lacks_scope", writing, post(narrow, "{")],
    ["token_lacks_scope", writing, post(narrow, SOURCE, { "content-encoding": "gzip" })],
    ["token_lacks_scope", reading, get("responses", write)],
    ["token_lacks_scope", reading, get("responses?limit=0", write)],
    ["token_lacks_scope", reading, get("questions", write)],
    ["connection_lacks_scope", reading, get("responses", bearer(dropped.token))],
    ["connection_lacks_scope", reading, get("responses?limit=0", bearer(dropped.token))],
    ["plan_lacks_scope", writing, post(bearer(standard.token), SOURCE)],
    ["plan_lacks_scope", writing, post(bearer(standard.token), "{}")],
    // RFC 6750 §3.1: an API key has no scope to request
    ["plan_lacks_scope", null, post(standard.apiKey, SOURCE)],
  ] as const) {
    const response = await asked;
    const answer = [
      response.status,
      await response.text(),
      response.headers.get("www-authenticate"),
    ];
    expect(answer).toEqual([403, '{"error":"insufficient_scope"}', expected]);
    expect(await recordOf(response)).toMatchObject({ reason });
  }
  expect((await list(standard.apiKey)).status).toBe(200);
  expect((await post(write, SOURCE)).status).toBe(201);
});

test("a refusal for the path, method, input or rate limit is logged with its status and reason", async () => {
  const authorization = bearer(shop.token);
  for (const [status, reason, asked] of [
    [400, "invalid_parameter", server.get("/api/responses?limit=0", authorization)],
    [400, "unknown_cursor", server.get("/api/responses?starting_after=x", authorization)],
    [400, "malformed_body", post(authorization, "{")],
    [413, "payload_too_large", post(authorization, JSON.stringify({ name: "x".repeat(40_000) }))],
    [415, "unsupported_media_type", post(authorization, "x", { "content-type": "text/plain" })],
    [404, "not_found", server.get("/api/secret", authorization)],
    [405, "method_not_allowed", fetch(`${server.url}/api/responses`, { method: "DELETE" })],
  ] as const)
    expect(await recordOf(await asked)).toMatchObject({ status, reason });
  const limited = await testResourceServer({
    logLevel: "info",
    apiRateLimit: 1,
    sharedWith: server,
  });
  for (const _ of [200, 429]) await limited.get("/api/questions", authorization);
  const record = { status: 429, reason: "rate_limited", limit: "api" };
  await expect.poll(() => limited.records.at(-1)).toMatchObject(record);
  await limited.close();
});
