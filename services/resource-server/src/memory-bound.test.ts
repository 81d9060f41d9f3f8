import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "@partner-connect/service-runtime/free-port";
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertRows, type ListBody } from "./responses/testing.ts";
import { ask, PAGE_BYTES, type Reader, shopOfLargePages } from "./testing/large-pages.ts";
import { ISSUER, type TestResourceServer, type TestShop, testResourceServer } from "./testing.ts";

/** The runbook's figure for the defaults, MB. */
const BOUND_MB = 640;
/** What 40 unread answers of 10 MB to one shop may add. */
const UNREAD_MB = 250;
const ATTACK_MS = process.env["TEST_NIGHTLY"] ? 20_000 : 10_000;
const HOGS = 3;
const RECORDS = 2500;

/** Brings the stores, the keys and the shops; the attack is on a process of its own, as in production. */
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
  while (!(await isReady())) await sleep(50);
});

async function isReady(): Promise<boolean> {
  const response = await fetch(`${internalUrl}/readyz`).catch(() => null);
  return response?.ok ?? false;
}

afterAll(async () => {
  const ended = once(service, "exit");
  service.kill("SIGKILL");
  await ended;
  await stores.close();
});

/** Resident memory of the service, MB: the most there ever was where the system says so, or else what is now. */
async function memory(): Promise<number> {
  const status = await readFile(`/proc/${service.pid}/status`, "utf8").catch(() => "");
  const most = /^VmHWM:\s*(\d+) kB/m.exec(status)?.[1];
  if (most !== undefined) return Number(most) / 1024;
  const metrics = await (await fetch(`${internalUrl}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(metrics)?.[1]) / 1024 / 1024;
}

/** Runs until the attack is over: one caller after another, each with its connection. */
async function again(
  attack: AbortSignal,
  open: () => Reader,
  use: (reader: Reader) => Promise<unknown>,
): Promise<void> {
  while (!attack.aborted) {
    const reader = open();
    const { socket } = reader;
    const end = (): void => void socket.destroy();
    attack.addEventListener("abort", end);
    const closed = new Promise<void>((resolve) => void socket.once("close", () => resolve()));
    await use(reader);
    await closed;
    attack.removeEventListener("abort", end);
    await sleep(20);
  }
}

/** How often each status came to an attacker; null: none came. */
const statuses = new Map<number | null, number>();

/** What others got meanwhile. */
const done = { walks: 0, largePages: 0, retries: 0 };

async function isServed({ status }: Reader): Promise<boolean> {
  const known = await status;
  statuses.set(known, (statuses.get(known) ?? 0) + 1);
  return known === 200;
}

/** Takes nothing more, once it has begun; who is refused goes. */
const takeNothing = async (reader: Reader): Promise<void> => {
  if (!(await isServed(reader))) reader.socket.destroy();
};

const takeSlowly = async (reader: Reader): Promise<void> => {
  const { socket } = reader;
  if (!(await isServed(reader))) socket.destroy();
  while (!socket.destroyed) {
    socket.read();
    await sleep(50);
  }
};

/** A page, asked for as the guide says: again after `retry-after` where it was 503. Any other refusal is a fault. */
async function page(shop: TestShop, path: string): Promise<Buffer> {
  for (let retries = 0; ; retries++) {
    const response = await fetch(url + path, { headers: { authorization: shop.apiKey } });
    const body = Buffer.from(await response.arrayBuffer());
    if (response.status === 200) return body;
    if (response.status !== 503) throw new Error(`${response.status} ${body}`);
    if (retries === 10) throw new Error("no page came");
    done.retries++;
    await sleep(1000 * Number(response.headers.get("retry-after")));
  }
}

/** Reads all there is, page by page. */
async function walk(shop: TestShop, limit: number): Promise<string[]> {
  const ids: string[] = [];
  for (let path: string | null = `/api/responses?limit=${limit}`; path !== null; ) {
    const { data, next } = JSON.parse((await page(shop, path)).toString()) as ListBody;
    ids.push(...data.map(({ id }) => id));
    path = next?.slice(ISSUER.length) ?? null;
  }
  return ids;
}

test(`unread pages, pipelined and slowly read ones keep the service below ${BOUND_MB} MB, and others get all their pages`, async () => {
  const hogs = await Promise.all(Array.from({ length: HOGS }, () => shopOfLargePages(stores, 2)));
  const [small, large] = [await stores.newShop(), await shopOfLargePages(stores, 2)];
  const at = Date.parse("2025-01-01T00:00:00Z");
  const rows = Array.from({ length: RECORDS }, (_, i) => ({ id: `s${i}`, inserted_at: at + i, updated_at: at + i }));
  await insertRows(stores.owner, small.id, rows);
  const expected = rows.map(({ id }) => id).toReversed();
  expect(await walk(small, 1000)).toEqual(expected);
  for (const shop of hogs) await page(shop, "/api/responses?limit=1000");
  const before = await memory();
  const unread = Array.from({ length: 40 }, () => ask(url, hogs[0]?.apiKey ?? ""));
  expect((await Promise.all(unread.map(({ status }) => status))).filter((status) => status === 200).length).toBe(4);
  const more = (await memory()) - before;
  for (const { socket } of unread) socket.destroy();

  const attack = new AbortController();
  const { signal } = attack;
  const attackers = hogs.flatMap(({ apiKey }) => [
    ...Array.from({ length: 14 }, () => again(signal, () => ask(url, apiKey), takeNothing)),
    ...Array.from({ length: 4 }, () => again(signal, () => ask(url, apiKey, { count: 200 }), takeNothing)),
    ...Array.from({ length: 2 }, () => again(signal, () => ask(url, apiKey, { count: 20 }), takeSlowly)),
  ]);
  const until = performance.now() + ATTACK_MS;
  const bystanders = [
    async () => {
      expect(await walk(small, done.walks % 2 ? 100 : 1000)).toEqual(expected);
      done.walks++;
    },
    async () => {
      expect((await page(large, "/api/responses?limit=1000")).length).toBeGreaterThan(0.95 * PAGE_BYTES);
      done.largePages++;
    },
  ];
  const samples: number[] = [];
  const ended = await Promise.allSettled([
    ...bystanders.map(async (call) => {
      // On a busy machine longer, until each has had some.
      for (let calls = 0; performance.now() < until || calls < 3; calls++) await call();
    }),
    (async () => {
      for (; performance.now() < until; await sleep(200)) samples.push(await memory());
    })(),
  ]);
  attack.abort();
  await Promise.all(attackers);
  const most = Math.max(...samples, await memory());
  console.log(
    `MB before: ${before.toFixed(0)}; more with unread answers: ${more.toFixed(0)}; most under attack: ${most.toFixed(0)}`,
    done,
    statuses,
  );
  expect(ended.filter(({ status }) => status === "rejected")).toEqual([]);
  expect(Math.min(done.walks, done.largePages)).toBeGreaterThanOrEqual(3);
  expect(statuses.get(429)).toBeGreaterThan(0);
  expect(more).toBeLessThan(UNREAD_MB);
  expect(most).toBeLessThan(BOUND_MB);
}, 180_000);
