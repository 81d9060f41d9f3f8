import { Redis } from "ioredis";
import { expect, test } from "vitest";
import { doorTo } from "../testing/index.ts";
import { isDefect } from "./faults.ts";

test("a command of ioredis's own that timed out is a fault, though nothing marks its error as Redis's", async () => {
  const door = await doorTo(process.env["TEST_REDIS_URL"]);
  const redis = new Redis(door.url, { commandTimeout: 2000, retryStrategy: () => null });
  redis.on("error", () => {});
  await redis.ping();
  door.freeze("all");
  const error: Error = await redis.get("a").then(
    () => expect.unreachable("Redis answered"),
    (failure: Error) => failure,
  );
  redis.disconnect();
  door.close();
  expect([error.constructor, error.message, isDefect(error)]).toEqual([Error, "Command timed out", false]);
});

test("what only a mistake in code throws is a defect", () => {
  const thrown = (run: () => unknown): unknown => {
    try {
      return run();
    } catch (error) {
      return error;
    }
  };
  const mistakes = [() => (null as unknown as { x: 1 }).x, () => JSON.parse("{"), () => "x".repeat(-1)];
  expect(mistakes.map((run) => isDefect(thrown(run)))).toEqual([true, true, true]);
});
