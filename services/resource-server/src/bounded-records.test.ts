import { sendLargest } from "@partner-connect/service-runtime/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestResourceServer, testResourceServer } from "./testing.ts";

let server: TestResourceServer;

beforeAll(async () => {
  server = await testResourceServer({ logLevel: "info" });
});
afterAll(() => server.close());

test("the largest requests that strangers can send leave records of less than a kilobyte each", async () => {
  await sendLargest(server.app);
  expect(server.records.length).toBeGreaterThan(100);
  const longest = Math.max(...server.records.map((record) => JSON.stringify(record).length));
  expect(longest).toBeLessThan(1000);
});
