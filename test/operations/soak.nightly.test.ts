import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { partner } from "../harness/actors/partner.ts";
import { createLoadedShops, keepShopsBusy } from "../harness/actors/shop-load.ts";
import { restart, withRetries } from "../harness/stack/processes.ts";
import { type OwnStack, startOwnStack } from "../harness/stack/stacks.ts";
import { table } from "../load/table.ts";
import { isFault, isServed, report, tallyOf } from "./tally.ts";

const MINUTES = Number(process.env["SOAK_MINUTES"] ?? 30);
const SHOPS = 12;
const KILL_EVERY_MS = 60_000;
const SAMPLE_EVERY_MS = 10_000;
/** Access tokens expire many times in it. */
const ENV = { ACCESS_TOKEN_TTL_SECONDS: "60", WORKER_REPLICAS: "1" };

let stack: OwnStack;
beforeAll(async () => {
  stack = await startOwnStack({ ownStores: true, env: ENV });
});
afterAll(() => stack?.stop());

/** Proportional set size of the process and its children in MB; what they share counts once. */
async function treeSize(pid: number): Promise<number> {
  const [own, children] = await Promise.all([
    readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => ""),
    readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => ""),
  ]);
  const below = await Promise.all(children.split(" ").filter(Boolean).map(Number).map(treeSize));
  return below.reduce(
    (sum, size) => sum + size,
    Number(/^Pss:\s+(\d+)/m.exec(own)?.[1] ?? 0) / 1024,
  );
}

test(`during ${MINUTES} minutes of load and kills, no read fails, and no acknowledged write or connection is lost`, async () => {
  const { client, shops } = await createLoadedShops(stack, SHOPS);
  const load = keepShopsBusy(stack, client, shops);
  const sizes = new Map<string, number[]>();
  const sampling = setInterval(async () => {
    for (const { name, pid } of stack.now.processes) {
      sizes.set(name, [...(sizes.get(name) ?? []), await treeSize(pid)]);
    }
  }, SAMPLE_EVERY_MS);
  const names = Object.keys(stack.internalUrls).filter((name) => name.includes("-server-"));
  const began = performance.now();
  let kills = 0;
  while (performance.now() - began < MINUTES * 60_000) {
    await sleep(Math.min(KILL_EVERY_MS, (MINUTES * 60_000) / 2));
    await restart(stack, names[kills++ % names.length] ?? "", "SIGKILL");
  }
  clearInterval(sampling);
  await load.stop();

  const tally = await tallyOf(stack, load);
  const app = partner(stack.now, client);
  const lives = await Promise.all(
    shops.map(async ({ refreshToken }) => {
      const token = (await withRetries(() => app.refresh(refreshToken))).json().access_token;
      return (await app.call("/api/responses?limit=1", token)).status;
    }),
  );
  const slowest = load.calls.reduce((longest, { took }) => Math.max(longest, took), 0);
  report(`soak, ${kills} replicas killed in turn`, {
    ...tally,
    faults: load.calls.filter(isFault).length,
    slowest,
  });
  // For a person to judge: a leak shows as a last third above the middle one.
  const thirds = [...sizes].map(([name, all]) => {
    const third = (at: number) => all.slice((at * all.length) / 3, ((at + 1) * all.length) / 3);
    const mean = (values: readonly number[]) =>
      values.reduce((sum, value) => sum + value, 0) / values.length;
    return [
      name,
      ...[0, 1, 2].map((at) => mean(third(at)).toFixed(0)),
      Math.max(...all).toFixed(0),
    ];
  });
  console.info(
    table(["memory, MB, mean of each third", "first", "middle", "last", "highest"], thirds),
  );
  expect(tally).toMatchObject({ failed: 0, lost: 0, wrong: 0 });
  expect(load.calls.filter((call) => call.what === "page" && !isServed(call))).toEqual([]);
  expect(lives).toEqual(shops.map(() => 200));
}, 7_200_000);
