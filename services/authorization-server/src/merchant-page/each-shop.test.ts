import { createLogger } from "@partner-connect/service-runtime";
import { expect, test } from "vitest";
import { eachShop } from "./each-shop.ts";

const log = createLogger("test", "silent");
const SHOPS = [{ id: "a" }, { id: "b" }];

test("a defect is thrown, though another shop can be read", async () => {
  const read = async ({ id }: { id: string }) => {
    if (id === "b") throw new TypeError("a mistake of ours");
    return id;
  };
  await expect(eachShop(SHOPS, log, read)).rejects.toThrow(TypeError);
});

test("where no shop can be read, the first one's fault is thrown; of no shop at all nothing is", async () => {
  const read = ({ id }: { id: string }) => Promise.reject(new Error(`the node of ${id} is away`));
  await expect(eachShop(SHOPS, log, read)).rejects.toThrow("the node of a is away");
  expect(await eachShop([], log, read)).toEqual([]);
});
