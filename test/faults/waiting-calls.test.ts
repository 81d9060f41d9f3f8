import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Store, startPostgres } from "@partner-connect/local-stack";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { merchantBrowser } from "../harness/actors/merchant-browser.ts";
import { onboard, type ShopRecord } from "../harness/actors/onboarding.ts";
import { basic, type Partner, partner } from "../harness/actors/partner.ts";
import { importRecords } from "../harness/actors/survey.ts";
import { until } from "../harness/stack/processes.ts";
import { type OwnStack, startOwnStack } from "../harness/stack/stacks.ts";

const SERVERS = ["authorization-server-1", "authorization-server-2"];

let folder: string;
let postgres: Store;
let stack: OwnStack;
let app: Partner;
let shop: ShopRecord;
let cursor = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "partner-connect-postgres-"));
  postgres = await startPostgres({ dataDir: folder, durable: true });
  const env = { DATABASE_URL: postgres.url, NOTIFIER_REPLICAS: "1", DRAIN_SECONDS: "5" };
  stack = await startOwnStack({ env, apart: true });
  const { client, merchant, shop: connected } = await onboard(stack.now);
  [app, shop] = [partner(stack.now, client), connected];
  await app.connect(merchantBrowser(merchant), shop);
  await until(async () => (await read(1)).data.length === 4);
  ({ cursor } = await read(0));
});
afterAll(async () => {
  await stack?.stop();
  await postgres?.stop();
  await rm(folder, { recursive: true, force: true });
});

const ask = (wait: number) =>
  fetch(
    `${stack.now.base_url}/oauth/api/changes?${new URLSearchParams({ wait: String(wait), ...(cursor && { after: cursor }) })}`,
    {
      headers: { authorization: basic(app.client) },
    },
  );

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire; tests assert it exactly
async function read(wait: number): Promise<any> {
  const answer = await ask(wait);
  const body = await answer.json();
  expect([answer.status, body]).toEqual([200, expect.anything()]);
  return body;
}

/** How many calls the services say are waiting. */
async function waitingCalls(): Promise<number> {
  const texts = SERVERS.map(async (name) => (await fetch(`${stack.internalUrls[name]}/metrics`)).text());
  const counts = (await Promise.all(texts)).map((text) => /^partner_connect_waiting_calls\S* (\d+)/m.exec(text)?.[1]);
  return counts.reduce((sum, count) => sum + Number(count), 0);
}
const areWaiting = (count: number) => until(async () => (await waitingCalls()) === count);

/** The next page that has something: on a busy machine a call's 25 seconds may be over before. */
// biome-ignore lint/suspicious/noExplicitAny: what came over the wire; tests assert it exactly
async function readNews(): Promise<any> {
  for (;;) {
    const page = await read(25);
    if (page.data.length > 0) return page;
    expect(page).toEqual(nothing());
  }
}

const change = (id: number) => importRecords(stack.now, "question", shop, [{ id, prompt: "How?", type: "open_ended" }]);
const nothing = () => ({ data: [], cursor, has_more: false });

describe("calls that wait for changes", { timeout: 60_000 }, () => {
  test("Postgres restarted while calls wait: they wait on, and are told what comes after it; the cursor stays good", async () => {
    const waiting = Array.from({ length: 4 }, () => readNews());
    await areWaiting(4);
    const before = postgres.pid ?? 0;
    process.kill(before, "SIGINT");
    await until(() => postgres.pid !== undefined && postgres.pid !== before);
    expect(await waitingCalls()).toBe(4);
    await until(async () => (await change(1).catch(() => null)) !== null);
    const pages = await Promise.all(waiting);
    for (const page of pages) {
      expect(page.data).toEqual([
        expect.objectContaining({ shop_id: shop.id, kind: "questions", status: "connected" }),
      ]);
    }
    expect(await read(0)).toEqual(pages[0]);
    ({ cursor } = pages[0]);
  });

  test("Postgres away when a wait ends: 503 with retry-after, and the same cursor goes on once it is back", async () => {
    const waiting = ask(5);
    await areWaiting(1);
    const { password, port } = new URL(postgres.url);
    await postgres.stop();
    const answer = await waiting;
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, expect.stringMatching(/^[1-9]\d*$/)]);
    postgres = await startPostgres({ dataDir: folder, port: Number(port), password, durable: true });
    // Each of the replicas has found it again.
    await until(async () => (await Promise.all([0, 0, 0, 0].map(ask))).every(({ status }) => status === 200));
    expect(await read(1)).toEqual(nothing());
    await until(async () => (await change(2).catch(() => null)) !== null);
    expect((await read(20)).data).toEqual([expect.objectContaining({ kind: "questions" })]);
  });
});
