import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Store, startPostgres } from "@partner-connect/local-stack/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { send } from "../harness/actors/http.ts";
import { type MerchantBrowser, merchantBrowser } from "../harness/actors/merchant-browser.ts";
import { onboard, onboardApiKey } from "../harness/actors/onboarding.ts";
import { callApi, type Partner, partner, type Tokens } from "../harness/actors/partner.ts";
import { keepAsking, suspendTree, until, withRetries } from "../harness/stack/processes.ts";
import { type OwnStack, startOwnStack } from "../harness/stack/stacks.ts";

const folder = await mkdtemp(join(tmpdir(), "partner-connect-postgres-"));
let postgres: Store;
let stack: OwnStack;
let app: Partner;
let browser: MerchantBrowser;
let tokens: Tokens;
let key: string;

beforeAll(async () => {
  postgres = await startPostgres({ dataDir: folder, durable: true });
  stack = await startOwnStack({ env: { DATABASE_URL: postgres.url } });
  const { client, merchant, advancedShop } = await onboard(stack.now);
  app = partner(stack.now, client);
  browser = merchantBrowser(merchant);
  ({ key } = await onboardApiKey(stack.now, advancedShop));
  tokens = await app.connect(browser, advancedShop);
});
afterAll(async () => {
  await stack?.stop();
  await postgres?.stop();
  await rm(folder, { recursive: true });
});

const read = () => app.call("/api/responses", tokens.accessToken);
const readWithKey = () => callApi(`${stack.now.base_url}/api/responses`, key);
const refresh = () => app.refresh(tokens.refreshToken);
const authorize = () => send(app.attempt().url, { headers: { accept: "text/html" } });
/** A page that needs the merchant's session and shops. */
const connectedApps = async () => {
  const { answer } = await browser.open(`${stack.now.base_url}/oauth/connections`);
  return answer ?? expect.fail("led away");
};

const recovered = () =>
  until(async () => {
    const asked = [
      refresh,
      refresh,
      refresh,
      read,
      read,
      readWithKey,
      readWithKey,
      authorize,
      authorize,
    ];
    const answers = await Promise.all(asked.map((ask) => ask()));
    return answers.every(({ status }) => status < 500);
  });

/** While Postgres is away, what needs it is 503, never 401, 403 or invalid_grant. */
async function expectAllUnavailable(): Promise<void> {
  // Clients are cached for a second; a merchant may still be shown a page that needs nothing else.
  await until(async () => (await authorize()).status === 503);
  const answers = await Promise.all([refresh(), refresh(), read(), readWithKey(), connectedApps()]);
  for (const { status, headers } of answers) {
    expect([status, headers["retry-after"]]).toEqual([503, expect.stringMatching(/^[1-9]\d*$/)]);
  }
}

test("no acknowledged source is lost if Postgres is killed under load", async () => {
  const acknowledged: string[] = [];
  const write = (external_id: string) =>
    callApi(`${stack.now.base_url}/api/sources`, key, {
      name: "Hats",
      type: "event",
      external_id,
    });
  const load = keepAsking(async () => {
    const id = randomUUID();
    const answer = await write(id);
    if (answer.status === 201) acknowledged.push(id);
    return answer;
  }, 4);
  await until(() => acknowledged.length > 50);
  process.kill(postgres.pid ?? 0, "SIGKILL");
  await recovered();
  const outcome = await load.stop();
  expect(Object.keys(outcome).filter((status) => status !== "503")).toEqual(["201"]);
  for (const id of acknowledged) expect((await withRetries(() => write(id))).status).toBe(200);
});

test("while Postgres is down or hangs, requests get 503 with retry-after, except for JWKS and metadata", async () => {
  const loads = ["/oauth/api/jwks", "/.well-known/oauth-authorization-server"].map((path) =>
    keepAsking(() => send(`${stack.now.base_url}${path}`), 1),
  );
  const { password, port } = new URL(postgres.url);
  await postgres.stop();
  await expectAllUnavailable();
  postgres = await startPostgres({
    dataDir: folder,
    port: Number(port),
    password,
    durable: true,
  });
  await recovered();
  const goOn = await suspendTree(postgres.pid ?? 0);
  await expectAllUnavailable().finally(goOn);
  await recovered();
  for (const load of loads) expect(await load.stop()).toEqual({ 200: expect.any(Number) });
});
