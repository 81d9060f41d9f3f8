import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { Turns } from "./turns.ts";

const OPTIONS = { timeout: 60_000, ofShop: 4, inAll: 300, mostWaiting: 1200, refusal: "too_many_statements" } as const;

/** Work that ends when it is told to. */
class Work {
  /** Of each piece that has begun, in this order. */
  readonly begun: string[] = [];
  readonly #ends: (() => void)[] = [];
  readonly #turns: Turns;

  constructor(options: Partial<ConstructorParameters<typeof Turns>[0]> = {}) {
    this.#turns = new Turns({ ...OPTIONS, ...options });
  }

  ask(shopId: string, count = 1, weight = 1): Promise<void>[] {
    return Array.from({ length: count }, () =>
      this.#turns.take(
        shopId,
        () => {
          this.begun.push(shopId);
          return new Promise<void>((resolve) => void this.#ends.push(resolve));
        },
        weight,
      ),
    );
  }

  async endFirst(): Promise<void> {
    this.#ends.shift()?.();
    await nextTurn();
  }

  /** What is left would be told after a minute, in another file's time, that it takes too long. */
  async end(asked: readonly Promise<void>[]): Promise<void> {
    for (const _ of asked) await this.endFirst();
    await Promise.all(asked);
  }
}

describe("work of shops", () => {
  test("of one that asks 600 times is four pieces at a time; another shop's goes next", async () => {
    const work = new Work();
    const hog = work.ask("hog", 600);
    await nextTurn();
    const other = work.ask("other");
    await nextTurn();
    expect(work.begun).toEqual(["hog", "hog", "hog", "hog", "other"]);
    await work.end([...hog, ...other]);
    expect(work.begun.length).toBe(601);
  });

  test("that is heavy is fewer pieces at a time, and one at least", async () => {
    const work = new Work();
    const asked = [3, 3, 1].flatMap((weight) => work.ask("a", 1, weight)).concat(work.ask("b", 2, 100));
    await nextTurn();
    expect(work.begun).toEqual(["a", "a", "b"]);
    await work.endFirst();
    expect(work.begun).toEqual(["a", "a", "b", "a"]);
    await work.end(asked);
  });

  test("takes turns by shop where all of it has a limit, and keeps each shop's order", async () => {
    const work = new Work({ ofShop: 1, inAll: 1 });
    const asked = [...work.ask("a", 3), ...work.ask("b", 3), ...work.ask("c", 1)];
    await nextTurn();
    await work.end(asked);
    expect(work.begun).toEqual(["a", "b", "c", "a", "b", "a", "b"]);
  });

  test("waits up to what it leaves for others; beyond, it is 503 at once, and others still have room", async () => {
    const work = new Work({ mostWaiting: 12 });
    const all = [...work.ask("a", 20), ...work.ask("b", 20)];
    const settled = Promise.allSettled(all);
    const refused = (await Promise.allSettled(all.map((one) => Promise.race([one, nextTurn()])))).map(
      ({ status }) => status === "rejected",
    );
    // Four under way and six of twelve waiting; then four and three.
    expect(refused.slice(0, 20).filter((is) => !is).length).toBe(10);
    expect(refused.slice(20).filter((is) => !is).length).toBe(7);
    await expect(work.ask("a")[0]).rejects.toMatchObject({ status: 503 });
    for (const _ of all) await work.endFirst();
    await settled;
  });

  test("that nobody waits for any more is not begun, and its places are free again", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const work = new Work({ timeout: 50, ofShop: 1, mostWaiting: 2 });
    const asked = Promise.allSettled(work.ask("a", 2));
    await nextTurn();
    vi.advanceTimersByTime(50);
    const late = await asked;
    expect(late.map((one) => one.status === "rejected" && one.reason.code)).toEqual([
      "DATABASE_DEADLINE",
      "DATABASE_DEADLINE",
    ]);
    await work.endFirst();
    expect(work.begun).toEqual(["a"]);
    const [next] = work.ask("a");
    await nextTurn();
    await work.endFirst();
    await next;
    expect(work.begun).toEqual(["a", "a"]);
  });

  test("that fails gives its turn to the next", async () => {
    const turns = new Turns({ ...OPTIONS, ofShop: 1 });
    const failing = turns.take("a", () => Promise.reject(new Error("failed")));
    const throwing = turns.take("a", () => {
      throw new Error("thrown");
    });
    const next = turns.take("a", async () => "next");
    await expect(failing).rejects.toThrow("failed");
    await expect(throwing).rejects.toThrow("thrown");
    expect(await next).toBe("next");
  });
});
