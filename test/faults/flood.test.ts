import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { type Store, startRedis } from "@partner-connect/local-stack";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { send } from "../harness/actors/http.ts";
import { type MerchantBrowser, merchantBrowser } from "../harness/actors/merchant-browser.ts";
import { type Onboarded, onboard } from "../harness/actors/onboarding.ts";
import { type Partner, partner, type Tokens } from "../harness/actors/partner.ts";
import { keepAsking, type Load } from "../harness/stack/processes.ts";
import { type OwnStack, startOwnStack } from "../harness/stack/stacks.ts";

/** Authorizations that nobody signs in to, each from an address of its own; what a million would cost is printed. */
const FLOOD = 2000 * availableParallelism();
const CALLERS = 24;

let folder: string;
let store: Store;
let redis: Redis;
let stack: OwnStack;
let onboarded: Onboarded;
let app: Partner;
let browser: MerchantBrowser;
let tokens: Tokens;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "partner-connect-flood-"));
  store = await startRedis({ dataDir: folder });
  redis = new Redis(store.url);
  stack = await startOwnStack({ env: { REDIS_URL: store.url } });
  onboarded = await onboard(stack.now);
  app = partner(stack.now, onboarded.client);
  browser = merchantBrowser(onboarded.merchant);
  tokens = await app.connect(browser, onboarded.shop);
});
afterAll(async () => {
  await stack?.stop();
  redis?.disconnect();
  await store?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function usedMemory(): Promise<number> {
  return Number(/used_memory:(\d+)/.exec(await redis.info("memory"))?.[1]);
}

const address = (n: number) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;

/** Begins authorizations from the addresses `from` to `to`, as through the gateway; every eighth sees its page. */
async function flood(from: number, to: number): Promise<Record<string, number>> {
  const outcomes: Record<string, number> = {};
  const servers = stack.now.authorization_server_urls;
  let next = from;
  const callers = Array.from({ length: CALLERS }, async () => {
    while (next < to) {
      const n = next++;
      const server = servers[n % servers.length] ?? "";
      const { search } = new URL(app.attempt({ overrides: { state: `${n} `.padEnd(2048, "x") } }).url);
      const headers = { "x-forwarded-for": address(n) };
      const { status, headers: answered } = await send(`${server}/oauth/api/authorize${search}`, { headers });
      let outcome = `authorize ${status}`;
      if (n % 8 === 0 && answered.location) {
        const cookie = answered["set-cookie"]?.map((line) => line.split(";")[0]).join("; ") ?? "";
        const page = await send(`${server}${answered.location}`, { headers: { ...headers, cookie } });
        outcome += `, page ${page.status}`;
      }
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    }
  });
  await Promise.all(callers);
  return outcomes;
}

describe("a flood of authorizations that nobody signs in to", () => {
  test("leaves nothing in Redis but the count of each address, for a minute", async () => {
    const keysBefore = await redis.keys("*");
    const memoryBefore = await usedMemory();
    const outcomes = await flood(0, FLOOD);
    const memoryDuring = await usedMemory();
    expect(outcomes).toEqual({ "authorize 302": FLOOD - FLOOD / 8, "authorize 302, page 200": FLOOD / 8 });

    const before = new Set(keysBefore);
    const keys = (await redis.keys("*")).filter((key) => !before.has(key));
    expect(keys.filter((key) => !/^rate-limit:.*-10\.\d+\.\d+\.\d+$/.test(key))).toEqual([]);
    expect(keys.length).toBeLessThanOrEqual(FLOOD);
    const times = await Promise.all(keys.map((key) => redis.pttl(key)));
    // -2: gone in the meantime. None is for ever.
    expect(times.filter((time) => time !== -2 && !(time > 0 && time <= 60_000))).toEqual([]);
    // What a minute does.
    await Promise.all(keys.map((key) => redis.pexpire(key, 0)));
    expect((await redis.keys("*")).filter((key) => !before.has(key))).toEqual([]);
    const memoryAfter = await usedMemory();

    const each = (memoryDuring - memoryBefore) / FLOOD;
    const mega = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
    console.info(
      `${FLOOD} authorizations: Redis had ${mega(memoryBefore)} before, ${mega(memoryDuring)} during, ${mega(memoryAfter)} after; ` +
        `${each.toFixed(0)} bytes each for a minute, ${mega(each * 1e6)} if a million came within one`,
    );
    // A counter and what Redis keeps about it, whatever stands in the request: the state alone has 2,048 bytes.
    expect(each).toBeLessThan(400);
  }, 120_000);

  test("disturbs no refresh, and no merchant who is signed in", async () => {
    const refreshing: Load = keepAsking(() => app.refresh(tokens.refreshToken), 2);
    // Another shop's: to connect it again ends its older refresh token.
    const connecting: Load = keepAsking(
      async () => app.exchange(await app.obtainCode(browser, onboarded.advancedShop)),
      1,
    );
    const outcomes = await flood(FLOOD, 2 * FLOOD);
    const [refreshed, consented] = [await refreshing.stop(), await connecting.stop()];
    expect(Object.keys(outcomes)).toEqual(expect.arrayContaining(["authorize 302", "authorize 302, page 200"]));
    expect(Object.keys(outcomes)).toHaveLength(2);
    console.info(`meanwhile: ${JSON.stringify({ refreshed, consented })}`);
    expect([Object.keys(refreshed), Object.keys(consented)]).toEqual([["200"], ["200"]]);
  }, 120_000);
});
