import { createLogger } from "@partner-connect/service-runtime";
import { expect, test } from "vitest";
import { readShops } from "./read-shops.ts";

const log = createLogger("test", "silent");

test("all shops are read by one statement; each by its own only if a fault of the store refused that", async () => {
  const asked: string[][] = [];
  const read = async (ids: readonly string[]) => {
    asked.push([...ids]);
    if (ids.includes("b") && asked.length > 1) throw new Error("the node of b is away");
    return ids;
  };
  expect(await readShops(["a", "b", "c"], log, read)).toEqual({ rows: ["a", "b", "c"], faults: new Map() });
  const { rows, faults } = await readShops(["a", "b", "c"], log, read);
  expect([rows, [...faults.keys()]]).toEqual([["a", "c"], ["b"]]);
  expect(asked).toEqual([["a", "b", "c"], ["a", "b", "c"], ["a"], ["b"], ["c"]]);
});

test("a defect is thrown, though another shop can be read", async () => {
  const read = async (ids: readonly string[]) => {
    if (ids.length > 1) throw new Error("the node of b is away");
    if (ids.includes("b")) throw new TypeError("a mistake of ours");
    return ids;
  };
  await expect(readShops(["a", "b"], log, read)).rejects.toThrow(TypeError);
});

test("where no shop can be read, the first one's fault is thrown; of no shop at all nothing is", async () => {
  const read = ([id]: readonly string[]) => Promise.reject(new Error(`the node of ${id} is away`));
  await expect(readShops(["a", "b"], log, read)).rejects.toThrow("the node of a is away");
  expect(await readShops([], log, read)).toEqual({ rows: [], faults: new Map() });
});
