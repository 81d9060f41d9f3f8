import { disable, revoke } from "@partner-connect/connections";
import { transaction } from "@partner-connect/database";
import { waitingSessions } from "@partner-connect/database/testing";
import { eraseShop } from "@partner-connect/erasure";
import { decodeJwt } from "jose";
import { beforeEach, expect, test, vi } from "vitest";
import { connectShop } from "../testing/partner-calls.ts";
import { forgetRefreshTokens } from "../testing/pass-time.ts";
import { type RegisteredClient, suiteReplicas } from "../testing/replicas.ts";
import { whileShopIsAway } from "../testing/shop-away.ts";
import { exchangeCode, refreshBatch, refreshTokens } from "../testing/token-calls.ts";

const OPERATOR = { name: "operator:test" };
const SHOPS = 6;

const replicas = await suiteReplicas(2, { LOG_LEVEL: "info" });
let client: RegisteredClient;
let shops: Awaited<ReturnType<typeof connect>>[];

beforeEach(async () => {
  client = await replicas.registerClient();
  shops = await Promise.all(Array.from({ length: SHOPS }, connect));
  replicas.records.splice(0);
});

const { app } = replicas;
const tokenOf = (index: number) => shops[index]?.refreshToken ?? expect.fail("no shop");
const tokens = () => shops.map(({ refreshToken }) => refreshToken);
const unknown = { error: "invalid_grant", error_description: "the refresh token is unknown" };
const unavailable = {
  error: "temporarily_unavailable",
  error_description: expect.any(String),
  retry_after: expect.any(Number),
};

const connect = () => connectShop(replicas, client);
const connectionOf = (index: number) => shops[index] ?? expect.fail("no shop");

const records = () => replicas.records.filter(({ msg }) => msg === "request");

test("a batch of refreshes returns, in order, the result that a single refresh of each token would return", async () => {
  await revoke(replicas.sql, connectionOf(0), OPERATOR);
  await disable(replicas.sql, connectionOf(1), OPERATOR);
  await replicas.approveAndIssueCode({ ...client, ...(shops[2] ?? expect.fail("no shop")) });
  await replicas.sql`UPDATE oauth.connections SET last_used_at = now() - interval '40 days' WHERE shop_id = ${shops[3]?.shopId ?? ""}`;
  await forgetRefreshTokens(replicas.redis, client.clientId);
  const asked = [...tokens(), "", "junk", `${tokenOf(4)}x`, `pcr_${"a".repeat(43)}_shop_none`];
  const { status, headers, body } = await refreshBatch(app(), client, asked);
  const singles = await Promise.all(asked.map((token) => refreshTokens(app(1), client, token)));
  expect([status, headers["cache-control"]]).toEqual([200, "no-store"]);
  expect(body).toEqual({
    results: singles.map(({ status, body }) =>
      status === 200 ? { ...body, access_token: expect.any(String) } : body,
    ),
  });
  expect(body.results.map((one: { error?: string }) => one.error ?? "issued")).toEqual([
    ...Array(4).fill("invalid_grant"),
    ...["issued", "issued", "invalid_request"],
    ...Array(3).fill("invalid_grant"),
  ]);
  expect(
    body.results
      .slice(4, 6)
      .map((one: { access_token: string }) => decodeJwt(one.access_token).sub),
  ).toEqual(shops.slice(4, 6).map(({ shopId }) => shopId));
  expect((await refreshTokens(app(), client, tokenOf(5))).status).toBe(200);
});

test("an erased shop's tokens are refused as revoked, or unknown for a test shop, even after reuse of the id", async () => {
  const [erased, test, other] = [await connect(), await connect(), await connect()];
  const asked = [erased, test, other].map(({ refreshToken }) => refreshToken);
  await replicas.sql`UPDATE directory.shops SET test_of = ${client.clientId} WHERE id = ${test.shopId}`;
  for (const { shopId } of [erased, test]) await eraseShop(replicas.sql, shopId, OPERATOR);
  const revoked = { error: "invalid_grant", error_description: "grant revoked" };
  const stranger = erased.refreshToken.replace(/^pcr_.{43}/, `pcr_${"a".repeat(43)}`);
  async function expectEnded() {
    const { body } = await refreshBatch(app(), client, [...asked, stranger]);
    expect(body.results).toEqual([
      revoked,
      unknown,
      expect.objectContaining({ expires_in: 900 }),
      unknown,
    ]);
    expect((await refreshTokens(app(), client, erased.refreshToken)).body).toEqual(revoked);
  }
  await expectEnded();
  await replicas.sql`INSERT INTO directory.shops (id, name, plan) VALUES (${erased.shopId}, 'Hats', 'standard')`;
  await replicas.sql`
      INSERT INTO directory.memberships (shop_id, merchant_id) VALUES (${erased.shopId}, ${erased.merchantId})`;
  const again = await exchangeCode(
    app(),
    client,
    await replicas.approveAndIssueCode({ ...client, ...erased }),
  );
  await expectEnded();
  await forgetRefreshTokens(replicas.redis, client.clientId);
  await expectEnded();
  expect((await refreshTokens(app(), client, again.body.refresh_token)).status).toBe(200);
});

test("a batch of a thousand tokens is accepted, and duplicate tokens get the same result", async () => {
  const asked = Array.from({ length: 1000 }, (_, i) =>
    i % 4 === 3 ? `junk ${i}` : tokenOf(i % 4),
  );
  const { status, body } = await refreshBatch(app(), client, asked);
  expect(status).toBe(200);
  expect(body.results.length).toBe(1000);
  expect(new Set(body.results.map((one: { access_token?: string }) => one.access_token)).size).toBe(
    4,
  );
  for (const [i, one] of body.results.entries())
    expect(one).toEqual(i % 4 === 3 ? unknown : body.results[i % 4]);
});

test("a client's batch of refreshes overtakes another client's earlier batches", async () => {
  const junk = Array.from({ length: 200 }, (_, n) => `pcr_${"a".repeat(43)}_shop_${n}`);
  let answered = 0;
  const other = await replicas.registerClient();
  const many = Array.from({ length: 20 }, async () => {
    await refreshBatch(app(), other, junk);
    answered++;
  });
  expect((await refreshBatch(app(), client, [...tokens(), ...junk])).status).toBe(200);
  expect(answered).toBeLessThan(5);
  await Promise.all(many);
});

test("after eight seconds, a batch returns temporarily_unavailable for the tokens that are not yet processed", async () => {
  const asked = [...tokens(), ...Array.from({ length: 150 }, (_, i) => `junk ${i}`)];
  const { answer } = await transaction(replicas.sql, async (tx) => {
    await tx`LOCK TABLE oauth.connections IN ACCESS EXCLUSIVE MODE`;
    const answer = refreshBatch(app(), client, asked);
    await expect.poll(() => waitingSessions(replicas.sql)).toBeGreaterThan(0);
    const now = performance.now.bind(performance);
    vi.spyOn(performance, "now").mockImplementation(() => now() + 8000);
    return { answer };
  });
  const { status, body } = await answer.finally(() => vi.restoreAllMocks());
  expect(status).toBe(200);
  const issued = Array(SHOPS).fill(expect.objectContaining({ token_type: "Bearer" }));
  expect(body.results).toEqual([
    ...issued,
    ...Array(100 - SHOPS).fill(unknown),
    ...Array(50 + SHOPS).fill(unavailable),
  ]);
  expect((await refreshBatch(app(), client, ["junk 149"])).body).toEqual({ results: [unknown] });
});

test("in a batch, only the tokens of a shop whose Postgres is unavailable get temporarily_unavailable", async () => {
  const { shopId } = shops[1] ?? expect.fail("no shop");
  await whileShopIsAway(replicas.sql, shopId, async () => {
    const { status, body } = await refreshBatch(app(), client, ["junk", ...tokens()]);
    expect(status).toBe(200);
    expect(body.results[0]).toEqual(unknown);
    expect(body.results[2]).toEqual(unavailable);
    const others = body.results.filter((_: unknown, index: number) => index !== 0 && index !== 2);
    expect(others.map((one: { token_type?: string }) => one.token_type)).toEqual(
      Array(SHOPS - 1).fill("Bearer"),
    );
    expect(records().at(-1)).toMatchObject({
      tokens: {
        issued: SHOPS - 1,
        refused: { unknown_refresh_token: 1 },
        failed: { postgres_refused: 1 },
      },
    });
    expect(replicas.records.filter(({ level }) => level === "error" || level === 50).length).toBe(
      1,
    );
  });
  expect((await refreshTokens(app(), client, tokenOf(1))).status).toBe(200);
});

test("a batch gets 503 as a whole if Postgres is unavailable for every well-formed token", async () => {
  const { shopId } = shops[0] ?? expect.fail("no shop");
  await whileShopIsAway(replicas.sql, shopId, async () => {
    const { status, headers, body } = await refreshBatch(app(), client, ["junk", tokenOf(0)]);
    expect({ status, body }).toEqual({ status: 503, body: { error: "unavailable" } });
    expect(Number(headers["retry-after"])).toBeGreaterThan(0);
  });
  expect((await refreshTokens(app(), client, tokenOf(0))).status).toBe(200);
});

test("a batch of refreshes is logged once, without tokens, and counted per token for the client", async () => {
  await revoke(replicas.sql, connectionOf(0), OPERATOR);
  replicas.activity.take();
  const { headers } = await refreshBatch(app(), client, [...tokens(), "junk"]);
  expect(records().length).toBe(1);
  expect(records()[0]).toMatchObject({
    route: "/oauth/api/token/batch",
    status: 200,
    client_id: client.clientId,
    grant_type: "batch",
    tokens: {
      issued: SHOPS - 1,
      refused: { grant_revoked: 1, unknown_refresh_token: 1 },
      failed: {},
    },
    reqId: headers["x-request-id"],
  });
  expect(JSON.stringify(replicas.records)).not.toContain("pcr_");
  const counted = replicas.activity.take().map(({ what, reason, count }) => [what, reason, count]);
  expect(counted).toEqual([
    ["refreshes", "", SHOPS - 1],
    ["token_refused", "grant_revoked", 1],
    ["token_refused", "unknown_refresh_token", 1],
  ]);
  const metric = await replicas.metrics.registry
    .getSingleMetric("partner_connect_token_requests_total")
    ?.get();
  const labels = metric?.values
    .filter(({ labels }) => labels["grant_type"] === "batch")
    .map(({ labels }) => labels);
  expect(labels?.map(({ outcome }) => outcome)).toEqual(
    expect.arrayContaining(["issued", "grant_revoked"]),
  );
});

const many = (count: number) => JSON.stringify({ refresh_tokens: Array(count).fill("x") });
const FORM = "application/x-www-form-urlencoded";
test("a batch with a malformed body is refused as a whole with invalid_request", async () => {
  const bodies: [string, string, string?][] = [
    ["an empty body", ""],
    ["a body that is no JSON", "{"],
    ["an object without tokens", "{}"],
    ["a list with an object's keys", '{"refresh_tokens":{"length":1,"0":"x"}}'],
    ["1,001 tokens", many(1001)],
    ["a token that is no string", '{"refresh_tokens":["x",1]}'],
    ["a form", "refresh_tokens=x", FORM],
    ["a megabyte", JSON.stringify({ refresh_tokens: ["x".repeat(2 ** 20)] })],
  ];
  for (const [what, body, contentType = "application/json"] of bodies) {
    const answer = await refreshBatch(app(), client, [], { body, contentType });
    const refusal = { error: "invalid_request", error_description: expect.any(String) };
    expect.soft([answer.status, answer.body], what).toEqual([400, refusal]);
    expect.soft(answer.headers["cache-control"], what).toBe("no-store");
  }
});

test("a batch may have 256 KB and begin with a byte order mark", async () => {
  const body = `\uFEFF${many(1)}`;
  expect((await refreshBatch(app(), client, [], { body })).body).toEqual({ results: [unknown] });
  const token = "x".repeat(256 * 1024 - JSON.stringify({ refresh_tokens: [""] }).length);
  expect((await refreshBatch(app(), client, [token])).body).toEqual({ results: [unknown] });
});

test("a batch with client credentials in its body is refused as a whole with invalid_client", async () => {
  const body = JSON.stringify({ refresh_tokens: tokens(), client_secret: client.secret });
  const refused = await refreshBatch(app(), client, [], { body });
  expect([refused.status, refused.body.error]).toEqual([401, "invalid_client"]);
});
