import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { beforeEach, expect, test, vi } from "vitest";
import { withProgress } from "./progress.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});

async function reported(isTTY: boolean, share: number | null): Promise<string> {
  const stderr = Object.assign(new PassThrough(), { isTTY });
  const { stdin, stdout } = process;
  await withProgress(
    { stdin, stdout, stderr },
    { noun: "response", total: null },
    async (report) => {
      for (let records = 1000; records <= 5000; records += 1000) {
        report(records, "reading", share);
        vi.setSystemTime(Date.now() + 1000);
      }
      report(2000, "storing", 0.4);
    },
  );
  stderr.end();
  return await text(stderr);
}

test("without a terminal, progress is printed every two seconds as a percentage or, for a pipe, as a count", async () => {
  expect(await reported(false, 0.456)).toBe(
    "reading: 45 % (3,000 responses)\nreading: 45 % (5,000 responses)\nstoring: 40 % (2,000 responses)\n",
  );
  expect(await reported(false, null)).toMatch(/^reading: 3,000 responses\n/);
});

test("progress on a terminal is one line that is overwritten", async () => {
  const screen = await reported(true, 0.456);
  expect(screen.split("\r\x1b[K")).toHaveLength(6);
  expect(screen.match(/\n/g)).toHaveLength(1);
  expect(screen.endsWith("storing: 40 % (2,000 responses)\n")).toBe(true);
});
