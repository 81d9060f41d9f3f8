import { afterAll, beforeAll, expect, test } from "vitest";
import { send } from "../../harness/actors/http.ts";
import { merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { onboard } from "../../harness/actors/onboarding.ts";
import { operator, runOperator } from "../../harness/actors/operator.ts";
import { type Partner, partner, type Tokens } from "../../harness/actors/partner.ts";
import { pidOf, until } from "../../harness/stack/processes.ts";
import { type OwnStack, startOwnStack } from "../../harness/stack/stacks.ts";
import { countCalls, reportRow } from "../row.ts";
import { callWithTokens, headerOf, startOperator } from "./rotation-load.ts";

/** Seconds. A rotation waits for the last token of the former key, so tokens live shortly here. */
const ACCESS_TOKEN = 5;

let stack: OwnStack;
let app: Partner;
let tokens: Tokens;

beforeAll(async () => {
  stack = await startOwnStack({
    env: { ACCESS_TOKEN_TTL_SECONDS: String(ACCESS_TOKEN), JWKS_REFRESH_SECONDS: "1" },
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

test("no key signs while one replica can't be asked, and it is named", async () => {
  const { kid } = await keys("generate");
  await keys("announce", kid);
  const paused = pidOf(stack, "resource-server-2");
  process.kill(paused, "SIGSTOP");
  try {
    const { exitCode, stderr } = await runOperator(stack.now, ["keys", "activate", kid]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/can't sign yet: [^;]*resource-server-2 could not be asked \(no answer within 3 s\)/);
  } finally {
    process.kill(paused, "SIGCONT");
  }
  // Where no resource server is asked, a JWKS from before the announcement may be cached.
  const one = String(stack.internalUrls["authorization-server-1"]).replace("127.0.0.1", "localhost");
  const { stderr } = await runOperator(stack.now, ["keys", "activate", kid, "--replica", one]);
  expect(stderr).toMatch(/the last replica publishes it for \d+ s, .* cached for 300 s: wait 2\d\d s more/);
  await keys("retire", kid);
  await until(async () => (await publishedKids()).length === 1);
});

test("'keys rotate', killed after each step and gone on with, restarts nothing and refuses not one valid token", async () => {
  const since = performance.now();
  const processes = stack.now.processes;
  const load = callWithTokens(app, tokens);
  const [former] = await keys("list");

  const words = ["keys", "rotate", "--alg", "ES256", "--clock-skew", "1", "--json"];
  for (const step of ["announced key", "activated key"]) {
    const rotation = startOperator(stack.now, words);
    await until(() => rotation.told.includes(step));
    rotation.kill("SIGKILL");
    await rotation.end();
  }
  const last = startOperator(stack.now, words);
  const { exitCode, stdout } = await last.end();
  expect([exitCode, last.told]).toEqual([0, expect.stringMatching(/going on with the rotation/)]);
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
  expect(events.toReversed().slice(-4)).toEqual(
    ["generate", "announce", "activate", "retire"].map((step) => `signing_key_${step}`),
  );
});
