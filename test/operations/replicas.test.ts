import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { send } from "../harness/actors/http.ts";
import { merchantBrowser } from "../harness/actors/merchant-browser.ts";
import { onboard, onboardApiKey } from "../harness/actors/onboarding.ts";
import { callApi, type Partner, partner, type Tokens } from "../harness/actors/partner.ts";
import { generateResponses, importRecords } from "../harness/actors/survey.ts";
import {
  isReady,
  keepAsking,
  pidOf,
  restart,
  until,
  withRetries,
} from "../harness/stack/processes.ts";
import { type OwnStack, startOwnStack } from "../harness/stack/stacks.ts";

let stack: OwnStack;
let app: Partner;
let tokens: Tokens;
let key: string;

beforeAll(async () => {
  stack = await startOwnStack();
  const { client, merchant, advancedShop } = await onboard(stack.now);
  app = partner(stack.now, client);
  const [apiKey, records] = await Promise.all([
    onboardApiKey(stack.now, advancedShop),
    generateResponses(50, "replicas"),
  ]);
  key = apiKey.key;
  await importRecords(stack.now, "response", advancedShop, records);
  tokens = await app.connect(merchantBrowser(merchant), advancedShop, {
    scope: "responses:read sources:write",
  });
});
afterAll(() => stack?.stop());

const read = () => app.call("/api/responses?limit=20", tokens.accessToken);
const refresh = () => app.refresh(tokens.refreshToken);

test("while a resource server is killed under load, a write with an Idempotency-Key succeeds on retry and creates its source once", async () => {
  const made: string[] = [];
  const write = async () => {
    const headers = {
      ...{ authorization: key, "content-type": "application/json" },
      ...{ "idempotency-key": randomUUID() },
    };
    const external_id = randomUUID();
    const body = JSON.stringify({ name: "Hats", type: "podcast", external_id });
    const answer = await withRetries(() =>
      send(`${stack.now.base_url}/api/sources`, { method: "POST", headers, body }),
    );
    made.push(external_id);
    return answer;
  };
  const load = keepAsking(write, 4);
  await restart(stack, "resource-server-1", "SIGKILL");
  const counts = await load.stop();
  const found = [];
  for (const external_id of made) {
    const source = { name: "Hats", type: "podcast", external_id };
    found.push((await callApi(`${stack.now.base_url}/api/sources`, key, source)).status);
  }
  expect(counts).toEqual({ 201: expect.any(Number) });
  expect(found).toEqual(made.map(() => 200));
});

describe("hanging authorization servers", () => {
  const SERVERS = ["authorization-server-1", "authorization-server-2"];
  const signal = (name: NodeJS.Signals) =>
    SERVERS.forEach((server) => void process.kill(pidOf(stack, server), name));
  afterAll(() => signal("SIGCONT"));

  test("while the authorization servers hang, issued tokens work, and a newly started resource server stays unready", async () => {
    signal("SIGSTOP");
    expect(await Promise.all([read(), read(), read()])).toMatchObject([
      { status: 200 },
      { status: 200 },
      { status: 200 },
    ]);

    const before = pidOf(stack, "resource-server-1");
    process.kill(before, "SIGKILL");
    await until(() =>
      stack.now.processes.some(({ name, pid }) => name === "resource-server-1" && pid !== before),
    );
    const internal = `${stack.internalUrls["resource-server-1"]}/readyz`;
    // At first the new process is not connected to its stores either.
    const readiness = () =>
      fetch(internal).then(
        async (answer) => [answer.status, await answer.json()],
        () => null,
      );
    await expect
      .poll(readiness, { timeout: 60_000 })
      .toEqual([503, { status: "not ready", failing: ["jwks"] }]);
    const url = stack.now.resource_server_urls[0];
    expect((await send(`${url}/api/responses`, { headers: { authorization: key } })).status).toBe(
      200,
    );

    signal("SIGCONT");
    for (const name of [...SERVERS, "resource-server-1"]) await until(() => isReady(stack, name));
    expect((await refresh()).status).toBe(200);
    expect((await Promise.all([read(), read(), read()])).map(({ status }) => status)).toEqual([
      200, 200, 200,
    ]);
  });
});
