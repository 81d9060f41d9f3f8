import { createHash } from "node:crypto";
import { waitingSessions } from "@partner-connect/database/testing";
import { hashCredential } from "@partner-connect/directory";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { expect, test } from "vitest";
import { passTime } from "../testing/pass-time.ts";
import { type IssuedTestCode, type RegisteredClient, suiteReplicas } from "../testing/replicas.ts";
import { exchangeCode, refreshTokens, type TokenAnswer } from "../testing/token-calls.ts";

// Many calls run at once: on a busy machine a store may be silent for longer than usual.
const replicas = await suiteReplicas(2, {}, undefined, 30_000);
let client: RegisteredClient;
let shop: { shopId: string; merchantId: string };

const { app } = replicas;
const sha256 = (text: string) => createHash("sha256").update(text).digest("base64url");
const LIFE = 300;
const GRACE = 60;
const RACES = process.env["TEST_NIGHTLY"] ? 200 : 20;
const INVALID_CODE = {
  error: "invalid_grant",
  error_description: "the code is unknown, expired or already used",
};
const REFUSED = { status: 400, body: INVALID_CODE };

/** A code for a new client and shop, so that no test meets another's connection. */
async function newCode(
  scope: ("responses:read" | "sources:write")[] = ["responses:read"],
): Promise<IssuedTestCode> {
  client = await replicas.registerClient();
  shop = await replicas.registerShop();
  return await replicas.approveAndIssueCode({ ...client, ...shop, scope });
}

/** Exchanges with another verifier, the challenge as verifier, another URI, and another client. */
const wrongExchanges = async (issued: IssuedTestCode) => [
  await exchangeCode(app(), client, issued, { code_verifier: "x".repeat(43) }),
  await exchangeCode(app(), client, issued, { code_verifier: sha256(issued.codeVerifier) }),
  await exchangeCode(app(), client, issued, { redirect_uri: "https://partner.example/callback/" }),
  await exchangeCode(app(), await replicas.registerClient(), issued),
];

const pass = (seconds: number, { code }: IssuedTestCode) =>
  passTime(replicas, { ...client, code }, seconds);

test("a code exchange returns a refresh token and an access token that is a JWT of RFC 9068", async () => {
  const issued = await newCode(["responses:read", "sources:write"]);
  const { status, headers, body } = await exchangeCode(app(), client, issued);
  expect(status).toBe(200);
  expect(body).toEqual({
    access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    token_type: "Bearer",
    expires_in: 900,
    scope: "responses:read sources:write",
    refresh_token: expect.stringMatching(/^pcr_/),
  });
  expect(headers["cache-control"]).toBe("no-store");
  expect(headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(decodeProtectedHeader(body.access_token)).toEqual({
    alg: "EdDSA",
    typ: "at+jwt",
    kid: expect.any(String),
  });
  const claims = decodeJwt(body.access_token);
  expect(claims).toEqual({
    iss: "https://connect.example",
    aud: "https://connect.example/api",
    sub: shop.shopId,
    client_id: client.clientId,
    scope: "responses:read sources:write",
    jti: expect.any(String),
    iat: expect.any(Number),
    exp: (claims.iat ?? 0) + 900,
    connection_id: expect.stringMatching(/^con_/),
    grant_id: issued.grantId,
    generation: 1,
  });
});

test("a code exchange that fails a check doesn't use up the code", async () => {
  const issued = await newCode();
  const refusals = [
    ...(await wrongExchanges(issued)),
    await exchangeCode(app(), client, { ...issued, code: `${issued.code}x` }),
    await exchangeCode(app(), client, issued, { code_verifier: "short" }),
  ];
  expect(refusals.map(({ body }) => [body.error, body.error_description])).toEqual([
    ...Array(2).fill(["invalid_grant", "code_verifier mismatch"]),
    ["invalid_grant", "redirect_uri is not the authorized one"],
    ...Array(2).fill(["invalid_grant", "the code is unknown, expired or already used"]),
    ["invalid_request", "code_verifier must be 43 to 128 characters of A-Z a-z 0-9 - . _ ~"],
  ]);
  expect((await exchangeCode(app(1), client, issued)).status).toBe(200);
});

test(`exactly one of 50 parallel exchanges of a code over two replicas returns valid tokens (${RACES} codes)`, async () => {
  for (let round = 0; round < RACES; round++) {
    const issued = await newCode();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => exchangeCode(app(i % 2), client, issued)),
    );
    const won = answers.filter(({ status }) => status === 200);
    expect(won.length).toBe(1);
    expect(answers.filter(({ body }) => body.error === "invalid_grant").length).toBe(49);
    expect((await refreshTokens(app(), client, won[0]?.body.refresh_token)).status).toBe(200);
  }
}, 120_000);

test("a code whose grant Redis has lost is refused with invalid_grant", async () => {
  const issued = await newCode();
  // Deletes only this key, because other suites use the same Redis.
  const key = `oauth:Grant:${hashCredential(issued.grantId).toString("base64url")}`;
  expect(await replicas.redis.del(key)).toBe(1);
  expect(await exchangeCode(app(), client, issued)).toMatchObject(REFUSED);
});

test("regression: a code whose connection was erased counted as superseded", async () => {
  const issued = await newCode();
  await replicas.sql`DELETE FROM oauth.connections WHERE shop_id = ${shop.shopId}`;
  expect((await exchangeCode(app(), client, issued)).body).toEqual({
    error: "invalid_grant",
    error_description: "grant revoked",
  });
});

test("an expired code is refused with invalid_grant", async () => {
  const early = await newCode();
  await pass(LIFE - 5, early);
  expect((await exchangeCode(app(), client, early)).status).toBe(200);
  const issued = await newCode();
  await pass(LIFE, issued);
  expect(await exchangeCode(app(), client, issued)).toMatchObject(REFUSED);
});

test("a replay of a code within the grace period is refused and audited, but doesn't end the connection", async () => {
  const issued = await newCode();
  const { body, headers } = await exchangeCode(app(), client, issued);
  await pass(GRACE - 5, issued);
  const replay = await exchangeCode(app(), client, issued);
  expect(replay.body).toEqual(INVALID_CODE);
  const requests = await replicas.sql`
      SELECT request_id FROM oauth.audit_log WHERE shop_id = ${shop.shopId} AND event <> 'approve' ORDER BY id`;
  expect(requests.map((row) => row["request_id"])).toEqual([
    headers["x-request-id"],
    replay.headers["x-request-id"],
  ]);
  expect((await refreshTokens(app(), client, body.refresh_token)).status).toBe(200);
  expect(await events()).toEqual(["approve", "exchange", "code_replay"]);
});

test.each([
  ["even if the code has expired", false],
  ["even during a hold", true],
])(
  "an otherwise valid replay of a code after the grace period revokes the connection, %s",
  async (_, disabled) => {
    const issued = await newCode();
    const { body } = await exchangeCode(app(), client, issued);
    await pass(LIFE + 1, issued);
    await replicas.sql`UPDATE oauth.connections SET disabled = ${disabled} WHERE shop_id = ${shop.shopId}`;
    expect((await exchangeCode(app(), client, issued)).body).toEqual({
      error: "invalid_grant",
      error_description: "the code was used before, so the connection is revoked",
    });
    expect((await refreshTokens(app(), client, body.refresh_token)).body.error_description).toBe(
      "grant revoked",
    );
    expect(await events()).toEqual(["approve", "exchange", "revoke"]);
    expect(
      await replicas.sql`SELECT data -> 'about' ->> 'by' AS by FROM worker_jobs.job WHERE data ->> 'shop_id' = ${shop.shopId} AND data ->> 'kind' = 'app_disconnected'`,
    ).toEqual([{ by: "replay" }]);
  },
);

test("a replay of a code does not end the connection of a newer approval that is exchanged concurrently", async () => {
  const issued = await newCode();
  const old = await exchangeCode(app(), client, issued);
  await pass(GRACE + 1, issued);
  let replay: Promise<TokenAnswer> | undefined;
  await replicas.sql.begin(async (tx) => {
    await tx`UPDATE oauth.connections SET grant_id = 'newer', exchanged_at = now() WHERE shop_id = ${shop.shopId}`;
    replay = exchangeCode(app(), client, issued);
    await expect.poll(() => waitingSessions(replicas.sql)).toBeGreaterThan(0);
  });
  expect((await replay)?.body).toEqual(INVALID_CODE);
  expect(await events()).toEqual(["approve", "exchange"]);
  expect((await refreshTokens(app(), client, old.body.refresh_token)).status).toBe(200);
});

test("a replay of a code with another verifier, URI or client does not end the connection", async () => {
  const issued = await newCode();
  const { body } = await exchangeCode(app(), client, issued);
  await pass(GRACE + 1, issued);
  await wrongExchanges(issued);
  expect((await refreshTokens(app(), client, body.refresh_token)).status).toBe(200);
});

test("a code exchange returns only the scopes that the shop's plan allows", async () => {
  client = await replicas.registerClient();
  shop = await replicas.registerShop("standard");
  const scope = ["responses:read", "sources:write"] as const;
  const issued = await replicas.approveAndIssueCode({ ...client, ...shop, scope });
  expect((await exchangeCode(app(), client, issued)).body.scope).toBe("responses:read");
});

test("a code exchange with another port of the loopback redirect_uri is refused with invalid_grant", async () => {
  client = await replicas.registerClient();
  shop = await replicas.registerShop();
  const redirectUri = "http://localhost:50123/callback";
  const issued = await replicas.approveAndIssueCode({ ...client, ...shop, redirectUri });
  const wrong = await exchangeCode(app(), client, issued, {
    redirect_uri: "http://localhost:50124/callback",
  });
  expect(wrong.body.error).toBe("invalid_grant");
  expect((await exchangeCode(app(), client, issued, { redirect_uri: redirectUri })).status).toBe(
    200,
  );
});

async function events(): Promise<string[]> {
  const rows = await replicas.sql<{ event: string }[]>`
    SELECT event FROM oauth.audit_log WHERE shop_id = ${shop.shopId} ORDER BY id`;
  return rows.map(({ event }) => event);
}
