import { disable, enable, revoke } from "@partner-connect/connections";
import { beforeEach, expect, test } from "vitest";
import { passTime } from "../testing/pass-time.ts";
import { type RegisteredClient, suiteReplicas } from "../testing/replicas.ts";
import { whileShopIsAway } from "../testing/shop-away.ts";
import { basic, exchangeCode, refreshTokens } from "../testing/token-calls.ts";

const OPERATOR = { name: "operator:test" };

const replicas = await suiteReplicas(2, { LOG_LEVEL: "info" });
let client: RegisteredClient;
let shop: { shopId: string; merchantId: string };
let tokens: { refresh_token: string; access_token: string };

beforeEach(async () => {
  client = await replicas.registerClient();
  shop = await replicas.registerShop();
  tokens = await connect();
});

const { app } = replicas;
const connect = async () =>
  (await exchangeCode(app(), client, await replicas.approveAndIssueCode({ ...client, ...shop })))
    .body;

async function send(form: Record<string, string> | string, as = client, index = 0) {
  const answer = await app(index).inject({
    method: "POST",
    url: "/oauth/api/revoke",
    headers: { authorization: basic(as), "content-type": "application/x-www-form-urlencoded" },
    payload: typeof form === "string" ? form : new URLSearchParams(form).toString(),
  });
  return { status: answer.statusCode, headers: answer.headers, body: answer.body };
}

/** Every response is the same unless the request is refused. */
async function revokeToken(token: string, as = client, index = 0, hint?: string) {
  const { status, headers, body } = await send(
    { token, ...(hint && { token_type_hint: hint }) },
    as,
    index,
  );
  expect([status, body, headers["content-length"], headers["cache-control"]]).toEqual([
    200,
    "",
    "0",
    "no-store",
  ]);
}
/** Revokes by both tokens of the connection, one after the other. */
async function revokeBoth(as = client) {
  await revokeToken(tokens.refresh_token, as);
  await revokeToken(tokens.access_token, as);
}

async function connection() {
  const [row] = await replicas.sql<{ id: string; status: string }[]>`
    SELECT id, status FROM oauth.connections WHERE shop_id = ${shop.shopId}`;
  return { ...(row ?? expect.fail("no connection")), shopId: shop.shopId };
}
const status = async () => (await connection()).status;

test.each([
  ["refresh_token", "access_token"],
  ["access_token", "refresh_token"],
] as const)(
  "a revocation by the %s ends the connection, even with a wrong token_type_hint, and is audited for the client",
  async (kind, hint) => {
    await revokeToken(tokens[kind], client, 1, hint);
    const { body } = await refreshTokens(app(), client, tokens.refresh_token);
    expect(body).toEqual({ error: "invalid_grant", error_description: "grant revoked" });
    const [row] = await replicas.sql`
        SELECT c.status, c.generation, a.actor, a.connection_id = c.id AS is_its, a.request_id, a.details ->> 'reason' AS reason
        FROM oauth.connections c JOIN oauth.audit_log a ON a.shop_id = c.shop_id AND a.event = 'revoke'
        WHERE c.shop_id = ${shop.shopId}`;
    expect(row).toEqual({
      status: "revoked",
      generation: 2,
      actor: `client:${client.clientId}`,
      is_its: true,
      request_id: expect.any(String),
      reason: "disconnected by the partner",
    });
    const record = replicas.records.findLast(({ route }) => route === "/oauth/api/revoke");
    const concerned = {
      client_id: client.clientId,
      shop_id: shop.shopId,
      connection_id: expect.any(String),
    };
    expect(record).toMatchObject({ status: 200, outcome: "revoked", ...concerned });
  },
);

test("a connection that is revoked during a hold stays revoked after the hold", async () => {
  await disable(replicas.sql, await connection(), OPERATOR);
  await revokeToken(tokens.refresh_token);
  await enable(replicas.sql, await connection(), OPERATOR);
  expect(await status()).toBe("revoked");
});

test("a revocation by an unknown token, or by a text that is no token, gets 200 and ends no connection", async () => {
  const [header, claims, signature] = tokens.access_token.split(".");
  const unsigned = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString("base64url");
  const [secret, name] = tokens.refresh_token.split("_shop_");
  const other = await replicas.registerShop();
  for (const token of [
    "x",
    "..",
    "a.b.c",
    "\0",
    "x".repeat(10_000),
    `pcr_${"a".repeat(43)}_${shop.shopId}`,
    `${secret?.slice(0, -1)}${secret?.endsWith("A") ? "B" : "A"}_shop_${name}`,
    `${secret}_${other.shopId}`,
    `${unsigned}.${claims}.`,
    `${header}.${claims}.${"A".repeat(86)}`,
    `${header}.${claims}.%`,
    `${header}.e30.${signature}`,
    client.secret,
  ])
    await revokeToken(token);
  expect(await status()).toBe("connected");
  expect(await audited()).toEqual([]);
});

test("a revocation by another client's tokens, or by an expired access token, gets 200 and ends no connection", async () => {
  const other = await replicas.registerClient();
  await revokeBoth(other);
  await passTime(replicas, client, 901);
  await revokeToken(tokens.access_token);
  expect(await status()).toBe("connected");
});

test("a revocation by tokens of a revoked connection gets 200 and ends no connection, even after a new approval", async () => {
  await revoke(replicas.sql, await connection(), OPERATOR);
  await revokeBoth();
  expect(await audited()).toEqual(["operator:test"]);
  const newer = await connect();
  await revokeBoth();
  expect((await refreshTokens(app(), client, newer.refresh_token)).status).toBe(200);
});

test("a revocation by tokens of an older authorization gets 200 and ends no connection, even before the newer code's exchange", async () => {
  const newer = await replicas.approveAndIssueCode({ ...client, ...shop });
  await revokeBoth();
  const { body } = await exchangeCode(app(), client, newer);
  await revokeBoth();
  expect((await refreshTokens(app(), client, body.refresh_token)).status).toBe(200);
});

test("a revocation by an access token from before a hold gets 200 and ends no connection", async () => {
  await disable(replicas.sql, await connection(), OPERATOR);
  await enable(replicas.sql, await connection(), OPERATOR);
  await revokeToken(tokens.access_token);
  expect(await status()).toBe("connected");
});

test("only the newer authorization survives concurrent revocations, refreshes and an exchange over two replicas", async () => {
  for (let round = 0; round < 8; round++) {
    const newer = await replicas.approveAndIssueCode({ ...client, ...shop });
    const [exchanged, refreshed] = await Promise.all([
      exchangeCode(app(round % 2), client, newer),
      Promise.all(
        [0, 1, 0, 1].map((index) => refreshTokens(app(index), client, tokens.refresh_token)),
      ),
      ...[0, 1].flatMap((index) => [
        revokeToken(tokens.refresh_token, client, index),
        revokeToken(tokens.access_token, client, index),
      ]),
    ]);
    expect(new Set(refreshed.map(({ status }) => status))).toEqual(new Set([400]));
    expect((await refreshTokens(app(), client, exchanged.body.refresh_token)).status).toBe(200);
    const answers = await Promise.all([
      revokeToken(exchanged.body.refresh_token, client, round % 2),
      ...[0, 1, 0, 1].map((index) =>
        refreshTokens(app(index), client, exchanged.body.refresh_token),
      ),
    ]);
    for (const answer of answers) if (answer) expect([200, 400]).toContain(answer.status);
    expect(
      (await refreshTokens(app(), client, exchanged.body.refresh_token)).body.error_description,
    ).toBe("grant revoked");
    tokens = await connect();
  }
});

test("a revocation without exactly one well-formed token is refused with invalid_request", async () => {
  const forms = ["", "token=a&token=b", "token=a%0A"];
  for (const form of forms) {
    const { status, body } = await send(form);
    expect.soft([status, JSON.parse(body).error], form).toEqual([400, "invalid_request"]);
  }
});

test("a revocation is refused with invalid_request as JSON and with 405 by GET", async () => {
  const headers = { authorization: basic(client), "content-type": "application/json" };
  const url = "/oauth/api/revoke";
  const json = await app().inject({ method: "POST", url, headers, payload: '{"token":"x"}' });
  expect([json.statusCode, json.json().error]).toEqual([400, "invalid_request"]);
  const got = await app().inject({
    method: "GET",
    url: `${url}?token=${tokens.refresh_token}`,
    headers,
  });
  expect([got.statusCode, got.headers["allow"]]).toEqual([405, "POST"]);
  expect(await status()).toBe("connected");
});

test("a revocation gets 503 while Postgres is unavailable for the shop, and succeeds later", async () => {
  await whileShopIsAway(replicas.sql, shop.shopId, async () => {
    const { status, headers, body } = await send({ token: tokens.refresh_token });
    expect([status, body, headers["retry-after"]]).toEqual([503, '{"error":"unavailable"}', "2"]);
  });
  await revokeToken(tokens.refresh_token);
  expect(await status()).toBe("revoked");
});

async function audited(): Promise<string[]> {
  const rows = await replicas.sql<{ actor: string }[]>`
    SELECT actor FROM oauth.audit_log WHERE shop_id = ${shop.shopId} AND event = 'revoke'`;
  return rows.map(({ actor }) => actor);
}
