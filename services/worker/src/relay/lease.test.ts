import type { Queries } from "@partner-connect/database";
import { suiteDatabase } from "@partner-connect/database/testing/suite";
import { createLogger } from "@partner-connect/service-runtime";
import { afterEach, expect, test } from "vitest";
import { Lease } from "./lease.ts";

const database = await suiteDatabase();
const owner = database.connect(database.url, { name: "test owner", connections: 1 });
const sql = database.connect(database.workerUrl, { name: "test", connections: 2 });
let leases: Lease[] = [];

const logger = createLogger("test", "silent");
function startLease(): Lease {
  const lease = new Lease(sql, logger);
  leases = [...leases, lease];
  lease.start();
  return lease;
}
const holders = () => leases.filter(({ isHeld }) => isHeld);
/** By the database's clock, which says when another one may have it. */
async function stored(queries: Queries = owner) {
  const [row] = await queries<{ holder: string; isOver: boolean }[]>`
    SELECT holder, until <= clock_timestamp() AS "isOver" FROM oauth.leases`;
  return row ?? expect.fail();
}

afterEach(async () => {
  await Promise.all(leases.map((lease) => lease.close()));
  leases = [];
});
test("of several replicas one has the lease; when it ends, another one has it at once", async () => {
  for (let number = 0; number < 3; number++) startLease();
  await expect.poll(() => holders().length).toBe(1);
  const [first] = holders();
  const { holder } = await stored();
  await first?.close();
  expect(first?.isHeld).toBe(false);
  const left = await stored();
  expect(left.isOver || left.holder !== holder).toBe(true);
  await expect.poll(() => holders().length).toBe(1);
  expect(holders()).not.toContain(first);
});

test("a replica that can't renew it has lost it, once another may have it", async () => {
  const lease = startLease();
  await expect.poll(() => lease.isHeld).toBe(true);
  await owner.begin(async (tx) => {
    await tx`UPDATE oauth.leases SET holder = holder WHERE id = 'relay'`;
    await expect.poll(async () => (await stored(tx)).isOver, { interval: 5 }).toBe(true);
    expect(lease.isHeld).toBe(false);
  });
  await expect.poll(() => lease.isHeld).toBe(true);
});
