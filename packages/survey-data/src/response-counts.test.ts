import { transaction } from "@partner-connect/database";
import { TEST_OPERATOR } from "@partner-connect/directory/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deleteResponses } from "./delete-responses.ts";
import { eraseSurvey } from "./erase-survey.ts";
import { generateResponses } from "./generated/index.ts";
import { seededRandom } from "./generated/random.ts";
import { importQuestions, importResponses } from "./import/import-records.ts";
import { recategorizeResponses } from "./recategorize-responses.ts";
import { countUncounted, takeStamp, writeShop } from "./take-stamp.ts";
import { ndjson, type TestSurvey, testSurvey } from "./testing.ts";

let survey: TestSurvey;

beforeAll(async () => {
  survey = await testSurvey();
});
afterAll(() => survey.close());

type Count = readonly [unit: string, period: string, questionId: number | null, question: string, response: string];

/** What the table says, by what it counts. */
async function counts(shopId: string): Promise<Record<string, number>> {
  const rows = await survey.sql<{ of: Count; count: number }[]>`
    SELECT jsonb_build_array(unit, period, question_id, question::jsonb, response::jsonb) AS of, count::int AS count
    FROM survey.response_counts WHERE shop_id = ${shopId}`;
  const found = Object.fromEntries(rows.map(({ of, count }) => [JSON.stringify(of), count]));
  expect(Object.keys(found)).toHaveLength(rows.length);
  return found;
}

/** The same, by the shop's records as they are. */
async function counted(shopId: string): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const record of await survey.responses(shopId)) {
    const day = String(record["inserted_at"]).slice(0, 10);
    for (const period of [
      ["day", day],
      ["month", `${day.slice(0, 7)}-01`],
    ]) {
      const key = JSON.stringify([...period, record["question_id"], record["question"], record["response"]]);
      found[key] = (found[key] ?? 0) + 1;
    }
  }
  return found;
}

async function isCounted(shopId: string): Promise<boolean> {
  const [row] = await survey.sql<{ is: boolean }[]>`
    SELECT counted IS NOT DISTINCT FROM stamp AS is FROM survey.stamps WHERE shop_id = ${shopId}`;
  return row?.is ?? true;
}

const importLines = (shopId: string, ...records: readonly object[]) =>
  importResponses(survey.sql, { shopId, lines: ndjson(...records) }, TEST_OPERATOR);

/** What a writer of a former release did: it took a stamp, and changed rows. */
async function writeAsBefore(shopId: string, id: string): Promise<void> {
  await transaction(survey.sql, async (sql) => {
    const [last] = await sql<{ stamp: Date }[]>`SELECT stamp FROM survey.stamps WHERE shop_id = ${shopId} FOR UPDATE`;
    const stamp = new Date((last?.stamp.getTime() ?? 0) + 1000);
    await sql`UPDATE survey.stamps SET stamp = ${stamp} WHERE shop_id = ${shopId}`;
    await sql`
      UPDATE survey.responses SET doc = survey.recategorized_doc(doc, updated_at, '"Radio"')
      WHERE shop_id = ${shopId} AND id = ${id}`;
  });
}

const IDS = Array.from({ length: 30 }, (_, index) => `r${index}`);
const WORDS = ["TV", "Podcast", 'A "friend"\\', "ünïcode \u2028", ","];
const TIMES = [
  { inserted_at: "2025-12-31T23:59:59.999Z" },
  { inserted_at: "2026-01-01T00:00:00.000Z" },
  { inserted_at: "2026-02-28T23:30:00-01:00" },
  {},
];

test.each([1, 2])("counts are what the rows are, whatever is done to them (%i)", async (seed) => {
  const shopId = await survey.newShop();
  const random = seededRandom(`counts ${seed}`);
  const some = () => IDS.filter(() => random.pick([true, false, false]));
  const record = (id: string) => ({
    id,
    ...random.pick([{ question: "How?" }, { question: "Why?", question_id: 1 }, { question_id: -2 }]),
    response: random.pick([...WORDS, null]),
    other_response: "own words",
    ...random.pick(TIMES),
  });
  const steps = [
    () => importLines(shopId, ...some().map(record)),
    () => importLines(shopId, ...some().map(record)),
    () => recategorizeResponses(survey.sql, { shopId, ids: some(), response: random.pick(WORDS) }, TEST_OPERATOR),
    () => deleteResponses(survey.sql, { shopId, ids: some() }, TEST_OPERATOR),
    () => importQuestions(survey.sql, { shopId, lines: ndjson({ id: 1, prompt: random.pick(WORDS) }) }, TEST_OPERATOR),
    () => writeAsBefore(shopId, random.pick(IDS)),
  ];
  for (let step = 0; step < 40; step++) {
    await random.pick(steps)();
    if (await isCounted(shopId)) expect([step, await counts(shopId)]).toEqual([step, await counted(shopId)]);
  }
  await importLines(shopId, { id: "last", question: "How?", response: "TV" });
  expect([await isCounted(shopId), await counts(shopId)]).toEqual([true, await counted(shopId)]);
  await eraseSurvey(survey.sql, shopId, () => {});
  expect(await counts(shopId)).toEqual({});
});

test("writers at once all count", async () => {
  const shopId = await survey.newShop();
  const write = async (writer: number): Promise<void> => {
    for (let step = 0; step < 6; step++) {
      const ids = IDS.slice(writer, writer + 10);
      await importLines(shopId, ...ids.map((id) => ({ id, question: "How?", response: `${writer} ${step % 2}` })));
      await recategorizeResponses(survey.sql, { shopId, ids: ids.slice(0, 5), response: "TV" }, TEST_OPERATOR);
      await deleteResponses(survey.sql, { shopId, ids: ids.slice(4, 7) }, TEST_OPERATOR);
    }
  };
  await Promise.all([0, 5, 10].map(write));
  expect([await isCounted(shopId), await counts(shopId)]).toEqual([true, await counted(shopId)]);
});

test("a writer that fails leaves neither rows nor counts", async () => {
  const shopId = await survey.newShop();
  await importLines(shopId, { id: "a", question: "How?", response: "TV" });
  const before = await counts(shopId);
  const failing = { name: "operator:\0" }; // no text of Postgres's: the record of it fails, after all else was written
  await expect(
    importResponses(survey.sql, { shopId, lines: ndjson({ id: "b", question: "How?", response: "TV" }) }, failing),
  ).rejects.toThrow();
  await expect(deleteResponses(survey.sql, { shopId, ids: ["a"] }, failing)).rejects.toThrow();
  await expect(recategorizeResponses(survey.sql, { shopId, ids: ["a"], response: "FM" }, failing)).rejects.toThrow();
  expect([await isCounted(shopId), await counts(shopId), await counted(shopId)]).toEqual([true, before, before]);
});

test("a shop that a former release wrote, or that was never counted, is counted by the next writer or by migrate", async () => {
  for (const heal of [
    (shopId: string) => importLines(shopId, { question: "How?", response: "TV" }),
    (shopId: string) => writeShop(survey.sql, shopId, (sql) => takeStamp(sql, shopId, [])),
    () => countUncounted(survey.sql),
  ]) {
    const shopId = await survey.newShop();
    const lines = generateResponses({ count: 50, seed: shopId });
    await importResponses(survey.sql, { shopId, lines }, TEST_OPERATOR);
    const [first] = await survey.responses(shopId);
    await writeAsBefore(shopId, String(first?.["id"]));
    expect(await isCounted(shopId)).toBe(false);
    await heal(shopId);
    expect([await isCounted(shopId), await counts(shopId)]).toEqual([true, await counted(shopId)]);
    await survey.sql`DELETE FROM survey.responses WHERE shop_id = ${shopId} AND id = ${String(first?.["id"])}`; // by hand
    expect(await isCounted(shopId)).toBe(false);
    await survey.sql`DELETE FROM survey.response_counts WHERE shop_id = ${shopId}`;
    await survey.sql`UPDATE survey.stamps SET counted = NULL WHERE shop_id = ${shopId}`;
    await heal(shopId);
    await heal(shopId);
    expect([await isCounted(shopId), await counts(shopId)]).toEqual([true, await counted(shopId)]);
  }
});
