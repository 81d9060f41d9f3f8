import {
  type RedisCluster,
  type RedisNode,
  startRedisCluster,
} from "@partner-connect/service-runtime/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Answer, send, sendForm } from "../harness/actors/http.ts";
import { connectShops } from "../harness/actors/many-connections.ts";
import { merchantBrowser } from "../harness/actors/merchant-browser.ts";
import { onboardClient, onboardMerchant, onboardShop } from "../harness/actors/onboarding.ts";
import { basic, callApi, partner } from "../harness/actors/partner.ts";
import { keepAsking, type LoadCall, until } from "../harness/stack/processes.ts";
import { type OwnStack, startOwnStack } from "../harness/stack/stacks.ts";
import { report } from "./tally.ts";

const CALLERS = 12;
const CODES = 6;
/** Milliseconds between two calls of a caller. */
const PAUSE = 40;

/**
 * A caller with its own address, which refreshes its own connection. A refresh uses two keys: the
 * address's count and the token. Beginning an authorization uses the count of that route.
 */
interface Caller {
  readonly refreshSlots: readonly number[];
  readonly authorizeSlots: readonly number[];
  refresh(): Promise<number>;
  authorize(): Promise<number>;
  /** A page of the API, which does not need Redis. */
  read(): Promise<number>;
}

interface Call extends LoadCall<Pick<Answer, "status">> {
  /** The slots whose keys it needs. */
  readonly slots: readonly number[];
}

let cluster: RedisCluster;
let stack: OwnStack;
let callers: Caller[];

beforeAll(async () => {
  cluster = await startRedisCluster({ durable: true });
  stack = await startOwnStack({ env: { REDIS_URL: cluster.url } });
  callers = await clusterCallers();
});
afterAll(async () => {
  await stack?.stop();
  await cluster?.stop();
});

/** The slots of each caller, by the keys that its first calls leave. No other calls until then. */
async function clusterCallers(): Promise<Caller[]> {
  const base = stack.now.base_url;
  const { client, connections } = await connectShops(stack.now, CALLERS);
  const app = partner(stack.now, client);
  const found: Caller[] = [];
  for (const [index, { refreshToken }] of connections.entries()) {
    const from = `127.0.1.${index + 1}`;
    const fields = { grant_type: "refresh_token", refresh_token: refreshToken };
    const token = () =>
      sendForm(`${base}/oauth/api/token`, fields, { authorization: basic(client) }, from);
    const authorize = async () => (await send(app.attempt().url, { from })).status;
    let accessToken = "";
    const refreshSlots = await slotsUsedBy(async () => {
      accessToken = (await token()).json().access_token;
    });
    found.push({
      ...{ refreshSlots, authorizeSlots: await slotsUsedBy(authorize), authorize },
      refresh: async () => (await token()).status,
      read: async () => (await callApi(`${base}/api/responses`, `Bearer ${accessToken}`)).status,
    });
  }
  return found;
}

async function slotsUsedBy(act: () => Promise<unknown>): Promise<number[]> {
  const keysOf = async (node: RedisNode) => (await node.call("KEYS", "*")) as string[];
  const keys = async () => (await Promise.all((await cluster.masters()).map(keysOf))).flat();
  const before = new Set(await keys());
  await act();
  // The services write `ready:` keys for their readiness checks.
  const made = (await keys()).filter((key) => !before.has(key) && !key.startsWith("ready:"));
  return await Promise.all(made.map((key) => cluster.slotOf(key)));
}

const isServed = ({ outcome }: Call) => outcome === "200" || outcome === "302";

const needs = ({ slots }: Call, some: ReadonlySet<number>) => slots.some((slot) => some.has(slot));

/** Each caller refreshes, begins authorizations and reads, without end. */
function keepCalling() {
  const keep = (slots: readonly number[], ask: () => Promise<number>) => ({
    slots,
    load: keepAsking(async () => ({ status: await ask() }), 1, PAUSE),
  });
  const loads = callers.flatMap((caller) => [
    keep(caller.refreshSlots, caller.refresh),
    keep(caller.authorizeSlots, caller.authorize),
    keep([], caller.read),
  ]);
  const calls = (): Call[] =>
    loads.flatMap(({ slots, load }) => load.calls.map((call) => ({ ...call, slots })));
  return {
    calls,
    /** Calls that need one of the slots `concerned` may be 503. */
    async stop(drill: string, concerned: ReadonlySet<number>, since: number) {
      await Promise.all(loads.map(({ load }) => load.stop()));
      const all = calls();
      const isPromised = (call: Call) => call.outcome === "503" && needs(call, concerned);
      const failed = all.filter((call) => !isServed(call) && !isPromised(call));
      const unavailable = all.filter(isPromised);
      const seconds =
        (Math.max(since, ...unavailable.map(({ at, took }) => at + took)) - since) / 1000;
      report(`Redis Cluster: ${drill}`, {
        calls: all.length,
        unavailable: unavailable.length,
        seconds,
      });
      return {
        failures: failed.map(({ outcome, slots }) => `${outcome} ${slots}`),
        unavailable,
        seconds,
      };
    },
  };
}

/** Codes in flight. Each shop is approved once, so that no code is superseded by another. */
async function obtainCodes() {
  const merchant = await onboardMerchant(stack.now);
  const app = partner(stack.now, await onboardClient(stack.now, { scope: "responses:read" }));
  const browser = merchantBrowser(merchant);
  const codes: Awaited<ReturnType<typeof app.obtainCode>>[] = [];
  while (codes.length < CODES)
    codes.push(await app.obtainCode(browser, await onboardShop(stack.now, merchant)));
  return { app, codes };
}

test("while slots of a Redis Cluster are moved under load, no call fails, even if its keys are in those slots", async () => {
  const [from, to] = (await cluster.masters()) as [RedisNode, RedisNode];
  const used = new Set(
    callers.flatMap(({ refreshSlots, authorizeSlots }) => [...refreshSlots, ...authorizeSlots]),
  );
  const slots = (await cluster.slotsOf(from)).filter((slot) => used.has(slot));
  const load = keepCalling();
  const since = performance.now();
  await cluster.moveSlots(from, to, slots);
  const movedAt = performance.now();
  await until(() => load.calls().filter(({ at }) => at > movedAt).length > 6 * CALLERS);
  const { failures } = await load.stop("slots moved under load", new Set(), since);
  expect(slots.length).toBeGreaterThan(0);
  expect(failures).toEqual([]);
});

test("if a Redis Cluster master is killed under load, no code or token is lost, and only calls that use its slots get 503", async () => {
  const { app, codes } = await obtainCodes();
  const load = keepCalling();
  await until(() => load.calls().length > 200);
  const slot = callers[0]?.refreshSlots[0] ?? 0;
  const masters = await cluster.masters();
  const owned = await Promise.all(
    masters.map(async (master) => ({ master, slots: await cluster.slotsOf(master) })),
  );
  const { master, slots } =
    owned.find((one) => one.slots.includes(slot)) ?? expect.fail(`nobody serves ${slot}`);
  const concerned = new Set(slots);
  await master.kill();
  const since = performance.now();
  await until(async () => !(await cluster.masters()).includes(master));
  const promoted = performance.now();
  // Each of our replicas detects it separately: both serve again once no call is refused.
  const servedSince = () => {
    const calls = load.calls().filter((call) => needs(call, concerned) && call.at > promoted);
    const ended = calls.toSorted((one, other) => one.at + one.took - other.at - other.took);
    return ended.length - 1 - ended.findLastIndex((call) => !isServed(call));
  };
  await until(() => servedSince() > 2 * CALLERS);
  const outcome = await load.stop("a master killed, its replica promoted", concerned, since);

  // Each code and each refresh token was acknowledged before the kill.
  const exchanges = await Promise.all(codes.map(async (code) => (await app.exchange(code)).status));
  const refreshes = await Promise.all(callers.map((caller) => caller.refresh()));
  expect(outcome.failures).toEqual([]);
  expect(outcome.unavailable.length).toBeGreaterThan(0);
  expect([...exchanges, ...refreshes]).toEqual(Array(CODES + CALLERS).fill(200));
  expect(outcome.seconds).toBeLessThan(10);
});
