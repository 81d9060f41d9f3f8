import { expect, test } from "vitest";
import { createLogger } from "../logging/logger.ts";
import { MemoryCounts } from "./memory-counts.ts";

/** Counts with a store that keeps what it gets, or fails. */
function counting() {
  const state = {
    stored: [] as { key: string; count: number }[],
    isAway: false,
    logged: [] as string[],
  };
  const counts = new MemoryCounts<{ key: string; count: number }>({
    name: "things",
    logger: createLogger("test", "info", {
      write: (line) => state.logged.push(JSON.parse(line).msg),
    }),
    merge(row, more) {
      row.count += more.count;
    },
    store: async (rows) => {
      if (state.isAway) throw new Error("away");
      state.stored.push(...rows);
    },
  });
  return { counts, state, count: (key: string, count = 1) => counts.count(key, { key, count }) };
}

test("counts are added up by key, and stored once", async () => {
  const { counts, state, count } = counting();
  for (const key of ["a", "b", "a"]) count(key);
  await counts.flush();
  await counts.flush();
  expect(state.stored).toEqual([
    { key: "a", count: 2 },
    { key: "b", count: 1 },
  ]);
});

test("counts that couldn't be stored are merged with later counts and stored at close", async () => {
  const { counts, state, count } = counting();
  count("a", 5);
  state.isAway = true;
  const flushing = counts.flush();
  count("a", 2);
  await flushing;
  expect(state.logged).toEqual(["could not store things; retrying"]);
  state.isAway = false;
  await counts.close();
  expect(state.stored).toEqual([{ key: "a", count: 7 }]);
});

test("beyond 20,000 keys, counts of new keys are dropped with a log record", async () => {
  const { counts, state, count } = counting();
  for (let number = 0; number < 20_001; number++) count(`key ${number}`);
  count("key 0");
  await counts.flush();
  expect(state.stored).toHaveLength(20_000);
  expect(state.stored[0]).toEqual({ key: "key 0", count: 2 });
  expect(state.logged).toEqual(["dropped some things: more than 20000 keys"]);
});
