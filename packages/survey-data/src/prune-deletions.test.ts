import { TEST_OPERATOR } from "@partner-connect/directory/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deleteResponses } from "./delete-responses.ts";
import { importResponses } from "./import/import-records.ts";
import { prunableDeletions, pruneDeletions } from "./prune-deletions.ts";
import { ndjson, type TestSurvey, testSurvey } from "./testing.ts";

let survey: TestSurvey;

beforeAll(async () => {
  survey = await testSurvey();
});

afterAll(() => survey.close());

const before = new Date("2025-06-01T00:00:00Z");

/** A shop whose responses were deleted, one a day. */
async function shopWith(from: string, ...ids: readonly string[]): Promise<string> {
  const shopId = await survey.newShop();
  const lines = ndjson(...ids.map((id) => ({ id, question: "Who?", response: "TV" })));
  await importResponses(survey.sql, { shopId, lines }, TEST_OPERATOR);
  await deleteResponses(survey.sql, { shopId, ids }, TEST_OPERATOR);
  for (const [day, id] of ids.entries()) {
    const at = new Date(Date.parse(from) + day * 86_400_000);
    await survey.sql`UPDATE survey.deleted_responses SET deleted_at = ${at} WHERE shop_id = ${shopId} AND id = ${id}`;
  }
  return shopId;
}

async function left(shopId: string): Promise<string[]> {
  const rows = await survey.sql<{ id: string }[]>`
    SELECT id FROM survey.deleted_responses WHERE shop_id = ${shopId} ORDER BY deleted_at, id`;
  return rows.map(({ id }) => id);
}

test("older deletions go, in steps, and the newest of them stays for those who have read that far", async () => {
  const shopId = await shopWith("2025-05-25T00:00:00Z", ..."jihgfedcba"); // the first seven are older
  const young = await shopWith("2025-06-02T00:00:00Z", "a", "b");
  const found = [{ shopId, deletions: 6 }];
  expect(await prunableDeletions(survey.sql, { before })).toEqual(found);
  expect(await pruneDeletions(survey.sql, { before }, TEST_OPERATOR, 4)).toEqual(found);
  expect(await left(shopId)).toEqual(["d", "c", "b", "a"]);
  expect(await left(young)).toEqual(["a", "b"]);
  expect(await pruneDeletions(survey.sql, { before }, TEST_OPERATOR)).toEqual([]);
  const records = (await survey.records(shopId)).filter(({ event }) => event === "response_prune_deleted");
  expect(records.map(({ details }) => details)).toEqual([
    { pruned: 4, before: before.toISOString() },
    { pruned: 2, before: before.toISOString() },
  ]);
});

test("the newest in the list stays also where a newer one was imported again; other shops are left alone", async () => {
  const shopId = await shopWith("2025-05-01T00:00:00Z", "a", "b", "c");
  const other = await shopWith("2025-05-01T00:00:00Z", "a", "b", "c");
  await importResponses(
    survey.sql,
    { shopId, lines: ndjson({ id: "c", question: "Who?", response: "TV" }) },
    TEST_OPERATOR,
  );
  expect(await pruneDeletions(survey.sql, { before, shopId }, TEST_OPERATOR)).toEqual([{ shopId, deletions: 1 }]);
  expect([await left(shopId), await left(other)]).toEqual([
    ["b", "c"],
    ["a", "b", "c"],
  ]);
});

test("what can't be recorded is not forgotten", async () => {
  const shopId = await shopWith("2025-05-01T00:00:00Z", "a", "b");
  const eve = { name: "operator:eve", ip: "nowhere" };
  await expect(pruneDeletions(survey.sql, { before, shopId }, eve)).rejects.toThrow("inet");
  expect(await left(shopId)).toEqual(["a", "b"]);
});
