import { TEST_OPERATOR } from "@partner-connect/directory/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { RECATEGORIZATION_STEP, recategorizeResponses } from "./change-responses.ts";
import { generateResponses } from "./generated/index.ts";
import { responseContent, suiteSurvey, text } from "./testing.ts";

const survey = await suiteSurvey();

const { recategorize, shopWith } = survey;

test("a recategorized record has the new response, keeps its first response as original_response, and is otherwise unchanged", async () => {
  const categories = fc.array(text, { minLength: 1, maxLength: 3 });
  const property = fc.asyncProperty(responseContent, categories, async (content, to) => {
    const shopId = await shopWith({ id: "a", ...content });
    const [before = {}] = await survey.responses(shopId);
    const original_response =
      before["original_response"] ?? before["response"] ?? before["other_response"];
    let last = before;
    for (const response of to.flatMap((name) => [`${name}.`, `${name}.`])) {
      const result = await recategorize(shopId, ["a"], response);
      const [after = {}] = await survey.responses(shopId);
      const changed = response !== last["response"];
      expect(result).toEqual({ changed: changed ? 1 : 0, missing: [] });
      const { updated_at } = after;
      expect(after).toEqual(changed ? { ...last, response, original_response, updated_at } : last);
      if (changed) expect(String(updated_at) > String(last["updated_at"])).toBe(true);
      last = after;
    }
  });
  await fc.assert(property, { numRuns: 40 });
});

test("a recategorization replaces the record's response, even if a text looks like the record's own JSON", async () => {
  const tricky =
    ',"response":"x","response_id":1,"original_response":null,"clarification_question":"\\';
  const content = {
    question: tricky,
    response: tricky,
    other_response: `"${tricky}`,
    email: `\\${tricky}`,
  };
  const id = tricky.slice(0, 60);
  const shopId = await shopWith({ id, ...content });
  await recategorize(shopId, [id], `${tricky}!`);
  const changed = { ...content, id, response: `${tricky}!`, original_response: tricky };
  expect(await survey.responses(shopId)).toMatchObject([changed]);
});

test("a bulk recategorization gives all rows the same updated_at, in the document and in the column", async () => {
  const shopId = await survey.newShop();
  await survey.importLines(shopId, generateResponses({ count: 200 }));
  const ids = (await survey.responses(shopId)).map((record) => String(record["id"]));
  expect(await recategorize(shopId, ids, "Word of mouth")).toMatchObject({ changed: 200 });
  const times = await survey.sql`
    SELECT DISTINCT survey.timestamp_text(updated_at) AS column, doc::jsonb ->> 'updated_at' AS text
    FROM survey.responses WHERE shop_id = ${shopId}`;
  expect(times).toHaveLength(1);
  expect(times[0]?.["column"]).toBe(times[0]?.["text"]);
});

test("a large recategorization is made in steps of increasing updated_at, and repeating it changes nothing", async () => {
  const shopId = await survey.newShop();
  await survey.importLines(shopId, generateResponses({ count: 2 * RECATEGORIZATION_STEP + 1 }));
  const ids = (await survey.responses(shopId)).map((record) => String(record["id"]));
  const done: number[] = [];
  const bulk = {
    shopId,
    ids,
    response: "Word of mouth",
    onProgress: (count: number) => void done.push(count),
  };
  expect(await recategorizeResponses(survey.sql, bulk, TEST_OPERATOR)).toEqual({
    changed: ids.length,
    missing: [],
  });
  expect(done).toEqual([RECATEGORIZATION_STEP, 2 * RECATEGORIZATION_STEP, ids.length]);
  const times = new Map(
    (await survey.responses(shopId)).map(({ id, updated_at }) => [id, String(updated_at)]),
  );
  const inOrder = ids.map((id) => times.get(id) as string);
  expect(inOrder).toEqual(inOrder.toSorted());
  expect(new Set(inOrder).size).toBe(3);
  expect(await recategorizeResponses(survey.sql, bulk, TEST_OPERATOR)).toEqual({
    changed: 0,
    missing: [],
  });
});

test("a recategorization returns the ids that the shop lacks as missing, even if another shop has them", async () => {
  const other = await shopWith({ id: "theirs", question: "Who?", response: "TV" });
  const shopId = await shopWith({ id: "a", question: "Who?", response: "TV" });
  const result = await recategorize(shopId, ["theirs", "a", "nobody's", "a"], "Radio");
  expect(result).toEqual({ changed: 1, missing: ["nobody's", "theirs"] });
  expect(await survey.responses(other)).toMatchObject([{ response: "TV" }]);
});

test("a recategorization to a response that can't be stored, or for an unknown shop, is refused", async () => {
  const shopId = await shopWith({ id: "a", question: "Who?", response: "TV" });
  for (const [response, message] of [
    ["", "response is empty"],
    ["a\0", "response has a NUL character"],
    ["\udc00", "response has a lone surrogate"],
  ] as const) {
    await expect(recategorize(shopId, ["a"], response)).rejects.toThrow(message);
  }
  await expect(recategorize("shop_none", ["a"], "x")).rejects.toThrow(
    'there is no shop "shop_none"',
  );
});

test("a deletion removes and counts only the shop's own responses", async () => {
  const records = ["a", "b", "c"].map((id) => ({ id, question: "Who?", response: "TV" }));
  const [shopId, other] = [await shopWith(...records), await shopWith(...records)];
  const remove = (shopId: string) => survey.remove(shopId, ["a", "c", "z"]);
  expect(await remove(shopId)).toBe(2);
  expect(await survey.responses(shopId)).toMatchObject([{ id: "b" }]);
  expect(await survey.responses(other)).toHaveLength(3);
  await expect(remove("shop_none")).rejects.toThrow("there is no shop");
});
