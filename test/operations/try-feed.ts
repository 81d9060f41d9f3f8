import { runModel, type TestFeed } from "@partner-connect/connections/changes/testing";
import { expect } from "vitest";
import { reportRow } from "./row.ts";

const SIZE =
  process.env["TEST_NIGHTLY"] === undefined
    ? { changes: 6000, shops: 60, longest: 1000, relayLife: 1000, phases: 8 }
    : { changes: 100_000, shops: 200, longest: 10_000, relayLife: 4000, phases: 20 };

/** Holds the feed against its model while the database is disturbed: nothing is missed, nothing appears behind a reader. Reports a row. */
export async function tryFeed(
  scenario: string,
  feed: TestFeed,
  disturbances: readonly (() => Promise<void>)[],
): Promise<void> {
  const since = performance.now();
  const result = await runModel(feed, { writers: 16, ...SIZE, disturbances });
  const { changes, missed, behind, ...others } = result;
  reportRow({
    ...{ scenario, requests: changes, failed: missed, wrong: behind },
    seconds: (performance.now() - since) / 1000,
    note: JSON.stringify(others),
  });
  expect({ missed, behind }).toEqual({ missed: 0, behind: 0 });
  expect(changes).toBeGreaterThanOrEqual(SIZE.changes);
  expect(others.expired).toBeGreaterThan(0);
  expect(others.entriesFollowed).toBeGreaterThan(0);
}
