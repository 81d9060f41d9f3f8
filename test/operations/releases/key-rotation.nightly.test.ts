import { afterAll, beforeAll, expect, test } from "vitest";
import { merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { onboard } from "../../harness/actors/onboarding.ts";
import { operator } from "../../harness/actors/operator.ts";
import { type Partner, partner, type Tokens } from "../../harness/actors/partner.ts";
import { type OwnStack, startOwnStack } from "../../harness/stack/stacks.ts";
import { countCalls, reportRow } from "../row.ts";
import { callWithTokens, startOperator } from "./rotation-load.ts";

const REQUESTS = 100_000;
/** Seconds. All else is as in production: resource servers fetch the keys once a minute. */
const ACCESS_TOKEN = 20;
const ENV = { ACCESS_TOKEN_TTL_SECONDS: String(ACCESS_TOKEN) };

let stack: OwnStack;
let app: Partner;
let tokens: Tokens;

beforeAll(async () => {
  stack = await startOwnStack({ env: ENV });
  const { client, merchant, shop } = await onboard(stack.now);
  app = partner(stack.now, client);
  tokens = await app.connect(merchantBrowser(merchant), shop);
});
afterAll(() => stack?.stop());

test(`rotations without a restart, beside ${REQUESTS} requests, refuse not one valid token`, async () => {
  const since = performance.now();
  const processes = stack.now.processes;
  const load = callWithTokens(app, tokens, 16);
  let rotations = 0;
  while (load.calls < REQUESTS || rotations === 0) {
    const alg = rotations % 2 === 0 ? "ES256" : "EdDSA";
    const rotation = startOperator(stack.now, ["keys", "rotate", "--alg", alg, "--wait", "5", "--json"], ENV);
    const { exitCode } = await rotation.end();
    expect([exitCode, rotation.told]).toEqual([0, expect.any(String)]);
    rotations += 1;
  }
  const outcomes = await load.stop();
  reportRow({
    scenario: "rotations of the signing key, 100,000 requests",
    ...countCalls([outcomes], [200]),
    seconds: (performance.now() - since) / 1000,
    note: `${rotations} rotations`,
  });
  expect(outcomes).toEqual({ 200: expect.any(Number) });
  expect(load.signedBy.size).toBe(rotations + 1);
  expect(stack.now.processes).toEqual(processes);
  expect(await operator(stack.now, ["keys", "list"])).toHaveLength(1);
}, 900_000);
