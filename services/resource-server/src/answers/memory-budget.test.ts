import { describe, expect, test } from "vitest";
import { MemoryBudget } from "./memory-budget.ts";

/** How many answers of `bytes` each shop gets, when the shops ask in turn until all are refused. */
function admitted(budget: MemoryBudget, shops: readonly string[], bytes: number): number[] {
  const counts = shops.map(() => 0);
  for (let isOpen = true; isOpen; ) {
    isOpen = false;
    for (const [i, shop] of shops.entries()) {
      if (!budget.hasRoom(shop, bytes)) continue;
      budget.add(shop, bytes);
      counts[i] = (counts[i] ?? 0) + 1;
      isOpen = true;
    }
  }
  return counts;
}

describe("the memory of untaken answers", () => {
  test("is half of it for one shop, a third for each of two, a quarter for each of three", () => {
    expect(admitted(new MemoryBudget(1200), ["a"], 1)).toEqual([600]);
    expect(admitted(new MemoryBudget(1200), ["a", "b"], 1)).toEqual([400, 400]);
    expect(admitted(new MemoryBudget(1200), ["a", "b", "c"], 1)).toEqual([300, 300, 300]);
  });

  test("has room for the only answer of a shop as long as it fits at all", () => {
    const budget = new MemoryBudget(100);
    expect([budget.hasRoom("a", 100), budget.hasRoom("a", 101)]).toEqual([true, false]);
    budget.add("a", 50);
    expect([budget.hasRoom("a", 1), budget.hasRoom("b", 50), budget.hasRoom("b", 51)]).toEqual([false, true, false]);
  });

  test("is free again for whoever comes, once it is given back", () => {
    const budget = new MemoryBudget(100);
    budget.add("a", 80);
    budget.add("a", -80);
    expect([budget.held, budget.heldBy("a"), budget.hasRoom("b", 100)]).toEqual([0, 0, true]);
  });

  test("refuses a shop with untaken answers by 429, and others by 503", () => {
    const budget = new MemoryBudget(100);
    budget.add("a", 100);
    expect([budget.refusal("a").status, budget.refusal("b").status]).toEqual([429, 503]);
  });
});
