import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Store, startPostgres } from "@partner-connect/local-stack/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { send } from "../harness/actors/http.ts";
import { merchantBrowser } from "../harness/actors/merchant-browser.ts";
import { onboard } from "../harness/actors/onboarding.ts";
import { type Partner, partner, type Tokens } from "../harness/actors/partner.ts";
import { type BreakableRedis, breakableRedis } from "../harness/faults/breakable-redis.ts";
import { type CaddyStack, startCaddyStack } from "../harness/stack/caddy.ts";
import { keepAsking, until } from "../harness/stack/processes.ts";

let folder: string;
let database: Store;
let redis: BreakableRedis;
let stack: CaddyStack;
/** Gateways in front of the same services, and the address that the resource servers use. */
let gateways: Readonly<Record<string, { readonly partner: Partner | null; readonly url: string }>>;
let tokens: Tokens;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "partner-connect-stores-"));
  [database, redis] = await Promise.all([startPostgres({ dataDir: folder, durable: true }), breakableRedis()]);
  stack = await startCaddyStack({ DATABASE_URL: database.url, REDIS_URL: redis.url });
  const { client, merchant, shop } = await onboard(stack.now);
  const local = stack.now.processes.find(({ name }) => name === "gateway")?.url ?? "";
  const throughCaddy = partner(stack.now, client);
  gateways = {
    Caddy: { partner: throughCaddy, url: stack.now.base_url },
    "Caddy's authorization host": { partner: null, url: stack.now.auth_url },
    "Caddy's inner door": { partner: null, url: stack.innerUrl },
    "the local gateway": { partner: partner({ ...stack.now, base_url: local }, client), url: local },
  };
  tokens = await throughCaddy.connect(merchantBrowser(merchant), shop);
});
afterAll(async () => {
  await stack?.stop();
  await Promise.all([database?.stop(), redis?.remove()]);
  await rm(folder, { recursive: true, force: true });
});

const refreshes = () =>
  Promise.all(Object.values(gateways).flatMap(({ partner }) => partner?.refresh(tokens.refreshToken) ?? []));

/** Keys and metadata are served throughout; a refresh is 503 during the outage, and works again afterwards. */
async function expectKeysThroughout(begin: () => Promise<unknown>, end: () => Promise<unknown>): Promise<void> {
  const loads = Object.entries(gateways).flatMap(([gateway, { url }]) =>
    ["/oauth/api/jwks", "/.well-known/oauth-authorization-server"]
      .filter((path) => gateway !== "Caddy's inner door" || path.endsWith("jwks"))
      .map((path) => ({ what: `${path} by ${gateway}`, load: keepAsking(() => send(`${url}${path}`), 1) })),
  );
  await begin();
  await until(async () => (await refreshes()).every(({ status }) => status !== 200));
  for (const answer of await refreshes()) {
    expect([answer.status, answer.json()]).toEqual([503, { error: "unavailable" }]);
    expect(answer.headers["retry-after"]).toMatch(/^[1-9]\d*$/);
    // The service's own word, not the gateway's.
    expect(answer.headers["cache-control"]).toBe("no-store");
  }
  // The health check of a gateway, every two seconds, excludes the stores.
  const replicas = Object.entries(stack.internalUrls).filter(([name]) => name.startsWith("authorization-server"));
  for (const [, url] of replicas) {
    await until(async () => (await send(`${url}/readyz`)).status === 503);
    expect((await send(`${url}/readyz?exclude=postgres&exclude=redis`)).status).toBe(200);
  }
  for (const { status } of await refreshes()) expect(status).toBe(503);
  await end();
  await until(async () => (await refreshes()).every(({ status }) => status === 200));
  const outcomes = await Promise.all(loads.map(async ({ what, load }) => [what, await load.stop()]));
  expect(outcomes).toEqual(loads.map(({ what }) => [what, { 200: expect.any(Number) }]));
}

test("the keys and the metadata need no store: neither Postgres nor Redis", async () => {
  const { password, port } = new URL(database.url);
  await expectKeysThroughout(
    () => Promise.all([database.stop(), redis.stop()]),
    async () => {
      [database] = await Promise.all([
        startPostgres({ dataDir: folder, port: Number(port), password, durable: true }),
        redis.start(),
      ]);
    },
  );
});
