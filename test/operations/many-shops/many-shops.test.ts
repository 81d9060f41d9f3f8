import { expect, test } from "vitest";
import { trial } from "./trial.ts";

test("a mirror of 100 shops ends with exactly each shop's rows, and knows which connections ended, whatever is killed", async () => {
  const options = { shops: 100, kills: 1, killEveryMs: 1000, eventEveryMs: 800, settleSeconds: 90 };
  expect(await trial(options)).toEqual([]);
}, 120_000);
