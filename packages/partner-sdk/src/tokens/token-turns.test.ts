import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TokenLimitReached } from "../errors/index.ts";
import { type MovedClock, movedClock } from "../testing.ts";
import { TokenTurns } from "./token-turns.ts";

const MINUTE = 60_000;

function world(perMinute = 10, longestWaitMs = MINUTE) {
  const clock = movedClock();
  const turns = new TokenTurns({ perMinute, longestWaitMs, clock });
  const started: { id: string | null; at: number }[] = [];
  const begin = clock.now();
  /** Resolves to 'called', or to the seconds that it was told to wait. */
  const ask = (id: string | null, { urgent = id === null, takesMs = 0 } = {}): Promise<"called" | number> =>
    turns
      .run({ connectionId: id, urgent }, async () => {
        started.push({ id, at: clock.now() - begin });
        if (takesMs > 0) await clock.sleep(takesMs);
        return "called" as const;
      })
      .catch((error: unknown) => {
        if (!(error instanceof TokenLimitReached)) throw error;
        expect(error.connectionId).toBe(id);
        return error.retryAfterSeconds;
      });
  return { clock, turns, started, ask };
}

const ids = (count: number, prefix = "c") => Array.from({ length: count }, (_, index) => `${prefix}${index}`);

/** The most starts in any minute. */
function mostInAMinute(started: readonly { at: number }[]): number {
  return Math.max(
    ...started.map(({ at }) => started.filter((other) => other.at > at - MINUTE && other.at <= at).length),
  );
}

describe("turns of token calls", () => {
  test("as many as the limit start at once, the next ones wait a minute, in the order of asking [sdk.token-limit]", async () => {
    const { clock, started, ask } = world();
    const asked = ids(20).map((id) => ask(id));
    await clock.advance(0);
    expect(started.map(({ id }) => id)).toEqual(ids(10));
    await clock.advance(MINUTE);
    expect(await Promise.all(asked)).toEqual(Array(20).fill("called"));
    expect(started.map(({ id }) => id)).toEqual(ids(20));
    expect(started[10]?.at).toBe(MINUTE);
  });

  test("who would wait longer than allowed is told at once when to come, each at another time [sdk.token-limit]", async () => {
    const { ask, clock } = world();
    const answers: ("called" | number)[] = [];
    for (const id of ids(500)) void ask(id).then((answer) => answers.push(answer));
    await clock.advance(0);
    const waits = answers.filter((answer) => answer !== "called");
    expect(waits.length).toBe(480);
    for (const minute of [2, 3, 10, 49]) expect(waits.filter((wait) => wait === minute * 60).length).toBe(10);
  });

  test("who comes at the time that it was told has its turn then, before those who come for the first time", async () => {
    const { ask, clock, started } = world();
    const first = ids(30).map((id) => ask(id));
    await clock.advance(0);
    const told = await Promise.race([first[25], Promise.resolve("nothing")]);
    expect(told).toBe(120);
    for (let minute = 0; minute < 2; minute++) {
      await clock.advance(MINUTE);
      for (const id of ids(10, `new${minute}-`)) void ask(id);
    }
    const late = ids(10, "late").map((id) => ask(id));
    const back = ask("c25");
    await clock.advance(1);
    expect(await Promise.race([back, "waits"])).toBe("called");
    expect(started.at(-1)).toEqual({ id: "c25", at: 2 * MINUTE });
    void late;
  });

  test("who comes too early is told the time that is left, and loses nothing", async () => {
    const { ask, clock } = world();
    const first = ids(40).map((id) => ask(id));
    await clock.advance(0);
    expect(await first[39]).toBe(180);
    await clock.advance(MINUTE);
    expect(await ask("c39")).toBe(120);
  });

  test("an exchange goes before connections that wait", async () => {
    const { ask, clock, started } = world();
    for (const id of ids(15)) void ask(id);
    await clock.advance(0);
    void ask(null);
    await clock.advance(MINUTE);
    expect(started[10]).toEqual({ id: null, at: MINUTE });
  });

  test("a call that takes long gives its turn back a minute after its end", async () => {
    const { ask, clock, started } = world(1);
    void ask("a", { takesMs: 5000 });
    void ask("b");
    await clock.advance(2 * MINUTE);
    expect(started).toEqual([
      { id: "a", at: 0 },
      { id: "b", at: MINUTE + 5000 },
    ]);
  });

  test("nobody calls during a pause", async () => {
    const { ask, clock, turns, started } = world();
    turns.pause(30);
    void ask("a");
    await clock.advance(29_999);
    expect(started).toEqual([]);
    await clock.advance(1);
    expect(started).toEqual([{ id: "a", at: 30_000 }]);
  });

  test("a clock that is set back by an hour costs a minute", async () => {
    const { clock, ask } = world(1);
    void ask("a");
    await clock.advance(0);
    await clock.advance(-60 * MINUTE);
    const next = ask("b");
    await clock.advance(MINUTE);
    expect(await next).toBe("called");
  });

  test("a call that fails gives its turn back too", async () => {
    const { clock, turns, ask } = world(1);
    await expect(
      turns.run({ connectionId: "a", urgent: false }, () => Promise.reject(new Error("no"))),
    ).rejects.toThrow("no");
    const next = ask("b");
    await clock.advance(MINUTE);
    expect(await next).toBe("called");
  });

  test("however they ask, no minute has more calls than the limit, and everybody is called or told [sdk.token-limit]", async () => {
    const step = fc.record({
      pauseMs: fc.integer({ min: 0, max: 20_000 }),
      connection: fc.integer({ min: 0, max: 30 }),
      takesMs: fc.constantFrom(0, 0, 300, 14_000),
      urgent: fc.boolean(),
      count: fc.integer({ min: 1, max: 6 }),
    });
    const property = fc.asyncProperty(
      fc.array(step, { maxLength: 60 }),
      fc.integer({ min: 1, max: 10 }),
      async (steps, perMinute) => {
        const { ask, clock, started } = world(perMinute);
        const answers: Promise<unknown>[] = [];
        for (const { pauseMs, connection, takesMs, urgent, count } of steps) {
          for (let i = 0; i < count; i++) answers.push(ask(`c${connection + i}`, { takesMs, urgent }));
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

  test("500 connections that come back when they are told are all called, ten a minute, in 50 minutes [sdk.token-limit]", async () => {
    const { ask, clock, started } = world();
    const live = async (id: string): Promise<void> => {
      const answer = await ask(id);
      if (answer === "called") return;
      await clock.sleep(answer * 1000);
      await live(id);
    };
    const all = Promise.all(ids(500).map(live));
    await advanceTo(clock, 50);
    await all;
    expect(started.length).toBe(500);
    expect(mostInAMinute(started)).toBe(10);
  });
});

async function advanceTo(clock: MovedClock, minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) await clock.advance(MINUTE);
}
