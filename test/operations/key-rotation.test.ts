import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { send } from "../harness/http.ts";
import { merchantBrowser } from "../harness/merchant-browser.ts";
import { onboard } from "../harness/onboarding.ts";
import { operator, runOperator } from "../harness/operator.ts";
import { type Partner, partner, type Tokens } from "../harness/partner.ts";
import { keepAsking, restart } from "../harness/processes.ts";
import { type OwnStack, startOwnStack } from "../harness/stacks.ts";
import { countCalls, reportRow } from "./row.ts";

/** Seconds. The rotation waits for the last token of the former key, so tokens live shortly here. */
const ACCESS_TOKEN = 5;

let stack: OwnStack;
let app: Partner;
let tokens: Tokens;

beforeAll(async () => {
  stack = await startOwnStack({ env: { ACCESS_TOKEN_TTL_SECONDS: String(ACCESS_TOKEN) } });
  const { client, merchant, shop } = await onboard(stack.now);
  app = partner(stack.now, client);
  tokens = await app.connect(merchantBrowser(merchant), shop);
});
afterAll(() => stack?.stop());

const keys = (...args: string[]) => operator(stack.now, ["keys", ...args]);
async function restartAuthorizationServers(): Promise<void> {
  for (const name of ["authorization-server-1", "authorization-server-2"]) await restart(stack, name, "SIGTERM");
}
async function publishedKids(): Promise<string[]> {
  const { json } = await send(`${stack.now.base_url}/oauth/api/jwks`);
  return json().keys.map(({ kid }: { kid: string }) => kid);
}

test("a rotation under load, to another algorithm, refuses not one valid token [faults.key-rotation]", async () => {
  const signedBy = new Set<string>();
  let held = tokens.accessToken;
  let issuedAt = 0;
  const load = keepAsking(async () => {
    if (Date.now() - issuedAt > 500) {
      issuedAt = Date.now();
      const answer = await app.refresh(tokens.refreshToken);
      if (answer.status !== 200) return answer;
      held = answer.json().access_token;
      signedBy.add(JSON.parse(Buffer.from(held.split(".")[0] ?? "", "base64url").toString()).kid);
    }
    return await app.call("/api/responses", held);
  }, 4);

  const [former] = await keys("list");
  const { kid } = await keys("generate", "--alg", "ES256");
  expect(await publishedKids()).toEqual([former.kid]);

  await keys("announce", kid);
  await restartAuthorizationServers();
  expect((await publishedKids()).toSorted()).toEqual([former.kid, kid].toSorted());
  expect([...signedBy]).toEqual([former.kid]);

  const early = await runOperator(stack.now, ["keys", "activate", kid]);
  expect([early.exitCode, early.stderr.trim().split("\n")]).toEqual([1, [expect.any(String)]]);
  // Five minutes of patience, cut short: nobody else has cached the JWKS.
  await keys("activate", kid, "--force");
  await restartAuthorizationServers();
  await sleep(ACCESS_TOKEN * 1000);
  const last = await app.refresh(tokens.refreshToken);
  expect(JSON.parse(Buffer.from(last.json().access_token.split(".")[0], "base64url").toString())).toEqual({
    alg: "ES256",
    typ: "at+jwt",
    kid,
  });

  expect((await runOperator(stack.now, ["keys", "retire", former.kid])).exitCode).toBe(1);
  await keys("retire", former.kid, "--force");
  await restartAuthorizationServers();
  expect(await publishedKids()).toEqual([kid]);

  const outcomes = await load.stop();
  reportRow({ scenario: "a rotation of the signing key", ...countCalls([outcomes], [200]) });
  expect(outcomes).toEqual({ 200: expect.any(Number) });
  expect([...signedBy].toSorted()).toEqual([former.kid, kid].toSorted());
});
