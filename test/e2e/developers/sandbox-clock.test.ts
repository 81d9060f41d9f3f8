import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeData, startLocalStack } from "@partner-connect/local-stack";
import { decodeJwt } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, sendForm } from "../../harness/actors/http.ts";
import { type MerchantBrowser, merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { type Onboarded, onboard, onboardShop } from "../../harness/actors/onboarding.ts";
import { operator, runOperator } from "../../harness/actors/operator.ts";
import { basic, type Partner, partner } from "../../harness/actors/partner.ts";
import { keepAsking, restart } from "../../harness/stack/processes.ts";
import { type OwnSandbox, startOwnSandbox } from "../../harness/stack/sandboxes.ts";
import { mainStack } from "../../harness/stack/stacks.ts";

let sandbox: OwnSandbox;
let onboarded: Onboarded;
let app: Partner;
let browser: MerchantBrowser;

beforeAll(async () => {
  sandbox = await startOwnSandbox();
  onboarded = await onboard(sandbox.now);
  app = partner(sandbox.now, onboarded.client);
  browser = merchantBrowser(onboarded.merchant);
});
afterAll(() => sandbox?.stop());

const newShop = () => onboardShop(sandbox.now, onboarded.merchant);
const refusal = (answer: Answer) => [answer.status, answer.json().error_description];
const MINUTE = 60_000;

describe("the sandbox's clock", () => {
  test("moves by what it is asked for, in every part of the system", async () => {
    const before = await sandbox.time();
    const after = await sandbox.advance("1d2h3m4s");
    const moved = after.getTime() - before.getTime();
    expect(moved).toBeGreaterThanOrEqual(93_784_000);
    expect(moved).toBeLessThan(93_784_000 + MINUTE);

    const shop = await newShop();
    const tokens = await app.connect(browser, shop);
    const inNow = (time: string | number | Date) => Math.abs(new Date(time).getTime() - after.getTime());
    const { iat = 0, exp = 0 } = decodeJwt(tokens.accessToken);
    expect(inNow(iat * 1000)).toBeLessThan(MINUTE);
    expect(exp - iat).toBe(900);
    const [connection] = await operator(sandbox.now, ["connection", "list", "--shop", shop.id]);
    for (const time of ["connected_at", "last_used_at"]) expect(inNow(connection[time])).toBeLessThan(MINUTE);
    const line = JSON.stringify({ question: "How did you hear of us?", response: "Podcast" });
    await operator(sandbox.now, ["response", "import", "--shop", shop.id, "-"], { stdin: line });
    const [record] = (await app.call("/api/responses", tokens.accessToken)).json().data;
    for (const time of ["inserted_at", "updated_at"]) expect(inNow(record[time])).toBeLessThan(MINUTE);
    expect(inNow(Number.parseInt(record.id.slice(4, 16), 16))).toBeLessThan(2 * 86_400_000);
    const [entry] = await operator(sandbox.now, ["audit", "list", "--shop", shop.id, "--since", "2m"]);
    expect(inNow(entry.at)).toBeLessThan(MINUTE);
  });

  test("lets access tokens and codes live as long as ever, and not longer", async () => {
    const { accessToken, refreshToken } = await app.connect(browser, await newShop());
    const obtained = await app.obtainCode(browser, await newShop());
    const kept = await app.obtainCode(browser, await newShop());
    await sandbox.advance("4m");
    expect((await app.exchange(kept)).status).toBe(200);
    await sandbox.advance("10m");
    expect((await app.call("/api/responses", accessToken)).status).toBe(200);
    await sandbox.advance("65s");
    const late = await app.call("/api/responses", accessToken);
    expect([late.status, late.headers["www-authenticate"]]).toEqual([401, expect.stringContaining("invalid_token")]);
    expect((await app.exchange(obtained)).json().error).toBe("invalid_grant");
    expect((await app.refresh(refreshToken)).status).toBe(200);
  });

  test("lets connections live for 30 days from their last use, and sessions end", async () => {
    const { refreshToken } = await app.connect(browser, await newShop());
    for (const _ of [1, 2]) {
      await sandbox.advance("29d");
      expect((await app.refresh(refreshToken)).status).toBe(200);
    }
    await sandbox.advance("P31D");
    expect(refusal(await app.refresh(refreshToken))).toEqual([400, "refresh token expired"]);
    expect((await browser.open(`${sandbox.now.base_url}/oauth/connections`)).text).toContain("Sign in");
  });

  test("ends the minutes of rate limits", async () => {
    const { accessToken } = await app.connect(browser, await newShop());
    const [{ id }] = await operator(sandbox.now, ["connection", "list", "--status", "connected", "--limit", "1"]);
    await sandbox.trigger("rate-limit", { connection: id });
    expect((await app.call("/api/responses", accessToken)).status).toBe(429);
    await sandbox.advance("30s");
    expect((await app.call("/api/responses", accessToken)).status).toBe(429);
    await sandbox.advance("31s");
    expect((await app.call("/api/responses", accessToken)).status).toBe(200);
  });

  test("disturbs no call under way, and adds up what is asked for at once", async () => {
    const { refreshToken } = await app.connect(browser, await newShop());
    // Each call has a token of its own, so that an advance between two calls expires nothing.
    const load = keepAsking(async () => {
      const answer = await app.refresh(refreshToken);
      if (answer.status !== 200) return answer;
      const read = await app.call("/api/responses", answer.json().access_token);
      return { status: read.status };
    });
    const before = await sandbox.time();
    const since = performance.now();
    await Promise.all(Array.from({ length: 20 }, () => sandbox.advance("10s")));
    const took = performance.now() - since;
    expect(Object.keys(await load.stop())).toEqual(["200"]);
    expect((await sandbox.time()).getTime() - before.getTime()).toBeGreaterThanOrEqual(200_000);
    // 20 at once, beside six callers. Each takes a few milliseconds, and none waits for a second.
    expect(took).toBeLessThan(20_000);
  });

  test("is told by a process that starts later, and by a stack that starts again", async () => {
    const { refreshToken } = await app.connect(browser, await newShop());
    await sandbox.advance("10d");
    await restart(sandbox, "authorization-server-1", "SIGKILL");
    await restart(sandbox, "resource-server-1", "SIGKILL");
    const [first] = sandbox.now.authorization_server_urls;
    const form = { grant_type: "refresh_token", refresh_token: refreshToken };
    const answer = await sendForm(`${first}/oauth/api/token`, form, { authorization: basic(onboarded.client) });
    const { access_token: token } = answer.json();
    const [api] = sandbox.now.resource_server_urls;
    expect((await fetch(`${api}/api/responses`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);

    const before = await sandbox.time();
    await sandbox.restart();
    const { now } = await operator(sandbox.now, ["sandbox", "now"]);
    expect(Date.parse(now)).toBeGreaterThan(before.getTime());
    expect(Date.parse(now)).toBeLessThan(before.getTime() + MINUTE);
    expect((await app.refresh(refreshToken)).status).toBe(200);
  });
});

describe("a stack that is no sandbox", () => {
  test("has no clock that could be moved", async () => {
    const outcome = await runOperator(mainStack(), ["sandbox", "advance", "1d"]);
    expect(outcome).toMatchObject({ exitCode: 1, stdout: "" });
    expect(outcome.stderr).toMatch(
      /^partner-connect: the stack of .* is no sandbox: its clock can't be moved; start one .*\n$/,
    );
  });

  test("does not start on a sandbox's database, and one line says why", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "partner-connect-apart-"));
    const env = { DATABASE_URL: sandbox.now.database_url, REDIS_URL: sandbox.now.redis_url };
    await expect(startLocalStack({ dataDir, env })).rejects.toThrow(
      /ended \(exit 1\)[\s\S]*configuration: DATABASE_URL is a sandbox's, whose clock is moved: only 'pnpm sandbox' can start a service on it/,
    );
    await removeData(dataDir);
  });
});

describe("the sandbox's control", () => {
  test.each([
    ["-5m", /^partner-connect: time only goes forward\n$/],
    ["soon", /^partner-connect: "soon" is not a time such as .*\n$/],
    ["0s", /is not a time/],
    ["P1M", /is not a time/],
  ])("advance %s is a wrong command line", async (duration, line) => {
    const outcome = await runOperator(sandbox.now, ["sandbox", "advance", duration]);
    expect(outcome).toEqual({ exitCode: 2, stdout: "", stderr: expect.stringMatching(line) });
  });

  test("answers one document to the command line", async () => {
    const { now: before } = await operator(sandbox.now, ["sandbox", "now"]);
    const answer = await operator(sandbox.now, ["sandbox", "advance", "PT1H"]);
    expect(Object.keys(answer)).toEqual(["now"]);
    expect(Date.parse(answer.now) - Date.parse(before)).toBeGreaterThanOrEqual(3_600_000);
  });

  test("wants the token of local-stack.json, and moves at most 100 years", async () => {
    const { url } = sandbox.now.sandbox ?? { url: "" };
    for (const headers of [{}, { authorization: "Bearer x" }]) {
      expect((await fetch(`${url}/advance`, { method: "POST", headers })).status).toBe(401);
    }
    const far = await sandbox.control("/advance", { duration: "5300w" });
    expect([far.status, far.json().message]).toEqual([400, expect.stringMatching(/more than 100 years ahead/)]);
  });
});
