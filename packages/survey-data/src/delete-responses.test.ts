import { TEST_OPERATOR } from "@partner-connect/directory/testing";
import { expect, test } from "vitest";
import { deleteResponses } from "./delete-responses.ts";
import { importResponses } from "./import/import-records.ts";
import { ndjson, suiteSurvey } from "./testing.ts";

const survey = await suiteSurvey();

test("the shop's responses go, what it doesn't have is not counted, another shop's stay", async () => {
  const [shopId, other] = [await survey.newShop(), await survey.newShop()];
  for (const shop of [shopId, other]) {
    const lines = ndjson(...["a", "b", "c"].map((id) => ({ id, question: "Who?", response: "TV" })));
    await importResponses(survey.sql, { shopId: shop, lines }, TEST_OPERATOR);
  }
  expect(await deleteResponses(survey.sql, { shopId, ids: ["a", "c", "z"] }, TEST_OPERATOR)).toBe(2);
  expect(await survey.responses(shopId)).toMatchObject([{ id: "b" }]);
  expect(await survey.responses(other)).toHaveLength(3);
});

test("an unknown shop is refused", async () => {
  await expect(deleteResponses(survey.sql, { shopId: "shop_none", ids: ["a"] }, TEST_OPERATOR)).rejects.toThrow(
    "there is no shop",
  );
});
