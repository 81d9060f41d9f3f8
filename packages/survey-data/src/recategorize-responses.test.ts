import { TEST_OPERATOR } from "@partner-connect/directory/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { generateResponses } from "./generated/index.ts";
import { importResponses } from "./import/import-records.ts";
import { RECATEGORIZATION_STEP, recategorizeResponses } from "./recategorize-responses.ts";
import { ndjson, responseContent, suiteSurvey, text } from "./testing.ts";

const survey = await suiteSurvey();

async function shopWith(...records: readonly object[]): Promise<string> {
  const shopId = await survey.newShop();
  await importResponses(survey.sql, { shopId, lines: ndjson(...records) }, TEST_OPERATOR);
  return shopId;
}

test("the record has the new response, keeps its first one, and is as it was in all else", async () => {
  const property = fc.asyncProperty(
    responseContent,
    fc.array(text, { minLength: 1, maxLength: 3 }),
    async (content, to) => {
      const shopId = await shopWith({ id: "a", ...content });
      const [before] = await survey.responses(shopId);
      let last = before;
      for (const category of to.flatMap((name) => [`${name}.`, `${name}.`])) {
        const result = await recategorizeResponses(
          survey.sql,
          { shopId, ids: ["a"], response: category },
          TEST_OPERATOR,
        );
        const [after] = await survey.responses(shopId);
        const changed = category !== last?.["response"];
        expect(result).toEqual({ changed: changed ? 1 : 0, missing: [] });
        if (changed) {
          expect(after).toEqual({
            ...last,
            response: category,
            original_response: before?.["original_response"] ?? before?.["response"] ?? before?.["other_response"],
            updated_at: after?.["updated_at"],
          });
          expect(String(after?.["updated_at"]) > String(last?.["updated_at"])).toBe(true);
        } else expect(after).toEqual(last);
        last = after;
      }
    },
  );
  await fc.assert(property, { numRuns: 40 });
});

test("text that looks like the record's own JSON changes nothing", async () => {
  const tricky = ',"response":"x","response_id":1,"original_response":null,"clarification_question":"\\';
  const content = { question: tricky, response: tricky, other_response: `"${tricky}`, email: `\\${tricky}` };
  const shopId = await shopWith({ id: tricky.slice(0, 60), ...content });
  await recategorizeResponses(
    survey.sql,
    { shopId, ids: [tricky.slice(0, 60)], response: `${tricky}!` },
    TEST_OPERATOR,
  );
  expect(await survey.responses(shopId)).toMatchObject([
    { ...content, id: tricky.slice(0, 60), response: `${tricky}!`, original_response: tricky },
  ]);
});

test("the text and the column say the same time, one for all rows of a bulk", async () => {
  const shopId = await survey.newShop();
  await importResponses(survey.sql, { shopId, lines: generateResponses({ count: 200 }) }, TEST_OPERATOR);
  const ids = (await survey.responses(shopId)).map((record) => String(record["id"]));
  expect(
    await recategorizeResponses(survey.sql, { shopId, ids, response: "Word of mouth" }, TEST_OPERATOR),
  ).toMatchObject({
    changed: 200,
  });
  const times = await survey.sql`
    SELECT DISTINCT survey.timestamp_text(updated_at) AS column, doc::jsonb ->> 'updated_at' AS text
    FROM survey.responses WHERE shop_id = ${shopId}`;
  expect(times).toHaveLength(1);
  expect(times[0]?.["column"]).toBe(times[0]?.["text"]);
});

test("many change in steps, each later than the one before, and what was done stays when it is repeated", async () => {
  const shopId = await survey.newShop();
  await importResponses(
    survey.sql,
    { shopId, lines: generateResponses({ count: 2 * RECATEGORIZATION_STEP + 1 }) },
    TEST_OPERATOR,
  );
  const ids = (await survey.responses(shopId)).map((record) => String(record["id"]));
  const done: number[] = [];
  const bulk = { shopId, ids, response: "Word of mouth", onProgress: (count: number) => void done.push(count) };
  expect(await recategorizeResponses(survey.sql, bulk, TEST_OPERATOR)).toEqual({ changed: ids.length, missing: [] });
  expect(done).toEqual([RECATEGORIZATION_STEP, 2 * RECATEGORIZATION_STEP, ids.length]);
  const times = new Map((await survey.responses(shopId)).map(({ id, updated_at }) => [id, String(updated_at)]));
  const inOrder = ids.map((id) => times.get(id) as string);
  expect(inOrder).toEqual(inOrder.toSorted());
  expect(new Set(inOrder).size).toBe(3);
  expect(await recategorizeResponses(survey.sql, bulk, TEST_OPERATOR)).toEqual({ changed: 0, missing: [] });
});

test("ids that the shop doesn't have are named, another shop's as well, and the others change", async () => {
  const other = await shopWith({ id: "theirs", question: "Who?", response: "TV" });
  const shopId = await shopWith({ id: "a", question: "Who?", response: "TV" });
  const ids = ["theirs", "a", "nobody's", "a"];
  expect(await recategorizeResponses(survey.sql, { shopId, ids, response: "Radio" }, TEST_OPERATOR)).toEqual({
    changed: 1,
    missing: ["nobody's", "theirs"],
  });
  expect(await survey.responses(other)).toMatchObject([{ response: "TV" }]);
});

test("a response that can't be stored is refused, and so is an unknown shop", async () => {
  const shopId = await shopWith({ id: "a", question: "Who?", response: "TV" });
  for (const [response, message] of [
    ["", "response is empty"],
    ["a\0", "response has a NUL character"],
    ["\udc00", "response has a lone surrogate"],
  ] as const) {
    await expect(recategorizeResponses(survey.sql, { shopId, ids: ["a"], response }, TEST_OPERATOR)).rejects.toThrow(
      message,
    );
  }
  const nowhere = { shopId: "shop_none", ids: ["a"], response: "x" };
  await expect(recategorizeResponses(survey.sql, nowhere, TEST_OPERATOR)).rejects.toThrow(
    'there is no shop "shop_none"',
  );
});
