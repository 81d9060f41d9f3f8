import { expect, test } from "vitest";
import { runModel } from "./testing/model.ts";
import { testFeed } from "./testing/test-feed.ts";

const isNightly = process.env["TEST_NIGHTLY"] !== undefined;
const SIZE = isNightly
  ? { changes: 100_000, shops: 200, longest: 10_000, relayLife: 4000, phases: 25 }
  : { changes: 3000, shops: 60, longest: 1000, relayLife: 800, phases: 12 };

test("nothing is missed and nothing appears behind a reader, with long transactions and relays that are killed", {
  timeout: 900_000,
}, async () => {
  const feed = await testFeed();
  const result = await runModel(feed, { writers: 16, ...SIZE });
  console.log(`feed model: ${JSON.stringify(result)}`);
  expect(result).toMatchObject({ missed: 0, behind: 0, expired: 0 });
  expect(result.changes).toBeGreaterThanOrEqual(SIZE.changes);
  expect(result.longTransactions).toBeGreaterThan(0);
  expect(result.entriesFollowed).toBeGreaterThan(0);
  await feed.close();
});
