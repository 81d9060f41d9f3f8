import { createMetrics } from "@partner-connect/service-runtime";
import { expect, test, vi } from "vitest";
import { type Kind, startJobs } from "./jobs.ts";

const opened = vi.hoisted((): string[] => []);
vi.mock("@partner-connect/jobs", () => ({
  openJobs: () => ({ on() {}, start() {}, stop() {}, work: (kind: string) => opened.push(kind) }),
  startIncomingJobs: () => ({ close() {} }),
}));

test("regression: a job waited for up to 1.5 s, because all lanes of its kind fetched at the same time", async () => {
  vi.useFakeTimers();
  const kinds = ["a", "bb"].map((kind) => ({ kind, lanes: 4 - kind.length, batch: 1 }) as Kind);
  const { registry } = createMetrics();
  const [sql, logger] = [Object(null), Object(null)];
  const jobs = startJobs({ sql, schema: "worker_jobs", kinds, logger, registry });
  const byTime: string[][] = [];
  for (const ms of [0, 499, 1, 249, 1]) {
    await vi.advanceTimersByTimeAsync(ms);
    byTime.push(opened.splice(0));
  }
  await jobs.close();
  await vi.runAllTimersAsync();
  expect([byTime, opened]).toEqual([[["a", "bb"], [], ["a"], [], ["bb"]], []]);
});
