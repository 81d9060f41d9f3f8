import { MemoryStore, PartnerConnect, TokenLimitReached } from "@partner-connect/partner-sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ManyConnections, manyConnections } from "../../harness/actors/many-connections.ts";
import { operator } from "../../harness/actors/operator.ts";
import { until } from "../../harness/stack/processes.ts";
import { type SandboxTime, sandboxTime } from "../../harness/stack/sandbox-time.ts";
import { type OwnSandbox, startOwnSandbox } from "../../harness/stack/sandboxes.ts";

const COUNT = 500;
const A_MINUTE = 10;

let sandbox: OwnSandbox;
let time: SandboxTime;
let many: ManyConnections;

beforeAll(async () => {
  // The spec's own limit.
  sandbox = await startOwnSandbox({ TOKEN_RATE_LIMIT: String(A_MINUTE) });
  many = await manyConnections(sandbox.now, COUNT);
  time = sandboxTime(sandbox);
});
afterAll(() => sandbox?.stop());

/** A partner's one process, and what it asked of the token endpoint. */
async function partnerProcess() {
  const calls: { readonly at: number; readonly status: number }[] = [];
  const store = new MemoryStore();
  for (const connection of many.connections) await store.put(connection);
  const partnerConnect = new PartnerConnect({
    baseUrl: sandbox.now.base_url,
    clientId: many.client.clientId,
    clientSecret: many.client.secret,
    store,
    clock: time,
    async fetch(input, init) {
      const at = time.now();
      const answer = await fetch(input, init);
      if (String(input).endsWith("/oauth/api/token")) calls.push({ at, status: answer.status });
      return answer;
    },
  });
  return { partnerConnect, calls };
}

test("500 connections in one process stay live for two hours within 10 token calls a minute, each read once an hour [sandbox.capacity]", async () => {
  const { partnerConnect, calls } = await partnerProcess();
  const reads = new Map(many.connections.map(({ id }) => [id, 0]));
  for (let minute = 0; minute < 120; minute++) {
    const due = many.connections.filter((_, index) => Math.floor((index * 60) / COUNT) === minute % 60);
    await Promise.all(
      due.map(async ({ id, shop }) => {
        const seen = await partnerConnect.shop(id).connection();
        expect(seen.shop.id).toBe(shop.id);
        reads.set(id, (reads.get(id) ?? 0) + 1);
      }),
    );
    await time.advance("1m");
  }
  expect([...new Set(reads.values())]).toEqual([2]);
  expect(calls).toHaveLength(2 * COUNT);
  expect(calls.filter(({ status }) => status !== 200)).toEqual([]);
  const most = Math.max(
    ...calls.map(({ at }) => calls.filter((other) => at <= other.at && other.at < at + 60_000).length),
  );
  expect(most).toBeLessThanOrEqual(A_MINUTE);
  const listed = await operator(sandbox.now, ["connection", "list", "--client", many.client.clientId]);
  expect(new Set(listed.map(({ status }: { status: string }) => status))).toEqual(new Set(["connected"]));
});

test("what is asked for beyond that is told at once which connection can't be served, why, and when it could [sandbox.capacity]", async () => {
  const { partnerConnect, calls } = await partnerProcess();
  const outcomes = many.connections.map(({ id }) => ({ id, outcome: "waits" as unknown }));
  const all = Promise.all(
    outcomes.map(async (each) => {
      each.outcome = await partnerConnect
        .shop(each.id)
        .connection()
        .then(
          () => "live",
          (error) => error,
        );
    }),
  );
  const count = (outcome: string) => outcomes.filter((each) => each.outcome === outcome).length;
  // Before any time has passed: ten are served, ten wait for their turn in the next minute.
  await until(() => count("live") === A_MINUTE && count("waits") === A_MINUTE);
  for (const { id, outcome } of outcomes) {
    if (outcome === "live" || outcome === "waits") continue;
    expect(outcome).toBeInstanceOf(TokenLimitReached);
    const error = outcome as TokenLimitReached;
    expect([error.connectionId, error.retryAfterSeconds > 60, error.retryAfterSeconds <= 50 * 60]).toEqual([
      id,
      true,
      true,
    ]);
  }
  await time.advance("1m");
  await all;
  expect(count("live")).toBe(2 * A_MINUTE);
  expect(calls.map(({ status }) => status)).toEqual(Array.from({ length: 2 * A_MINUTE }, () => 200));
});
