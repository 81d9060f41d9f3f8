import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type Answer, send } from "../harness/actors/http.ts";
import { merchantBrowser } from "../harness/actors/merchant-browser.ts";
import { onboard, onboardApiKey } from "../harness/actors/onboarding.ts";
import { basic, callApi, type Partner, partner, type Tokens } from "../harness/actors/partner.ts";
import { type CaddyStack, startCaddyStack } from "../harness/stack/caddy-stack.ts";
import { isReady, keepAsking, pidOf, restart, until } from "../harness/stack/processes.ts";
import { countCalls, reportRow } from "./row.ts";

/** A replica is told to be ready, or not, by the gateway's next question, which comes every two seconds. */
const NOTICED_MS = 2500;
const CALLERS = 6;
const SERVERS = ["authorization-server-1", "authorization-server-2", "resource-server-1", "resource-server-2"];

let stack: CaddyStack;
let app: Partner;
let tokens: Tokens;
let key: string;

beforeAll(async () => {
  // The services' own default, in which the gateway notices a replica that drains.
  stack = await startCaddyStack({ DRAIN_SECONDS: "5" }, { apart: true });
  const { client, merchant, advancedShop } = await onboard(stack.now);
  app = partner(stack.now, client);
  ({ key } = await onboardApiKey(stack.now, advancedShop));
  tokens = await app.connect(merchantBrowser(merchant), advancedShop, { scope: "responses:read sources:write" });
});
afterAll(() => stack?.stop());

const read = () => app.call("/api/responses?limit=1", tokens.accessToken);
const refresh = () => app.refresh(tokens.refreshToken);
const readJwks = () => send(`${stack.now.base_url}/oauth/api/jwks`);
const createSource = () =>
  callApi(`${stack.now.base_url}/api/sources`, key, { name: "Hats", type: "tv", external_id: randomUUID() });

test("a rolling restart fails no request through Caddy: reads, token calls and sources", async () => {
  const loads = [keepAsking(read, 2), keepAsking(refresh, 4), keepAsking(createSource, 4)];
  for (const name of SERVERS) await restart(stack, name, "SIGTERM");
  const counts = await Promise.all(loads.map((load) => load.stop()));
  reportRow({ scenario: "rolling restart of all four replicas, through Caddy", ...countCalls(counts, [200, 201]) });
  expect(counts).toEqual([{ 200: expect.any(Number) }, { 200: expect.any(Number) }, { 201: expect.any(Number) }]);
}, 120_000);

test("a call waits 25 seconds for changes through Caddy, and is answered by the service", async () => {
  const headers = { authorization: basic(app.client) };
  // No worker runs here, so nothing is new. A gateway that gave up earlier would answer 503.
  const answer = await fetch(`${stack.now.base_url}/oauth/api/changes?wait=25`, { headers });
  expect([answer.status, await answer.json()]).toEqual([
    200,
    { data: [], cursor: expect.any(String), has_more: false },
  ]);
}, 60_000);

/** Callers who write without a pause, and what became of each call. */
function keepWriting(write: () => Promise<Answer>) {
  const calls: { readonly began: number; readonly answer: Answer }[] = [];
  let isOver = false;
  const stop = () => {
    isOver = true;
  };
  onTestFinished(stop);
  const all = Array.from({ length: CALLERS }, async () => {
    while (!isOver) {
      const began = performance.now();
      calls.push({ began, answer: await write() });
      await sleep(5);
    }
  });
  return async () => {
    stop();
    await Promise.all(all);
    return calls;
  };
}

/** Returns when it was gone, and Caddy had read that its connections are closed. */
async function killAndWait(name: string): Promise<number> {
  const before = pidOf(stack, name);
  process.kill(before, "SIGKILL");
  await until(() => stack.now.processes.every(({ pid }) => pid !== before));
  await sleep(250);
  const gone = performance.now();
  await until(() => isReady(stack, name));
  await sleep(NOTICED_MS);
  return gone;
}

test.each([
  ["authorization-server-1", "token calls", refresh, 200, readJwks],
  ["resource-server-1", "sources", createSource, 201, read],
])(
  "kill -9 of %s: no GET fails, and no POST but those that it was carrying out, which say so as a fault of ours (%s)",
  async (name, what, write, promised, get) => {
    const stop = keepWriting(write);
    const reads = keepAsking(get, 2);
    await sleep(500);
    const gone = await killAndWait(name);
    const calls = await stop();
    expect(await reads.stop()).toEqual({ 200: expect.any(Number) });
    const failed = calls.filter(({ answer }) => answer.status !== promised);
    const after = failed.filter(({ began }) => began > gone);
    reportRow({
      scenario: `kill -9 of ${name}, through Caddy: ${what}`,
      requests: calls.length,
      failed: after.length,
      note: `${failed.length - after.length} that it was carrying out: 503`,
    });
    for (const { answer } of failed) {
      expect([answer.status, answer.json(), answer.headers["retry-after"]]).toEqual([
        503,
        { error: "unavailable" },
        "1",
      ]);
    }
    expect(after).toEqual([]);
    // The system closes the connections of a killed process one after another: a caller may meet a second one that Caddy has kept.
    expect(failed.length).toBeLessThanOrEqual(2 * CALLERS);
    expect(calls.length).toBeGreaterThan(200);
  },
  60_000,
);
