import { readFileSync } from "node:fs";
import { PostmanValidator } from "@har-sdk/validator";
import { expect, test } from "vitest";

const collection = JSON.parse(readFileSync(new URL("../../postman.json", import.meta.url), "utf8"));

test("the Postman collection is what its schema 2.1.0 says", async () => {
  expect(await new PostmanValidator().verify(collection)).toEqual([]);
  await expect(new PostmanValidator().verify({ ...collection, item: "none" })).resolves.not.toEqual([]);
});
