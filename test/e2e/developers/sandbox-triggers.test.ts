import { decodeProtectedHeader } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Answer } from "../../harness/actors/http.ts";
import { type MerchantBrowser, merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { type Onboarded, onboard, onboardShop, type ShopRecord } from "../../harness/actors/onboarding.ts";
import { operator, runOperator } from "../../harness/actors/operator.ts";
import { type Partner, partner, type Tokens } from "../../harness/actors/partner.ts";
import { keepAsking, until } from "../../harness/stack/processes.ts";
import { type OwnSandbox, startOwnSandbox } from "../../harness/stack/sandboxes.ts";

let sandbox: OwnSandbox;
let onboarded: Onboarded;
let app: Partner;
let browser: MerchantBrowser;

beforeAll(async () => {
  sandbox = await startOwnSandbox({ TOKEN_RATE_LIMIT: "100" });
  onboarded = await onboard(sandbox.now);
  app = partner(sandbox.now, onboarded.client);
  browser = merchantBrowser(onboarded.merchant);
});
afterAll(() => sandbox?.stop());

/** A shop that has just been connected; `id` is the connection's. */
async function connected(plan: "standard" | "advanced_attribution" = "standard", scope = "responses:read") {
  const shop = await onboardShop(sandbox.now, onboarded.merchant, plan);
  const tokens = await app.connect(browser, shop, { scope });
  const [{ id }] = await operator(sandbox.now, ["connection", "list", "--shop", shop.id]);
  return { id: id as string, shop, ...tokens };
}

async function importResponses(shop: ShopRecord, count: number): Promise<void> {
  const lines = Array.from({ length: count }, (_, index) =>
    JSON.stringify({ id: `r${index}`, question: "How did you hear of us?", response: "Podcast" }),
  );
  await operator(sandbox.now, ["response", "import", "--shop", shop.id, "-"], { stdin: lines.join("\n") });
}

const read = ({ accessToken }: Tokens, query = "") => app.call(`/api/responses${query}`, accessToken);
const refusal = (answer: Answer) => [answer.status, answer.json().error, answer.json().error_description];
const REVOKED = [400, "invalid_grant", "grant revoked"];
const EXPIRED = [400, "invalid_grant", "refresh token expired"];

test("are all listed, with what a partner's program sees", async () => {
  const triggers = await operator(sandbox.now, ["sandbox", "triggers"]);
  expect(triggers.map(({ name }: { name: string }) => name)).toEqual([
    ...["code-expiry", "token-expiry", "connection-lapse", "revoke", "hold", "release", "plan-change", "recategorize"],
    ...["delete", "rate-limit", "token-rate-limit", "unavailable", "key-rotation"],
  ]);
  for (const { does, partner } of triggers) expect([does.length > 10, partner.length > 20]).toEqual([true, true]);
  const unknown = await runOperator(sandbox.now, ["sandbox", "trigger", "earthquake"]);
  expect(unknown).toEqual({
    exitCode: 2,
    stdout: "",
    stderr: `partner-connect: there is no trigger "earthquake"; 'partner-connect sandbox triggers' lists them all\n`,
  });
});

test("code-expiry and token-expiry leave connections as they are", async () => {
  const shop = await connected();
  const obtained = await app.obtainCode(browser, await onboardShop(sandbox.now, onboarded.merchant));
  await sandbox.trigger("code-expiry");
  expect((await app.exchange(obtained)).json().error).toBe("invalid_grant");
  expect((await read(shop)).status).toBe(200);
  await sandbox.trigger("token-expiry");
  expect((await read(shop)).status).toBe(401);
  expect((await app.refresh(shop.refreshToken)).status).toBe(200);
});

test("connection-lapse of one connection ends that one", async () => {
  const [lapsed, other] = [await connected(), await connected()];
  const before = await sandbox.time();
  expect(await sandbox.trigger("connection-lapse", { connection: lapsed.id })).toMatchObject({ connection: lapsed.id });
  expect((await sandbox.time()).getTime() - before.getTime()).toBeLessThan(60_000);
  expect(refusal(await app.refresh(lapsed.refreshToken))).toEqual(EXPIRED);
  const [{ status }] = await operator(sandbox.now, ["connection", "list", "--shop", lapsed.shop.id]);
  expect(status).toBe("expired");
  expect((await app.refresh(other.refreshToken)).status).toBe(200);
  const again = await app.connect(browser, lapsed.shop);
  expect((await app.refresh(again.refreshToken)).status).toBe(200);
});

test("revoke, hold and release are the operator's own, by the command line", async () => {
  const [revoked, held] = [await connected(), await connected()];
  const done = await operator(sandbox.now, ["sandbox", "trigger", "revoke", "--connection", revoked.id]);
  expect(done).toEqual({ now: expect.stringMatching(/Z$/), trigger: "revoke", connection: revoked.id });
  expect((await read(revoked)).status).toBe(403);
  expect(refusal(await app.refresh(revoked.refreshToken))).toEqual(REVOKED);

  await sandbox.trigger("hold", { connection: held.id });
  expect((await read(held)).status).toBe(403);
  expect(refusal(await app.refresh(held.refreshToken))).toEqual(REVOKED);
  await sandbox.trigger("release", { connection: held.id });
  expect((await read(held)).status).toBe(403);
  const { access_token: accessToken } = (await app.refresh(held.refreshToken)).json();
  expect((await read({ ...held, accessToken })).status).toBe(200);
});

test("what fits several connections, or none, is refused and says which there are", async () => {
  const { id } = await connected();
  const several = await sandbox.control("/triggers/revoke", {});
  expect([several.status, several.json().message]).toEqual([
    400,
    expect.stringMatching(/^choose one by --connection: con_/),
  ]);
  const none = await sandbox.control("/triggers/release", { connection: id });
  expect([none.status, none.json().message]).toEqual([400, `${id} is connected, not disabled`]);
  for (const name of ["revoke", "plan-change", "recategorize"]) {
    const unknown = await sandbox.control(`/triggers/${name}`, { connection: "con_x" });
    expect(unknown.status).toBe(400);
  }
  expect((await sandbox.control("/triggers/key-rotation", { connection: id })).status).toBe(400);
  expect((await sandbox.control("/triggers/recategorize", { connection: id, count: "0" })).status).toBe(400);
});

test("plan-change takes a scope away and gives it back", async () => {
  const shop = await connected("advanced_attribution", "responses:read sources:write");
  expect(await sandbox.trigger("plan-change", { connection: shop.id })).toMatchObject({ plan: "standard" });
  expect((await app.call("/api/sources", shop.accessToken, { name: "A", type: "other" })).status).toBe(403);
  expect((await app.refresh(shop.refreshToken)).json().scope).toBe("responses:read");
  await sandbox.trigger("plan-change", { shop: shop.shop.id, plan: "advanced_attribution" });
  expect((await app.refresh(shop.refreshToken)).json().scope).toBe("responses:read sources:write");
});

test("recategorize and delete are what a sync has to notice", async () => {
  const shop = await connected();
  await importResponses(shop.shop, 5);
  const before = (await read(shop, "?sort=updated_at_asc")).json().data;
  await sandbox.advance("1m");
  const options = { connection: shop.id, count: "2", response: "Radio" };
  expect(await sandbox.trigger("recategorize", options)).toMatchObject({ changed: 2, response: "Radio" });
  const { updated_at: last, id } = before.at(-1);
  const news = (await read(shop, `?sort=updated_at_asc&starting_after=${id}&cursor_time=${last}`)).json().data;
  expect(news.map((record: Record<string, string>) => [record["response"], record["original_response"]])).toEqual([
    ["Radio", "Podcast"],
    ["Radio", "Podcast"],
  ]);
  expect(await sandbox.trigger("delete", { shop: shop.shop.id, count: "3" })).toMatchObject({ deleted: 3 });
  expect((await read(shop)).json().data).toHaveLength(2);
  const deleted = (await app.call("/api/deleted-responses", shop.accessToken)).json().data;
  expect(deleted).toHaveLength(3);
  // In the sandbox's time.
  expect(Math.abs(Date.parse(deleted[0].deleted_at) - (await sandbox.time()).getTime())).toBeLessThan(60_000);
});

test("rate-limit is 429 for that connection, until its minute is over", async () => {
  const [limited, other] = [await connected(), await connected()];
  await sandbox.trigger("rate-limit", { connection: limited.id });
  const answer = await read(limited);
  expect([answer.status, answer.headers["x-ratelimit-remaining"]]).toEqual([429, "0"]);
  const wait = Number(answer.headers["retry-after"]);
  expect(wait).toBeGreaterThan(0);
  expect((await read(other)).status).toBe(200);
  await sandbox.advance(`${wait}s`);
  expect((await read(limited)).status).toBe(200);
});

test("key-rotation refuses no call, and new tokens have another key", async () => {
  const shop = await connected();
  const load = keepAsking(() => read(shop), 2);
  const { kid } = await operator(sandbox.now, ["sandbox", "trigger", "key-rotation"]);
  expect(Object.keys(await load.stop())).toEqual(["200"]);
  const { access_token: accessToken } = (await app.refresh(shop.refreshToken)).json();
  expect([decodeProtectedHeader(accessToken).kid, decodeProtectedHeader(shop.accessToken).kid === kid]).toEqual([
    kid,
    false,
  ]);
  expect((await read({ ...shop, accessToken })).status).toBe(200);
  const keys = await operator(sandbox.now, ["keys", "list"]);
  expect(keys.map((key: { status: string }) => key.status).sort()).toEqual(["active", "retiring"]);
});

test("unavailable is 503 with retry-after for every call, and then it is over", async () => {
  const shop = await connected();
  await sandbox.trigger("unavailable", { seconds: "8" });
  const answers = await Promise.all([read(shop), app.refresh(shop.refreshToken)]);
  for (const { status, headers } of answers) {
    expect(status).toBe(503);
    expect(Number(headers["retry-after"])).toBeGreaterThan(0);
  }
  // Its clock can be moved meanwhile. This one ends by the machine's, as the database itself waits.
  await sandbox.advance("1s");
  await until(async () => (await read(shop)).status === 200 && (await app.refresh(shop.refreshToken)).status === 200);
});

test("token-rate-limit is 429 at the token endpoint, and harms no token", async () => {
  const shop = await connected();
  expect((await sandbox.trigger("token-rate-limit")).calls).toBeGreaterThan(0);
  const answer = await app.refresh(shop.refreshToken);
  expect(answer.status).toBe(429);
  await sandbox.advance(`${answer.headers["retry-after"]}s`);
  expect((await app.refresh(shop.refreshToken)).status).toBe(200);
});
