import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type Answer, send } from "../harness/actors/http.ts";
import { merchantBrowser } from "../harness/actors/merchant-browser.ts";
import { onboard, onboardApiKey } from "../harness/actors/onboarding.ts";
import { basic, callApi, type Partner, partner, type Tokens } from "../harness/actors/partner.ts";
import { generateResponses, importRecords } from "../harness/actors/survey.ts";
import { readSlowly } from "../harness/faults/slow-reader.ts";
import { type CaddyStack, startCaddyStack } from "../harness/stack/caddy-stack.ts";
import { isReady, keepAsking, pidOf, restart, until } from "../harness/stack/processes.ts";
import { report } from "./tally.ts";

/** A replica is told to be ready, or not, by the gateway's next question, which comes every two seconds. */
const NOTICED_MS = 2500;
const CALLERS = 6;
const ROUNDS = process.env["TEST_NIGHTLY"] ? 4 : 1;
/** A page of all is some 10 MB, more than the kernel keeps for a reader. */
const RECORDS = 1000;
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
  const records = generateResponses(RECORDS, "rolling restart");
  const long = records.map((record) => ({ ...record, other_response: "long ".repeat(2000) }));
  await importRecords(stack.now, "response", advancedShop, long);
  tokens = await app.connect(merchantBrowser(merchant), advancedShop, { scope: "responses:read sources:write" });
});
afterAll(() => stack?.stop());

const read = () => app.call("/api/responses?limit=1", tokens.accessToken);
const refresh = () => app.refresh(tokens.refreshToken);
const readJwks = () => send(`${stack.now.base_url}/oauth/api/jwks`);
const createSource = () =>
  callApi(`${stack.now.base_url}/api/sources`, key, { name: "Hats", type: "tv", external_id: randomUUID() });

test("rolling restarts and reloads of Caddy fail no request and cut no answer, however slowly it is read", async () => {
  const url = `${stack.now.base_url}/api/responses?limit=${RECORDS}`;
  const readLarge = async () => {
    const { status, body } = await readSlowly(url, { authorization: `Bearer ${tokens.accessToken}` });
    return { status: status === 200 ? JSON.parse(body.toString()).data.length : status };
  };
  const loads = [keepAsking(readLarge, 2), keepAsking(read, 2), keepAsking(refresh, 4), keepAsking(createSource, 4)];
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of SERVERS) {
      await restart(stack, name, "SIGTERM");
      await stack.reload();
    }
  }
  const counts = await Promise.all(loads.map((load) => load.stop()));
  report(`${ROUNDS} rolling restarts and ${4 * ROUNDS} reloads, through Caddy`, counts);
  expect(counts).toEqual([RECORDS, 200, 200, 201].map((outcome) => ({ [outcome]: expect.any(Number) })));
}, 600_000);

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
  return {
    calls,
    async stop() {
      stop();
      await Promise.all(all);
    },
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
    const { calls, stop } = keepWriting(write);
    const reads = keepAsking(get, 2);
    await until(() => calls.length > 100);
    const gone = await killAndWait(name);
    await stop();
    expect(await reads.stop()).toEqual({ 200: expect.any(Number) });
    const failed = calls.filter(({ answer }) => answer.status !== promised);
    const after = failed.filter(({ began }) => began > gone);
    report(`kill -9 of ${name}, through Caddy: ${what}`, {
      calls: calls.length,
      failed: failed.length,
      after: after.length,
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
