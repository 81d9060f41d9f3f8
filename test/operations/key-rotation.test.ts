import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { send } from "../harness/actors/http.ts";
import { merchantBrowser } from "../harness/actors/merchant-browser.ts";
import { onboard } from "../harness/actors/onboarding.ts";
import { CLI, operator } from "../harness/actors/operator.ts";
import { type Partner, partner, type Tokens } from "../harness/actors/partner.ts";
import { keepAsking, until } from "../harness/stack/processes.ts";
import { type OwnStack, startOwnStack } from "../harness/stack/stacks.ts";

/** A rotation waits for the last token of the former key, so tokens are short-lived here. */
const ENV = { ACCESS_TOKEN_TTL_SECONDS: "5" };

let stack: OwnStack;
let app: Partner;
let tokens: Tokens;

beforeAll(async () => {
  stack = await startOwnStack({ env: { ...ENV, JWKS_REFRESH_SECONDS: "1" } });
  const { client, merchant, shop } = await onboard(stack.now);
  app = partner(stack.now, client);
  tokens = await app.connect(merchantBrowser(merchant), shop);
});
afterAll(() => stack?.stop());

async function publishedKids(): Promise<string[]> {
  const answers = await Promise.all(
    stack.now.authorization_server_urls.map((url) => send(`${url}/oauth/api/jwks`)),
  );
  const kids = answers.flatMap(({ json }) => json().keys.map(({ kid }: { kid: string }) => kid));
  return [...new Set<string>(kids)];
}

/** Callers with fresh tokens, and with ones about to expire. Each is valid when shown. */
function callWithTokens() {
  const signedBy = new Set<string>();
  /** `until`: when a token is used last, which leaves time for a call on a busy machine. */
  let held: { readonly token: string; readonly until: number }[] = [];
  let refreshedAt = 0;
  const load = keepAsking(async () => {
    const now = Date.now();
    if (now - refreshedAt > 250) {
      refreshedAt = now;
      const answer = await app.refresh(tokens.refreshToken);
      if (answer.status === 200) {
        const token: string = answer.json().access_token;
        signedBy.add(decodeProtectedHeader(token).kid ?? "");
        held.push({ token, until: (decodeJwt(token).exp ?? 0) * 1000 - 2000 });
      }
      return answer;
    }
    held = held.filter(({ until }) => until > now);
    const shown = held[Math.floor(Math.random() * held.length)];
    return shown ? await app.call("/api/responses?limit=1", shown.token) : { status: 200 };
  }, 4);
  return { signedBy, stop: load.stop };
}

/** Rotates the key by a process that may be killed. */
function startRotation() {
  const { PATH, HOME } = process.env;
  const child = spawn(
    process.execPath,
    [CLI, "keys", "rotate", "--alg", "ES256", "--wait", "5", "--json"],
    {
      env: { PATH, HOME, DATA_DIR: stack.now.dataDir, ...ENV },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const seen = { stderr: "" };
  child.stderr.on("data", (part) => {
    seen.stderr += part;
  });
  return { child, seen, ended: Promise.all([once(child, "exit"), text(child.stdout)]) };
}

test("while 'keys rotate' is killed after each step and run again, no valid token is refused and no service restarts", async () => {
  const processes = stack.now.processes;
  const load = callWithTokens();
  const [former] = await operator(stack.now, ["keys", "list"]);
  for (const step of ["published key", "activated key"]) {
    const { child, seen, ended } = startRotation();
    await until(() => seen.stderr.includes(step));
    child.kill("SIGKILL");
    await ended;
  }
  const last = startRotation();
  const [[exitCode], stdout] = await last.ended;
  expect([exitCode, last.seen.stderr]).toEqual([
    0,
    expect.stringMatching(/continuing the rotation/),
  ]);
  const { kid, steps } = JSON.parse(stdout);
  expect(steps).toEqual([{ step: "retire", kid: former.kid, at: expect.any(String) }]);

  await until(async () => (await publishedKids()).length === 1);
  expect(await publishedKids()).toEqual([kid]);
  const fresh = (await app.refresh(tokens.refreshToken)).json().access_token;
  expect(decodeProtectedHeader(fresh)).toEqual({ alg: "ES256", typ: "at+jwt", kid });
  expect((await app.call("/api/responses", fresh)).status).toBe(200);
  expect(await load.stop()).toEqual({ 200: expect.any(Number) });
  expect([...load.signedBy].toSorted()).toEqual([former.kid, kid].toSorted());
  expect(stack.now.processes).toEqual(processes);
});
