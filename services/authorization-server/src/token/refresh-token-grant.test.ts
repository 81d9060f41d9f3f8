import { disable, enable, revoke } from "@partner-connect/connections";
import { beforeEach, expect, test } from "vitest";
import { forgetRefreshTokens, passTime, refreshTokenKeys } from "../testing/pass-time.ts";
import { type RegisteredClient, suiteReplicas } from "../testing/replicas.ts";
import { exchangeCode, refreshTokens, type TokenAnswer } from "../testing/token-calls.ts";

const OPERATOR = { name: "operator:test" };
const DAY = 24 * 60 * 60;
const LIFE = 30 * DAY;
/** Maximum lag of the time of last use in Postgres behind that in Redis, in seconds. */
const LAG = 60 * 60;

// Many calls run at once: on a busy machine a store may be silent for longer than usual.
const replicas = await suiteReplicas(2, {}, undefined, 30_000);
let client: RegisteredClient;
let shop: { shopId: string; merchantId: string };
let refreshToken: string;

beforeEach(async () => {
  client = await replicas.registerClient();
  shop = await replicas.registerShop();
  refreshToken = await connect(["responses:read", "sources:write"]);
});

const { app } = replicas;
const refusal = (description: string) => ({
  error: "invalid_grant",
  error_description: description,
});

async function connect(scope: ("responses:read" | "sources:write")[]): Promise<string> {
  const issued = await replicas.approveAndIssueCode({ ...client, ...shop, scope });
  return (await exchangeCode(app(), client, issued)).body.refresh_token;
}

async function refresh(form: Record<string, string> = {}, token = refreshToken) {
  return await refreshTokens(app(1), client, token, form);
}

const pass = (seconds: number) => passTime(replicas, client, seconds);

async function connection() {
  const [row] = await replicas.sql`SELECT id FROM oauth.connections WHERE shop_id = ${shop.shopId}`;
  return { shopId: shop.shopId, id: row?.["id"] as string };
}

const forgetInRedis = () => forgetRefreshTokens(replicas.redis, client.clientId);

test.each(["42", "a.b~c-d_E", "-", "Z".repeat(64)])(
  "a refresh succeeds for a shop with the id %s, even after a loss of Redis",
  async (shopId) => {
    await replicas.sql`INSERT INTO directory.shops (id, name, plan) VALUES (${shopId}, 'Hats', 'standard')`;
    await replicas.sql`INSERT INTO directory.memberships (shop_id, merchant_id) VALUES (${shopId}, ${shop.merchantId})`;
    shop = { ...shop, shopId };
    const token = await connect(["responses:read"]);
    expect(token.endsWith(`_${shopId}`)).toBe(true);
    expect((await refresh({}, token)).status).toBe(200);
    await forgetInRedis();
    expect((await refresh({}, token)).status).toBe(200);
    expect((await refresh({}, `${token}~`)).body).toEqual(refusal("the refresh token is unknown"));
  },
);

test("a refresh succeeds even in parallel with other refreshes and retries", async () => {
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, i) => refreshTokens(app(i % 2), client, refreshToken)),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ body }) => body.access_token)).size).toBe(40);
});

test("each successful refresh extends the expiry to a full lifetime", async () => {
  for (let use = 0; use < 3; use++) {
    await pass(LIFE - 5);
    expect((await refresh()).status).toBe(200);
  }
});

test("a refresh succeeds and extends the expiry even after a loss of Redis", async () => {
  expect(await forgetInRedis()).toBe(1);
  expect((await refresh()).status).toBe(200);
  expect((await refreshTokenKeys(replicas.redis, client.clientId)).length).toBe(1);
  await pass(20 * DAY);
  expect((await refresh()).status).toBe(200);
  await forgetInRedis();
  await pass(20 * DAY);
  expect((await refresh()).status).toBe(200);
});

test("a refresh token that has expired in Postgres is refused, even if Redis still has it", async () => {
  await replicas.sql`UPDATE oauth.connections SET last_used_at = now() - interval '31 days' WHERE shop_id = ${shop.shopId}`;
  for (let call = 0; call < 2; call++)
    expect((await refresh()).body).toEqual(refusal("refresh token expired"));
});

test("after parallel refreshes and exchanges of two newer approvals, exactly one refresh token is valid", async () => {
  for (let round = 0; round < 10; round++) {
    const codes = await Promise.all(
      [1, 2].map(() => replicas.approveAndIssueCode({ ...client, ...shop })),
    );
    const [exchanges] = await Promise.all([
      Promise.all(codes.map((issued, i) => exchangeCode(app(i), client, issued))),
      Promise.all(
        Array.from({ length: 20 }, (_, i) => refreshTokens(app(i % 2), client, refreshToken)),
      ),
    ]);
    const given = exchanges
      .filter(({ status }) => status === 200)
      .map(({ body }) => body.refresh_token);
    const answers = await Promise.all([refreshToken, ...given].map((token) => refresh({}, token)));
    expect(given.length).toBe(1);
    expect(answers.map(({ status }) => status)).toEqual([400, 200]);
    refreshToken = given[0];
  }
});

test("a refresh with a narrower scope limits only the access token of that response", async () => {
  expect((await refresh({ scope: "responses:read" })).body.scope).toBe("responses:read");
  expect((await refresh()).body.scope).toBe("responses:read sources:write");
});

const ofAnother = async () => refreshTokens(app(), await replicas.registerClient(), refreshToken);
const whileHeld = async () => {
  await disable(replicas.sql, await connection(), OPERATOR);
  const answer = await refresh();
  await enable(replicas.sql, await connection(), OPERATOR);
  return answer;
};
test.each<[string, string, () => Promise<TokenAnswer>]>([
  ["for a scope not granted", "invalid_scope", () => refresh({ scope: "responses:read admin" })],
  [
    "for a malformed scope",
    "invalid_scope",
    () => refresh({ scope: "responses:read  sources:write" }),
  ],
  ["to another client", "invalid_grant", ofAnother],
  ["while an operator holds the connection", "invalid_grant", whileHeld],
])(
  "a refresh that is refused %s gets %s, and does not extend the expiry",
  async (_, error, refused) => {
    await pass(LIFE / 2);
    expect(await refused()).toMatchObject({ status: 400, body: { error } });
    await pass(LIFE / 2 + LAG + 1);
    expect((await refresh()).body).toEqual(refusal("refresh token expired"));
  },
);

test("a refresh leaves out a scope that the plan or the client has lost, until the scope is allowed again", async () => {
  await replicas.sql`UPDATE directory.shops SET plan = 'standard' WHERE id = ${shop.shopId}`;
  expect((await refresh()).body.scope).toBe("responses:read");
  await replicas.sql`UPDATE directory.shops SET plan = 'advanced_attribution' WHERE id = ${shop.shopId}`;
  expect((await refresh()).body.scope).toBe("responses:read sources:write");
  await replicas.sql`UPDATE directory.clients SET scope = '{sources:write}' WHERE client_id = ${client.clientId}`;
  expect((await refresh()).body.scope).toBe("sources:write");
});

test("once a revocation is acknowledged every new refresh fails, even while earlier refreshes are in progress", async () => {
  const before = Array.from({ length: 50 }, (_, i) =>
    refreshTokens(app(i % 2), client, refreshToken),
  );
  await revoke(replicas.sql, await connection(), OPERATOR);
  const after = Array.from({ length: 50 }, (_, i) =>
    refreshTokens(app(i % 2), client, refreshToken),
  );
  expect(new Set((await Promise.all(after)).map(({ body }) => body.error_description))).toEqual(
    new Set(["grant revoked"]),
  );
  for (const { status, body } of await Promise.all(before)) {
    expect(status === 200 || body.error_description === "grant revoked").toBe(true);
  }
});
