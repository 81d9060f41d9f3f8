import { afterAll, beforeAll, expect, test } from "vitest";
import { send } from "../../harness/actors/http.ts";
import { merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { onboard } from "../../harness/actors/onboarding.ts";
import { operator } from "../../harness/actors/operator.ts";
import { type Partner, partner, type Tokens } from "../../harness/actors/partner.ts";
import { until } from "../../harness/stack/processes.ts";
import { type OwnStack, startOwnStack } from "../../harness/stack/stacks.ts";
import { countCalls, reportRow } from "../row.ts";
import { callWithTokens, headerOf, startOperator } from "./rotation-load.ts";

/** Seconds. A rotation waits for the last token of the former key, so tokens live shortly here. */
const ACCESS_TOKEN = 5;
const ENV = { ACCESS_TOKEN_TTL_SECONDS: String(ACCESS_TOKEN) };

let stack: OwnStack;
let app: Partner;
let tokens: Tokens;

beforeAll(async () => {
  stack = await startOwnStack({
    env: { ...ENV, JWKS_REFRESH_SECONDS: "1" },
  });
  const { client, merchant, shop } = await onboard(stack.now);
  app = partner(stack.now, client);
  tokens = await app.connect(merchantBrowser(merchant), shop);
});
afterAll(() => stack?.stop());

const keys = (...args: string[]) => operator(stack.now, ["keys", ...args]);
async function publishedKids(): Promise<string[]> {
  const { json } = await send(`${stack.now.base_url}/oauth/api/jwks`);
  return json().keys.map(({ kid }: { kid: string }) => kid);
}

test("'keys rotate', killed after each step and gone on with, restarts nothing and refuses not one valid token", async () => {
  const since = performance.now();
  const processes = stack.now.processes;
  const load = callWithTokens(app, tokens);
  const [former] = await keys("list");

  const words = ["keys", "rotate", "--alg", "ES256", "--wait", "5", "--json"];
  for (const step of ["published key", "activated key"]) {
    const rotation = startOperator(stack.now, words, ENV);
    await until(() => rotation.told.includes(step));
    rotation.kill("SIGKILL");
    await rotation.end();
  }
  const last = startOperator(stack.now, words, ENV);
  const { exitCode, stdout } = await last.end();
  expect([exitCode, last.told]).toEqual([0, expect.stringMatching(/continuing the rotation/)]);
  const { kid, steps } = JSON.parse(stdout);
  expect(steps).toEqual([{ step: "retire", kid: former.kid, at: expect.any(String) }]);

  await until(async () => (await publishedKids()).length === 1);
  expect(await publishedKids()).toEqual([kid]);
  const fresh = (await app.refresh(tokens.refreshToken)).json().access_token;
  expect(headerOf(fresh)).toEqual({ alg: "ES256", typ: "at+jwt", kid });
  expect((await app.call("/api/responses", fresh)).status).toBe(200);

  const outcomes = await load.stop();
  const counts = countCalls([outcomes], [200]);
  reportRow({ scenario: "a rotation of the signing key", ...counts, seconds: (performance.now() - since) / 1000 });
  expect(outcomes).toEqual({ 200: expect.any(Number) });
  expect([...load.signedBy].toSorted()).toEqual([former.kid, kid].toSorted());
  expect(stack.now.processes).toEqual(processes);

  const events = (await operator(stack.now, ["audit", "list", "--since", "10m"]))
    .filter(({ detail }: { detail: { kid?: string } | null }) => detail?.kid === kid || detail?.kid === former.kid)
    .map(({ action }: { action: string }) => action);
  expect(events.toReversed().slice(-3)).toEqual(
    ["generate", "activate", "retire"].map((step) => `signing_key_${step}`),
  );
});
