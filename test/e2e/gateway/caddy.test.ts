import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { send } from "../../harness/actors/http.ts";
import { merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { onboard } from "../../harness/actors/onboarding.ts";
import { partner } from "../../harness/actors/partner.ts";
import { sendRaw } from "../../harness/faults/raw-sender.ts";
import { type CaddyStack, startCaddyStack } from "../../harness/stack/caddy-stack.ts";

const AUTHORIZE_RATE_LIMIT = 20;

let stack: CaddyStack;

beforeAll(async () => {
  stack = await startCaddyStack({ AUTHORIZE_RATE_LIMIT: String(AUTHORIZE_RATE_LIMIT) });
});

afterAll(() => stack?.stop());

test("the longest redirect_uri and state come back through Caddy as they were", async () => {
  const redirectUri = `https://partner.example/${"c".repeat(1976)}`;
  const state = "€".repeat(682);
  const { client, merchant, shop } = await onboard(stack.now, { redirectUris: [redirectUri] });
  const { url } = partner(stack.now, client).attempt({ redirectUri, overrides: { state } });
  const arrived = await merchantBrowser(merchant).approve(url, shop);
  expect(arrived.startsWith(`${redirectUri}?code=`)).toBe(true);
  expect(new URL(arrived).searchParams.get("state")).toBe(state);
});

test("of a request Caddy logs the beginning of its path, and nothing that may be secret", async () => {
  const secret = randomUUID();
  for (const path of [`/oauth/${secret}`, `/oauth/api/authorize?state=${secret}`, `/api/${secret}`, `/${secret}`]) {
    await send(stack.now.base_url + path, { headers: { "x-secret": secret } });
  }
  await expect.poll(() => stack.log().match(/"uri":"[^"]*"/g)).toContain('"uri":"/api/..."');
  expect(stack.log()).not.toContain(secret);
});

test("what a stranger makes long is cut in Caddy's log: the host, the path", async () => {
  const long = "X".repeat(20_000);
  const port = Number(new URL(stack.now.base_url).port);
  // The records of the requests before are there by then.
  const { headers } = await send(`${stack.now.base_url}/none`);
  await expect.poll(() => stack.log()).toContain(`"user_id":"${headers["x-request-id"]}"`);
  const before = stack.log().length;
  const ask = (line: string, host: string, header = "a") =>
    sendRaw({ port, head: [`${line} HTTP/1.1`, `host: ${host}`, `x-header: ${header}`, "connection: close"], size: 0 });
  await ask("GET /", long);
  await ask(`GET /${long}`, `localhost:${port}`);
  await ask(`GET /oauth/${long}`, `localhost:${port}`);
  await ask("GET /oauth/connections", `localhost:${port}`, long);
  const lines = () => stack.log().slice(before).split("\n");
  const records = () => lines().filter((line) => line.includes("handled request"));
  await expect.poll(() => records().length).toBe(4);
  expect(Math.max(...lines().map((line) => line.length))).toBeLessThan(2000);
});

test("a request has one id in Caddy's log, in the service's and in the answer, also if it is Caddy's own", async () => {
  const [page, none] = [await send(`${stack.now.base_url}/api/responses`), await send(`${stack.now.base_url}/none`)];
  for (const { headers } of [page, none]) {
    const id = String(headers["x-request-id"]);
    expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    await expect.poll(() => stack.log()).toContain(`"user_id":"${id}"`);
  }
  const services = async () => {
    const files = ["resource-server-1", "resource-server-2"].map((name) =>
      join(stack.now.dataDir, "logs", `${name}.log`),
    );
    return (await Promise.all(files.map((file) => readFile(file, "utf8")))).join("");
  };
  await expect.poll(services).toContain(`"reqId":"${page.headers["x-request-id"]}"`);
});

test("a client's word on its own address does not count", async () => {
  const statuses: number[] = [];
  // More than twice the limit, because a minute may end in between.
  for (let last = 1; last <= 2 * AUTHORIZE_RATE_LIMIT + 1; last++) {
    const address = `192.0.2.${last}`;
    const headers = { "x-forwarded-for": address, forwarded: `for=${address}`, "x-real-ip": address };
    statuses.push((await send(`${stack.now.base_url}/oauth/api/authorize`, { headers })).status);
  }
  expect(new Set(statuses)).toEqual(new Set([400, 429]));
});

test("while nothing comes back, the answer is a 503 to be tried again", async () => {
  await stack.stopServices();
  const answer = await send(`${stack.now.base_url}/api/responses`);
  expect([answer.status, answer.json(), answer.headers["retry-after"]]).toEqual([503, { error: "unavailable" }, "1"]);
  expect(answer.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
  expect(answer.headers["x-content-type-options"]).toBe("nosniff");
});
