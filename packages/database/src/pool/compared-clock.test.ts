import { createServer } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { comparedClock } from "./compared-clock.ts";
import { connectDatabase } from "./connect.ts";

const URL_ = process.env["TEST_DATABASE_URL"] ?? "";

function connected(url: string) {
  const sql = connectDatabase(url, { name: "clock-test", connections: 1 });
  onTestFinished(() => sql.end({ timeout: 0 }));
  return sql;
}

test.each([
  [31, /clock is 3\d s ahead of Postgres's/],
  [-3600, /clock is 3600 s behind Postgres's/],
])(
  "a process whose clock is wrong by %i s is not ready until the clock is corrected",
  async (seconds, problem) => {
    const clock = comparedClock(connected(URL_));
    await clock.check();
    expect(Math.abs(clock.secondsAhead() ?? Number.NaN)).toBeLessThan(20);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + seconds * 1000 });
    await expect(clock.check()).rejects.toThrow(problem);
    expect(Math.round(clock.secondsAhead() ?? 0)).toBeCloseTo(seconds, -1);
    vi.useRealTimers();
    await clock.check();
  },
);

test("while Postgres refuses or does not answer, a process is ready although its clock can't be compared", async () => {
  const silent = createServer(() => {}).listen(0, "127.0.0.1");
  onTestFinished(() => void silent.close());
  await new Promise((resolve) => silent.once("listening", resolve));
  const { port } = silent.address() as { port: number };
  for (const at of [1, port]) {
    const clock = comparedClock(connected(`postgres://owner:none@127.0.0.1:${at}/none`));
    for (let time = 0; time < 2; time++) await clock.check();
    expect(clock.secondsAhead()).toBe(null);
  }
});
