import { connect } from "@partner-connect/connections/testing";
import { suiteDatabase } from "@partner-connect/database/testing/suite";
import { onboardClient, onboardMerchant, onboardShop } from "@partner-connect/directory/testing";
import { afterEach, expect, test } from "vitest";
import { RELAY_LOCK } from "./relay-loop.ts";
import { startWorker, type TestWorker } from "./testing.ts";

const database = await suiteDatabase();
const owner = database.connect(database.url, { name: "test owner", connections: 3 });
const { clientId } = await onboardClient(owner);
let workers: TestWorker[] = [];

async function start(count: number): Promise<void> {
  const started = Array.from({ length: count }, () => startWorker(database.workerUrl));
  workers = [...workers, ...(await Promise.all(started))];
}

/** Creates a connection, for which a trigger adds a note. */
async function connectShop(): Promise<string> {
  const merchant = await onboardMerchant(owner);
  const shopId = await onboardShop(owner, { merchants: [merchant.id] });
  return (await connect(owner, { shopId, clientId, merchantId: merchant.id })).connectionId;
}

/** Resolves once a new connection is in the client's feed. */
async function fed(): Promise<void> {
  const id = await connectShop();
  const kinds = async () =>
    (await owner`SELECT FROM oauth.changes WHERE client_id = ${clientId} AND connection_id = ${id}`)
      .length;
  await expect.poll(kinds).toBe(4);
}

afterEach(async () => {
  for (const one of workers) one.process.kill("SIGKILL");
  await Promise.all(workers.map(({ ended }) => ended));
  workers = [];
});
test("when two of three workers are killed, the third worker relays the changes", async () => {
  await start(3);
  await fed();
  for (const killed of workers.splice(0, 2)) {
    killed.process.kill("SIGKILL");
    await killed.ended;
    await fed();
  }
});

test("changes wait, and are counted in the metrics, while another replica holds the relay lock", async () => {
  await connectShop();
  await owner`UPDATE oauth.change_notes SET at = ${new Date(Date.now() - 3600_000)}`;
  const relays = Promise.withResolvers<void>();
  const other = owner.begin(async (tx) => {
    await tx`SELECT pg_advisory_xact_lock(${RELAY_LOCK}::bigint)`;
    await relays.promise;
  });
  await start(1);
  const [worker] = workers as [TestWorker];
  await expect.poll(() => worker.metric("partner_connect_change_notes_waiting")).toBe(1);
  expect(await worker.metric("partner_connect_change_notes_oldest_seconds")).toBeGreaterThanOrEqual(
    3600,
  );
  expect(await worker.metric('partner_connect_relay_rounds_total{outcome="relayed"}')).toBe(0);

  relays.resolve();
  await other;
  await expect.poll(() => worker.metric("partner_connect_feed_entries_written_total")).toBe(4);
  expect(await worker.metric("partner_connect_feed_delay_seconds_count")).toBe(1);
  expect(await worker.metric("partner_connect_feed_delay_seconds_sum")).toBeGreaterThanOrEqual(
    3600,
  );
  await expect.poll(() => worker.metric("partner_connect_change_notes_waiting")).toBe(0);
  expect(await worker.metric("partner_connect_change_notes_oldest_seconds")).toBe(0);
});

test("a failing relay round is retried, and logged only once", async () => {
  await start(1);
  const [worker] = workers as [TestWorker];
  await fed();
  await owner`REVOKE SELECT ON oauth.change_notes FROM worker`;
  const failed = () => worker.metric('partner_connect_relay_rounds_total{outcome="failed"}');
  await expect.poll(failed).toBeGreaterThan(1);
  expect(await worker.metric("partner_connect_change_notes_waiting")).toBeDefined();
  await owner`GRANT SELECT ON oauth.change_notes TO worker`;
  await fed();
  await expect.poll(() => worker.output().match(/relays again/g)?.length).toBe(1);
  expect(worker.output().match(/a round of the relay failed/g)).toHaveLength(1);
});

test("a worker is ready while it may write the feed tables, even if a migration locks them", async () => {
  await start(1);
  const [worker] = workers as [TestWorker];
  expect(await worker.status("/livez")).toBe(200);
  await owner.begin(async (tx) => {
    await tx`LOCK TABLE oauth.change_notes, oauth.changes IN ACCESS EXCLUSIVE MODE`;
    await expect.poll(() => worker.status("/readyz")).toBe(200);
  });
  await owner`REVOKE UPDATE ON oauth.changes FROM worker`;
  await expect.poll(() => worker.status("/readyz")).toBe(503);
  await owner`GRANT UPDATE ON oauth.changes TO worker`;
  await expect.poll(() => worker.status("/readyz")).toBe(200);
});
