import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type OwnRedis, ownRedis } from "@partner-connect/service-runtime/testing";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { onboard } from "../../harness/actors/onboarding.ts";
import { partner } from "../../harness/actors/partner.ts";
import { keepAsking, restart } from "../../harness/stack/processes.ts";
import { type OwnStack, startOwnStack } from "../../harness/stack/stacks.ts";
import { recipe, runShell, type Step } from "../recipe.ts";
import { countCalls, reportRow } from "../row.ts";

const [addNew, takeOld] = (await recipe("runbook.md", "Change a Redis's password")) as [Step, Step];

let folder: string;
let file: string;
let stores: readonly OwnRedis[];
let stack: OwnStack;

const rollingRestart = async () => {
  for (const { name } of stack.now.processes) if (name.includes("-server-")) await restart(stack, name, "SIGTERM");
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "partner-connect-redis-password-"));
  file = join(folder, "of-services");
  await writeFile(file, "former\n");
  await writeFile(join(folder, "old"), "former\n");
  stores = [await ownRedis(), await ownRedis()];
  const [redis, resourceServerRedis] = stores.map(({ url }) => url);
  const urls = { REDIS_URL: redis ?? "", RESOURCE_SERVER_REDIS_URL: resourceServerRedis ?? "" };
  stack = await startOwnStack({ env: { ...urls, REDIS_PASSWORD_FILE: file } });
  for (const store of stores) await store.command("CONFIG", "SET", "requirepass", "former");
  await rollingRestart();
}, 120_000);
afterAll(async () => {
  await stack?.stop();
  for (const store of stores) await store.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Whether a Redis lets somebody in by the password in this file. */
async function letsIn(store: OwnRedis, name: string): Promise<boolean> {
  const password = (await readFile(join(folder, name), "utf8")).trim();
  const redis = new Redis(store.url, { password, lazyConnect: true, retryStrategy: () => null });
  redis.on("error", () => {});
  try {
    return (await redis.ping()) === "PONG";
  } catch {
    return false;
  } finally {
    redis.disconnect();
  }
}

test("the passwords of both Redis are changed under load by the runbook's steps, and no call fails", async () => {
  const { client, merchant, shop, advancedShop } = await onboard(stack.now);
  const app = partner(stack.now, client);
  const tokens = await app.connect(merchantBrowser(merchant), shop);
  const browser = merchantBrowser(merchant);
  await app.connect(browser, advancedShop);
  const since = performance.now();
  const loads = [
    keepAsking(() => app.refresh(tokens.refreshToken), 3),
    keepAsking(() => app.call("/api/responses?limit=1", tokens.accessToken), 3),
    keepAsking(async () => ({ status: (await app.connect(browser, advancedShop)) ? 200 : 0 }), 1),
  ];
  const hosts = stores.map(({ url }) => ({ REDIS_HOST: "127.0.0.1", REDIS_PORT: new URL(url).port, PWD: folder }));
  const [first, second] = hosts;
  await runShell(addNew, first ?? expect.fail());
  // The same for the other one, as the services of this test read one file.
  await runShell({ text: addNew.text.replace(/^openssl .*$/m, "") }, second ?? expect.fail());
  await writeFile(file, await readFile(join(folder, "new")));
  await rollingRestart();
  for (const host of hosts) await runShell(takeOld, host);
  const admitted = await Promise.all(stores.flatMap((store) => [letsIn(store, "old"), letsIn(store, "new")]));
  const counts = await Promise.all(loads.map((load) => load.stop()));
  const seconds = (performance.now() - since) / 1000;
  reportRow({ scenario: "the passwords of both Redis changed", ...countCalls(counts, [200]), seconds });
  expect(admitted).toEqual([false, true, false, true]);
  expect(counts).toEqual(Array(3).fill({ 200: expect.any(Number) }));
}, 180_000);
