import fc from "fast-check";
import { expect, test } from "vitest";
import { TokenLimitReached } from "./errors.ts";
import { movedClock } from "./testing.ts";
import { TokenLimit } from "./token-limit.ts";

const MINUTE = 60_000;

function world(perMinute = 10) {
  const clock = movedClock();
  const limit = new TokenLimit({ perMinute, longestWaitMs: MINUTE, clock });
  const started: { id: string; at: number }[] = [];
  const begin = clock.now();
  /** Resolves to 'called', or to `retryAfterSeconds` of the error. */
  const ask = (id: string, { takesMs = 0 } = {}): Promise<"called" | number> =>
    limit
      .run(async () => {
        started.push({ id, at: clock.now() - begin });
        if (takesMs > 0) await clock.sleep(takesMs);
        return "called" as const;
      })
      .catch((error: unknown) => {
        if (!(error instanceof TokenLimitReached)) throw error;
        return error.retryAfterSeconds;
      });
  return { clock, limit, started, ask };
}

const ids = (count: number) => Array.from({ length: count }, (_, index) => `c${index}`);

function mostInAMinute(started: readonly { at: number }[]): number {
  return Math.max(
    ...started.map(
      ({ at }) => started.filter((other) => other.at > at - MINUTE && other.at <= at).length,
    ),
  );
}

test("token requests beyond the limit per minute wait a minute, in FIFO order", async () => {
  const { clock, started, ask } = world();
  const asked = ids(20).map((id) => ask(id));
  await clock.advance(0);
  expect(started.map(({ id }) => id)).toEqual(ids(10));
  await clock.advance(MINUTE);
  expect(await Promise.all(asked)).toEqual(Array(20).fill("called"));
  expect(started.map(({ id }) => id)).toEqual(ids(20));
  expect(started[10]?.at).toBe(MINUTE);
});

test("a token request that would wait too long is rejected immediately with the waiting time", async () => {
  const { ask, clock } = world();
  const answers: ("called" | number)[] = [];
  for (const id of ids(25)) void ask(id).then((answer) => answers.push(answer));
  await clock.advance(0);
  expect(answers).toEqual([...Array(5).fill(120), ...Array(10).fill("called")]);
});

test("a slow token request counts towards the limit until a minute after its end", async () => {
  const { ask, clock, started } = world(1);
  void ask("a", { takesMs: 5000 });
  void ask("b");
  await clock.advance(2 * MINUTE);
  expect(started).toEqual([
    { id: "a", at: 0 },
    { id: "b", at: MINUTE + 5000 },
  ]);
});

test("no token request is sent during a pause", async () => {
  const { ask, clock, limit, started } = world();
  limit.pause(30);
  void ask("a");
  await clock.advance(29_999);
  expect(started).toEqual([]);
  await clock.advance(1);
  expect(started).toEqual([{ id: "a", at: 30_000 }]);
});

test("a clock that is set back by an hour delays token requests by at most a minute", async () => {
  const { clock, ask } = world(1);
  void ask("a");
  await clock.advance(0);
  await clock.advance(-60 * MINUTE);
  const next = ask("b");
  await clock.advance(MINUTE);
  expect(await next).toBe("called");
});

test("a clock that is set back by an hour doesn't lengthen a pause", async () => {
  const { clock, ask, limit } = world();
  limit.pause(30);
  await clock.advance(-60 * MINUTE);
  const next = ask("a");
  await clock.advance(30_000);
  expect(await next).toBe("called");
});

test("a failed token request frees its slot after a minute", async () => {
  const { clock, limit, ask } = world(1);
  await expect(limit.run(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  const next = ask("b");
  await clock.advance(MINUTE);
  expect(await next).toBe("called");
});

test("whatever the order of token requests, no minute has more requests than the limit", async () => {
  const step = fc.record({
    pauseMs: fc.integer({ min: 0, max: 20_000 }),
    connection: fc.integer({ min: 0, max: 30 }),
    takesMs: fc.constantFrom(0, 0, 300, 14_000),
    count: fc.integer({ min: 1, max: 6 }),
  });
  const property = fc.asyncProperty(
    fc.array(step, { maxLength: 60 }),
    fc.integer({ min: 1, max: 10 }),
    async (steps, perMinute) => {
      const { ask, clock, started } = world(perMinute);
      const answers: Promise<unknown>[] = [];
      for (const { pauseMs, connection, takesMs, count } of steps) {
        for (let i = 0; i < count; i++) answers.push(ask(`c${connection + i}`, { takesMs }));
        await clock.advance(pauseMs);
      }
      await clock.advance(60 * MINUTE);
      expect(mostInAMinute(started)).toBeLessThanOrEqual(perMinute);
      const called = (await Promise.all(answers)).filter((answer) => answer === "called").length;
      expect(called).toBe(started.length);
    },
  );
  await fc.assert(property, { numRuns: 60 });
});
