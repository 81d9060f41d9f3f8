import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "@partner-connect/service-runtime/free-port";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { ask, PAGE_BYTES, shopOfLargePages } from "./testing/large-pages.ts";
import { ISSUER, type TestResourceServer, type TestShop, testResourceServer } from "./testing.ts";

/** The memory, in MB, that the runbook states for the default settings. */
const BOUND_MB = 640;
/** Limit for 40 unread responses of 10 MB to one shop. */
const UNREAD_MB = 250;
const WAVES = process.env["TEST_NIGHTLY"] ? 12 : 2;

/** Provides stores, keys and shops; the attacked service is a separate process. */
let stores: TestResourceServer;
let service: ChildProcess;
let url: string;
let internalUrl: string;

beforeAll(async () => {
  stores = await testResourceServer();
  const [port, internalPort] = [await freePort(), await freePort()];
  [url, internalUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${internalPort}`];
  const main = fileURLToPath(new URL("main.ts", import.meta.url));
  service = spawn(process.execPath, ["--max-semi-space-size=8", main], {
    stdio: "ignore",
    env: {
      PATH: process.env["PATH"],
      MALLOC_ARENA_MAX: "1",
      HOST: "127.0.0.1",
      PORT: String(port),
      INTERNAL_PORT: String(internalPort),
      DATABASE_URL: stores.database.resourceServerUrl,
      REDIS_URL: stores.testRedis.url,
      JWKS_URL: stores.issuer.url,
      PUBLIC_BASE_URL: ISSUER,
      API_RATE_LIMIT: "100000000",
      DRAIN_SECONDS: "0",
      LOG_LEVEL: "silent",
    },
  });
  const isReady = () => fetch(`${internalUrl}/readyz`).then(({ ok }) => ok);
  await vi.waitUntil(() => isReady().catch(() => false), 60_000);
});

afterAll(async () => {
  const ended = once(service, "exit");
  service.kill("SIGKILL");
  await ended;
  await stores.close();
});

/** Peak resident memory of the service in MB, or the current one where no peak is known. */
async function memory(): Promise<number> {
  const status = await readFile(`/proc/${service.pid}/status`, "utf8").catch(() => "");
  const most = /^VmHWM:\s*(\d+) kB/m.exec(status)?.[1];
  if (most !== undefined) return Number(most) / 1024;
  const metrics = await (await fetch(`${internalUrl}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(metrics)?.[1]) / 1024 / 1024;
}

/** Reads a page as the guide recommends: it retries a 503. */
async function page(shop: TestShop, path: string): Promise<Buffer> {
  return await vi.waitFor(
    async () => {
      const response = await fetch(url + path, { headers: { authorization: shop.apiKey } });
      const body = Buffer.from(await response.arrayBuffer());
      if (response.status !== 200) throw new Error(`${response.status} ${body}`);
      return body;
    },
    { timeout: 60_000, interval: 1000 },
  );
}

test(`while callers leave responses unread, the resource server stays below ${BOUND_MB} MB and serves other shops`, async () => {
  const hogs = await Promise.all(Array.from({ length: 3 }, () => shopOfLargePages(stores, 2)));
  const other = await shopOfLargePages(stores, 2);
  for (const shop of [...hogs, other]) await page(shop, "/api/responses?limit=1000");
  const before = await memory();
  const unread = Array.from({ length: 40 }, () => ask(url, hogs[0]?.apiKey ?? ""));
  expect(
    (await Promise.all(unread.map(({ status }) => status))).filter((status) => status === 200)
      .length,
  ).toBe(4);
  const more = (await memory()) - before;
  for (const { socket } of unread) socket.destroy();

  const refused = new Set<number | null>();
  for (let wave = 0; wave < WAVES; wave++) {
    const readers = hogs.flatMap(({ apiKey }) => [
      ...Array.from({ length: 14 }, () => ask(url, apiKey)),
      ...Array.from({ length: 4 }, () => ask(url, apiKey, { count: 200 })),
    ]);
    const asked = page(other, "/api/responses?limit=1000");
    for (const status of await Promise.all(readers.map((reader) => reader.status)))
      refused.add(status);
    for (const { socket } of readers) socket.destroy();
    expect((await asked).length).toBeGreaterThan(0.95 * PAGE_BYTES);
  }
  expect(refused).toContain(503);
  expect(more).toBeLessThan(UNREAD_MB);
  expect(await memory()).toBeLessThan(BOUND_MB);
}, 180_000);
