import { expect, test } from "vitest";
import { trial } from "./trial.ts";

const options = process.env["TEST_NIGHTLY"]
  ? { shops: 2000, kills: 30, killEveryMs: 1500, eventEveryMs: 200, settleSeconds: 300 }
  : { shops: 100, kills: 1, killEveryMs: 1000, eventEveryMs: 800, settleSeconds: 90 };

test(`a mirror of ${options.shops} shops ends with exactly each shop's rows, and knows which connections ended, whatever is killed`, async () => {
  expect(await trial(options)).toEqual([]);
}, 2_400_000);
