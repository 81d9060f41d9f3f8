import { sendLargest } from "@partner-connect/service-runtime/testing";
import { expect, test } from "vitest";
import { suiteServer } from "./testing.ts";

const server = await suiteServer({ logLevel: "info" });

test("the largest requests that strangers can send leave records of less than a kilobyte each", async () => {
  await sendLargest(server.app);
  expect(server.records.length).toBeGreaterThan(100);
  const longest = Math.max(...server.records.map((record) => JSON.stringify(record).length));
  expect(longest).toBeLessThan(1000);
});
