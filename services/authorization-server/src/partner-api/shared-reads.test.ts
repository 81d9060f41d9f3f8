import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { sharedReads } from "./waiting-calls.ts";

test("what is asked in one turn is read once for each key, and what is asked later is read anew", async () => {
  const share = sharedReads<string>();
  const read: string[] = [];
  const ask = (key: string) => share(key, async () => `${key}${read.push(key)}`);
  expect(await Promise.all([ask("a"), ask("b"), ask("a")])).toEqual(["a1", "b2", "a1"]);
  const first = share("a", async () => {
    read.push("slow");
    await turn();
    return "slow";
  });
  await turn();
  expect(read).toContain("slow");
  // The first one has begun, so it may be older than what this caller has heard of.
  expect(await Promise.all([first, ask("a")])).toEqual(["slow", "a4"]);
});

test("a read that fails fails for those who shared it, and for nobody after them", async () => {
  const share = sharedReads<string>();
  const away = () => Promise.reject(new Error("away"));
  const answers = await Promise.allSettled([share("a", away), share("a", away)]);
  expect(answers.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await share("a", async () => "there")).toBe("there");
});
