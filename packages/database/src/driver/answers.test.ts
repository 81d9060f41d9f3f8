import { type Door, doorTo } from "@partner-connect/service-runtime/testing";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type DriverPool, openDriver } from "../pool/connect.ts";
import { freshDatabase, type TestDatabase } from "../testing.ts";
import { startCallers } from "./testing/callers.ts";
import { DISTURBANCES, DISTURBED, type Place } from "./testing/disturbances.ts";
import { CREATE_KEPT } from "./testing/questions.ts";

const CALLERS = 40;
const ANSWERS = process.env["TEST_NIGHTLY"] ? 110_000 : 30_000;
/** How many questions end between one disturbance and the next. A question that hangs ends the test. */
const BETWEEN = process.env["TEST_NIGHTLY"] ? 2500 : 700;

let database: TestDatabase;
let operator: DriverPool;
let door: Door;

beforeAll(async () => {
  database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  operator = openDriver(database.url, { name: "operator", connections: 2, statementTimeout: 10_000 });
  await operator.unsafe(CREATE_KEPT);
  door = await doorTo(database.url);
});

afterAll(async () => {
  door.close();
  await operator.end();
  await database.drop();
});

function throughTheDoor(): string {
  const url = new URL(database.url);
  url.hostname = "127.0.0.1";
  url.port = door.port;
  return url.href;
}

test("nobody gets an answer that another asked for, whatever happens to the server", async () => {
  const sql = openDriver(throughTheDoor(), {
    name: DISTURBED,
    connections: 2,
    statementTimeout: 250,
    settings: { synchronous_commit: "off" },
  });
  const place: Place = { sql, operator, door };
  const callers = startCallers(sql, CALLERS);
  const { tally } = callers;
  try {
    for (let turn = 0; turn < DISTURBANCES.length * 3 || tally.right < ANSWERS; turn++) {
      await DISTURBANCES[turn % DISTURBANCES.length]?.(place);
      const before = callers.asked;
      const areAnswered = (): boolean => tally.wrong > 0 || callers.asked >= before + BETWEEN;
      await vi.waitUntil(areAnswered, { timeout: 60_000, interval: 5 });
      expect({ wrong: tally.wrong, samples: tally.samples }).toEqual({ wrong: 0, samples: [] });
    }
    await callers.stop();
  } finally {
    console.info(`${tally.right} right, ${tally.wrong} wrong, faults`, tally.faults);
    void callers.stop();
    await sql.end();
  }
  expect(tally.wrong).toBe(0);
  expect(Object.keys(tally.faults)).not.toEqual([]);
}, 300_000);
