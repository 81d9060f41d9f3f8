import { expect, test } from "vitest";
import { generateQuestions } from "../generated/index.ts";
import { ndjson, suiteSurvey } from "../testing.ts";

const survey = await suiteSurvey();
const { importQuestions } = survey;

async function questions(shopId: string): Promise<Record<string, unknown>[]> {
  const rows = await survey.sql<{ doc: string }[]>`
    SELECT doc FROM survey.questions WHERE shop_id = ${shopId} ORDER BY id`;
  return rows.map((row) => JSON.parse(row.doc));
}

test("questions are stored as they were imported, and importing them again changes nothing", async () => {
  const shopId = await survey.newShop();
  const lines = [...generateQuestions()];
  const again = () => importQuestions(shopId, lines);
  expect(await again()).toMatchObject({ inserted: 5, backfilled: 5 });
  const absent = { other_placeholder: null };
  expect(await questions(shopId)).toEqual(
    lines.map((line) => ({ ...absent, ...JSON.parse(line) })),
  );
  expect(await again()).toMatchObject({ unchanged: 5, updated: 0 });
});

test("a changed question keeps its insertion time and gets a new updated_at", async () => {
  const shopId = await survey.newShop();
  await importQuestions(shopId, ndjson({ id: 9, prompt: "Who?" }));
  const [before] = await questions(shopId);
  const lines = ndjson({ id: 9, prompt: "Who told you?" });
  expect(await importQuestions(shopId, lines)).toMatchObject({ updated: 1 });
  const [after] = await questions(shopId);
  expect(after).toMatchObject({ prompt: "Who told you?", inserted_at: before?.["inserted_at"] });
  expect(String(after?.["updated_at"]) > String(before?.["updated_at"])).toBe(true);
});
