import { expect, test } from "vitest";

interface Queue {
  readonly length: number;
  push(entry: number): number;
  shift(): number | undefined;
  remove(entry: number): number | null;
}

async function newQueue(): Promise<Queue> {
  const { default: create } = await import(new URL("queue.js", import.meta.resolve("postgres")).href);
  return create();
}

test("a queue gives what it was given, in order, without what was removed", async () => {
  const queue = await newQueue();
  const model: number[] = [];
  for (let turn = 0; turn < 20_000; turn++) {
    // A fixed order that fills the queue and empties it, again and again.
    const isFilling = Math.sin(turn / 150) > 0;
    if (turn % 7 === 3 && model.length > 2) {
      const [, second] = model.splice(0, 2, model[0] as number);
      expect(queue.remove(second as number)).toBe(second);
    } else if (isFilling || turn % 3 === 0) {
      model.push(queue.push(turn));
    } else if (model.length > 0) {
      expect(queue.shift()).toBe(model.shift());
    }
    expect(queue.length).toBe(model.length);
  }
});

test("a queue that is never empty takes no longer for those who left it", async () => {
  const queue = await newQueue();
  queue.push(0);
  const before = process.cpuUsage();
  // With a place for each that left, these take ten seconds and more of the CPU; without, some tenths.
  for (let turn = 1; turn <= 100_000; turn++) {
    queue.push(turn);
    queue.push(queue.shift() as number);
    queue.remove(turn);
  }
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(4000);
});
