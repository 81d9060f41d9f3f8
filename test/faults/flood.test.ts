import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Store, startRedis } from "@partner-connect/local-stack/testing";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { send } from "../harness/actors/http.ts";
import { onboard } from "../harness/actors/onboarding.ts";
import { type Partner, partner } from "../harness/actors/partner.ts";
import { type OwnStack, startOwnStack } from "../harness/stack/stacks.ts";

/** Authorizations that nobody signs in to, each from an address of its own. */
const FLOOD = 400;
const CALLERS = 8;

let folder: string;
let store: Store;
let redis: Redis;
let stack: OwnStack;
let app: Partner;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "partner-connect-flood-"));
  store = await startRedis({ dataDir: folder });
  redis = new Redis(store.url);
  stack = await startOwnStack({ env: { REDIS_URL: store.url } });
  app = partner(stack.now, (await onboard(stack.now)).client);
});
afterAll(async () => {
  await stack?.stop();
  redis?.disconnect();
  await store?.stop();
  await rm(folder, { recursive: true, force: true });
});

const address = (n: number) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;

/** Begins authorizations from `count` addresses, as through the gateway; every eighth sees its page. */
async function flood(count: number): Promise<Record<string, number>> {
  const outcomes: Record<string, number> = {};
  const servers = stack.now.authorization_server_urls;
  let next = 0;
  const callers = Array.from({ length: CALLERS }, async () => {
    while (next < count) {
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
    const outcomes = await flood(FLOOD);
    expect(outcomes).toEqual({ "authorize 302": FLOOD - FLOOD / 8, "authorize 302, page 200": FLOOD / 8 });

    const before = new Set(keysBefore);
    const keys = (await redis.keys("*")).filter((key) => !before.has(key));
    expect(keys.filter((key) => !/^rate-limit:.*-10\.\d+\.\d+\.\d+$/.test(key))).toEqual([]);
    expect(keys.length).toBeLessThanOrEqual(FLOOD);
    const times = await Promise.all(keys.map((key) => redis.pttl(key)));
    // -2: gone in the meantime. None is for ever.
    expect(times.filter((time) => time !== -2 && !(time > 0 && time <= 60_000))).toEqual([]);
    // A counter and what Redis keeps about it, whatever stands in the request: the state alone has 2,048 bytes.
    const sizes = await Promise.all(keys.map((key) => redis.memory("USAGE", key)));
    expect(Math.max(...sizes.map(Number))).toBeLessThan(400);
    // What a minute does.
    await Promise.all(keys.map((key) => redis.pexpire(key, 0)));
    expect((await redis.keys("*")).filter((key) => !before.has(key))).toEqual([]);
  }, 120_000);
});
