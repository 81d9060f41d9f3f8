import { expect, test } from "vitest";
import { trial } from "./trial.ts";

test("a mirror of 2,000 shops does, after 30 kills of each kind of process", async () => {
  const options = { shops: 2000, kills: 30, killEveryMs: 1500, eventEveryMs: 200, settleSeconds: 300 };
  expect(await trial(options)).toEqual([]);
}, 2_400_000);
