import { expect, test } from "vitest";
import { RECATEGORIZATION_STEP } from "./change-responses.ts";
import { IMPORT_STEP } from "./import/staged-records.ts";
import {
  deleteResponses,
  importQuestions,
  importResponses,
  recategorizeResponses,
} from "./index.ts";
import { ndjson, suiteSurvey } from "./testing.ts";

const survey = await suiteSurvey();
const actor = { name: "operator:ada" };
const answers = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ id: `r${n}`, question: "Q?", response: "TV" }));

test("the audit records of imports, recategorizations and deletions contain counts, but no customer's text", async () => {
  const shopId = await survey.newShop();
  expect(IMPORT_STEP).toBe(RECATEGORIZATION_STEP);
  const many = answers(IMPORT_STEP + 1);
  const ids = many.map(({ id }) => id);
  await importQuestions(
    survey.sql,
    { shopId, lines: ndjson({ id: 1, prompt: "Secret question?" }) },
    actor,
  );
  await importResponses(survey.sql, { shopId, lines: ndjson(...many) }, actor);
  await recategorizeResponses(survey.sql, { shopId, ids, response: "Radio" }, actor);
  await deleteResponses(survey.sql, { shopId, ids: ["r0", "r1", "unknown"] }, actor);
  const counts = { updated: 0, unchanged: 0, older: 0, backfilled: 0 };
  const records = await survey.records(shopId);
  expect(records).toEqual([
    {
      event: "question_import",
      actor: actor.name,
      details: { ...counts, records: 1, inserted: 1 },
    },
    ...[IMPORT_STEP, 1].map((step) => ({
      event: "response_import",
      actor: actor.name,
      details: { ...counts, records: step, inserted: step },
    })),
    {
      event: "response_recategorize",
      actor: actor.name,
      details: { changed: RECATEGORIZATION_STEP },
    },
    { event: "response_recategorize", actor: actor.name, details: { changed: 1 } },
    { event: "response_delete", actor: actor.name, details: { deleted: 2 } },
  ]);
  expect(JSON.stringify(records)).not.toMatch(/TV|Radio|Secret/);
});

test("a command that changes nothing, or is refused, leaves no audit record", async () => {
  const shopId = await survey.newShop();
  const lines = ndjson(...answers(2));
  await importResponses(survey.sql, { shopId, lines }, actor);
  await importResponses(survey.sql, { shopId, lines }, actor);
  await recategorizeResponses(
    survey.sql,
    { shopId, ids: ["r0", "unknown"], response: "TV" },
    actor,
  );
  await deleteResponses(survey.sql, { shopId, ids: ["unknown"] }, actor);
  await expect(
    importResponses(survey.sql, { shopId, lines: ['{"id":"a"}\n'] }, actor),
  ).rejects.toThrow("line 1");
  expect(await survey.records(shopId)).toHaveLength(1);
});

test("a change that can't be recorded in the audit log is rolled back", async () => {
  const shopId = await survey.newShop();
  await importResponses(survey.sql, { shopId, lines: ndjson(...answers(2)) }, actor);
  const before = await survey.responses(shopId);
  const unrecordable = { name: "operator:eve", ip: "nowhere" };
  const attempts = [
    () => importResponses(survey.sql, { shopId, lines: ndjson(...answers(3)) }, unrecordable),
    () =>
      importQuestions(survey.sql, { shopId, lines: ndjson({ id: 1, prompt: "Q?" }) }, unrecordable),
    () =>
      recategorizeResponses(survey.sql, { shopId, ids: ["r0"], response: "Radio" }, unrecordable),
    () => deleteResponses(survey.sql, { shopId, ids: ["r0"] }, unrecordable),
  ];
  for (const attempt of attempts)
    await expect(attempt()).rejects.toThrow(/invalid input syntax for type inet/);
  expect(await survey.responses(shopId)).toEqual(before);
  expect(await survey.sql`SELECT FROM survey.questions WHERE shop_id = ${shopId}`).toHaveLength(0);
});
